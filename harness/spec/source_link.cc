// SPDX-License-Identifier: Apache-2.0
// A source is a list of texts, "; " between them:
//
//   JSON-RPC 2.0 §5.1                              a section, or several
//   RFC 8259 §7
//   LSP 3.17 #headerPart                           a heading of a version
//   ACP 1 session-setup#session-id                 a page of a version and a heading
//   2025-06-18 server/tools#error-handling         a page of a revision and a heading
//   2024-11-05..2025-11-25 schema ServerRequest    a type of the schema; the newest revision is
//   linked
#include "harness/spec/source_link.h"

#include <algorithm>

#include "harness/base/ascii.h"

namespace harness::spec {
namespace {

constexpr std::string_view kSite = "https://modelcontextprotocol.io/";
constexpr std::string_view kSchemas =
    "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/";

constexpr std::string_view kRevisionForm = "0000-00-00";

constexpr struct {
  std::string_view section, anchor;
} kJsonRpcSections[] = {
    {"1", "overview"},        {"2", "conventions"},    {"3", "compatibility"},
    {"4", "request_object"},  {"4.1", "notification"}, {"4.2", "parameter_structures"},
    {"5", "response_object"}, {"5.1", "error_object"}, {"6", "batch"},
    {"7", "examples"},        {"8", "extensions"}};

std::string_view while_in(std::string_view text, bool (*in)(char)) {
  return text.substr(
      0, static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), in) - text.begin()));
}

// The number behind the first §, "" where there is none.
std::string_view section_of(std::string_view text) {
  constexpr std::string_view kSign = "§";
  const auto at = text.find(kSign);
  if (at == std::string_view::npos) return {};
  std::string_view number = while_in(text.substr(at + kSign.size()),
                                     [](char c) { return ascii::is_digit(c) || c == '.'; });
  while (number.ends_with('.')) number.remove_suffix(1);
  return number;
}

std::string of_json_rpc(std::string_view text) {
  std::string url = "https://www.jsonrpc.org/specification";
  for (const auto& row : kJsonRpcSections)
    if (row.section == section_of(text)) return url + "#" + std::string(row.anchor);
  return url;
}

std::string of_rfc(std::string_view text) {
  const std::string_view number = while_in(text.substr(4), ascii::is_digit);
  if (number.empty()) return "";
  const std::string_view section = section_of(text);
  return "https://www.rfc-editor.org/rfc/rfc" + std::string(number) +
         (section.empty() ? "" : "#section-" + std::string(section));
}

// "2025-06-18" where the text begins with a revision, or with a span of them, whose last it is;
// takes it away.
std::string_view take_revision(std::string_view& text) {
  const auto revision = [](std::string_view from) {
    if (from.size() < kRevisionForm.size()) return std::string_view();
    for (std::size_t i = 0; i < kRevisionForm.size(); ++i)
      if (kRevisionForm[i] == '0' ? !ascii::is_digit(from[i]) : from[i] != kRevisionForm[i])
        return std::string_view();
    return from.substr(0, kRevisionForm.size());
  };
  std::string_view found = revision(text);
  if (found.empty()) return {};
  text.remove_prefix(found.size());
  if (text.starts_with("..")) {
    found = revision(text.substr(2));
    text.remove_prefix(2 + found.size());
  }
  return text.starts_with(' ') ? found : std::string_view();
}

// The schema is a page of its own since 2025-06-18, with a heading for each type.
std::string of_schema(std::string_view revision, std::string_view type) {
  if (revision < "2025-06-18") return std::string(kSchemas) + std::string(revision) + "/schema.ts";
  std::string url = std::string(kSite) + "specification/" + std::string(revision) + "/schema";
  type = while_in(type, ascii::is_letter);
  // What begins with a capital is a type; other words describe.
  if (type.size() < 2 || !(type[0] >= 'A' && type[0] <= 'Z')) return url;
  return url + "#" + ascii::lower(type);
}

std::string of_mcp(std::string_view text) {
  const std::string_view revision = take_revision(text);
  if (revision.empty()) return "";
  text.remove_prefix(1);
  const std::string_view path = while_in(text, [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '/' || c == '-' || c == '_';
  });
  std::string_view rest = text.substr(path.size());
  if (path == "schema") return of_schema(revision, rest.empty() ? rest : rest.substr(1));
  if (path.starts_with("ext-") || path.starts_with("SEP") || path.starts_with("extensions"))
    return "";
  const bool page =
      path.find('/') != std::string_view::npos || path == "changelog" || path == "architecture";
  if (!page) return "";
  const bool tutorial = path.starts_with("tutorials/");
  // Tutorials have versions since 2025-11-25.
  if (tutorial && revision < "2025-11-25") return "";
  std::string url = std::string(kSite) + (tutorial ? "docs/" : "specification/") +
                    std::string(revision) + "/" + std::string(path);
  if (!rest.starts_with('#')) return url;
  const std::string_view heading = while_in(rest.substr(1), [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '_';
  });
  return url + "#" + std::string(heading == "_meta" ? "meta" : heading);
}

// "LSP 3.17 #headerPart": a heading of the one page that each version is; the first where several
// are named.
std::string of_lsp(std::string_view text) {
  text.remove_prefix(std::string_view("LSP ").size());
  const std::string_view version =
      while_in(text, [](char c) { return ascii::is_digit(c) || c == '.'; });
  if (version.empty()) return "";
  std::string url = "https://microsoft.github.io/language-server-protocol/specifications/lsp/" +
                    std::string(version) + "/specification/";
  const auto heading = text.find('#');
  if (heading == std::string_view::npos) return url;
  return url + "#" + std::string(while_in(text.substr(heading + 1), [](char c) {
           return ascii::is_letter(c) || ascii::is_digit(c) || c == '_';
         }));
}

// "ACP 1 schema NewSessionResponse": of the schema the page alone.
std::string of_acp(std::string_view text) {
  const auto in_path = [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '_';
  };
  text.remove_prefix(std::string_view("ACP ").size());
  const std::string_view version = while_in(text, ascii::is_digit);
  text.remove_prefix(std::min(version.size() + 1, text.size()));
  const std::string_view page = while_in(text, in_path);
  if (version.empty() || page.empty()) return "";
  std::string url =
      "https://agentclientprotocol.com/protocol/v" + std::string(version) + "/" + std::string(page);
  text.remove_prefix(page.size());
  if (!text.starts_with('#')) return url;
  return url + "#" + std::string(while_in(text.substr(1), in_path));
}

std::string url_of(std::string_view text) {
  if (text.starts_with("ACP ")) return of_acp(text);
  if (text.starts_with("LSP ")) return of_lsp(text);
  if (text.starts_with("JSON-RPC 2.0")) return of_json_rpc(text);
  if (text.starts_with("RFC ")) return of_rfc(text);
  return of_mcp(text);
}

}  // namespace

std::vector<SourceLink> links_of(std::string_view source) {
  std::vector<SourceLink> links;
  while (!source.empty()) {
    const auto end = std::min(source.find("; "), source.size());
    const std::string_view text = source.substr(0, end);
    if (!text.empty()) links.push_back({std::string(text), url_of(text)});
    source.remove_prefix(std::min(end + 2, source.size()));
  }
  return links;
}

std::string source_in(std::string_view source, std::string_view revision) {
  std::string out;
  bool found = false;
  for (const SourceLink& one : links_of(source)) {
    std::string_view rest = one.text;
    const std::string_view first = rest.substr(0, kRevisionForm.size());
    const std::string_view last = take_revision(rest);
    const bool here = !last.empty() && first <= revision && revision <= last;
    if (!last.empty() && !here) continue;
    out +=
        (out.empty() ? "" : "; ") + (here ? std::string(revision) + std::string(rest) : one.text);
    found |= here;
  }
  return found ? out : std::string(source);
}

}  // namespace harness::spec
