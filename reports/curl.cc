// SPDX-License-Identifier: Apache-2.0
#include "reports/curl.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/base/ascii.h"
#include "reports/evidence.h"

namespace reports {
namespace {

namespace ascii = harness::ascii;
namespace wire = harness::wire;

constexpr std::size_t kMostBody = 16 << 10;
constexpr std::string_view kSecret = "«secret ", kSecretEnd = "»";
constexpr std::string_view kLeftOut("\0", 1);  // the value of a header that is not sent

bool same(std::string_view a, std::string_view b) { return ascii::equal_ignoring_case(a, b); }

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_variable(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return c == '_' || ascii::is_alphanumeric(c); });
}

// The name in the «secret NAME» that a text begins with.
std::optional<std::string_view> secret_at(std::string_view text) {
  if (!text.starts_with(kSecret)) return std::nullopt;
  const std::size_t end = text.find(kSecretEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(kSecret.size(), end - kSecret.size());
}

// Whether it can be shown and copied as it is: printable ASCII, but for secrets of ordinary names.
bool copies_well(std::string_view text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const auto name = secret_at(text.substr(i))) {
      rest += *name;
      i += kSecret.size() + name->size() + kSecretEnd.size() - 1;
    } else {
      rest += text[i];
    }
  }
  return is_printable(rest);
}

// Bytes that a shell, a terminal or a page might change: printf writes them.
std::string printed(std::string_view bytes) {
  std::string out = "printf '";
  for (const char c : bytes) {
    if (c == '%')
      out += "%%";
    else if (c < ' ' || c > '~' || c == '\'' || c == '\\')
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "'";
}

const wire::Frame* request_of(const harness::run::CaseResult& result,
                              const harness::oracle::Finding& finding) {
  const auto asks = [](const wire::Frame& frame) {
    return frame.direction == wire::Direction::kSent && frame.channel == wire::Channel::kHttp &&
           frame.head && frame.session && !frame.session->url.empty();
  };
  const wire::Frame* found = nullptr;
  int answered = 0;
  for (const wire::Frame* frame : frames_of(result, finding)) {
    if (asks(*frame)) found = frame;
    if (frame->direction == wire::Direction::kReceived && frame->exchange != 0)
      answered = frame->exchange;
  }
  if (found != nullptr || answered == 0) return found;
  for (const wire::Frame& frame : result.transcript->frames)
    if (asks(frame) && frame.exchange == answered) found = &frame;
  return found;
}

// http://host:1 and /mcp of http://host:1/mcp
std::string_view origin_of(std::string_view url) {
  const std::size_t slashes = url.find("://");
  return url.substr(0, slashes == std::string_view::npos ? slashes : url.find('/', slashes + 3));
}

// What a request carries besides what curl says by itself.
std::vector<wire::Header> headers_of(const wire::Frame& request) {
  std::vector<wire::Header> out;
  const auto replaced = [&](const wire::Header& usual) {
    return std::any_of(request.head->headers.begin(), request.head->headers.end(),
                       [&](const wire::Header& own) { return same(own.name, usual.name); });
  };
  std::vector<wire::Header> usual = request.session->headers;
  if (!request.bytes.empty() || request.head->method == "POST")
    usual.push_back({"Content-Type", "application/json"});
  for (const wire::Header& header : usual)
    if (!replaced(header) && !same(header.name, "Host") && !same(header.name, "User-Agent"))
      out.push_back(header);
  out.insert(out.end(), request.head->headers.begin(), request.head->headers.end());
  return out;
}

// Credentials that are too short to be looked for everywhere are hidden here all the same.
bool tells_a_secret(const wire::Header& header) {
  const std::string name = ascii::lower(header.name);
  if (header.value.find(kSecret) != std::string::npos || name == "mcp-session-id") return false;
  for (const char* word : {"auth", "token", "key", "cookie", "secret"})
    if (name.find(word) != std::string::npos) return true;
  return false;
}

// curl by itself would say `Accept: */*` and a type of its own for a body: each header is written.
std::string header_words(const wire::Frame& request, bool& sayable) {
  std::string out;
  for (const wire::Header& header : headers_of(request)) {
    const bool usual = std::any_of(request.session->headers.begin(), request.session->headers.end(),
                                   [&](const wire::Header& one) {
                                     return one.name == header.name && one.value == header.value;
                                   });
    // A body that a case cut into chunks itself, curl would cut again.
    sayable &= copies_well(header.name) && !same(header.name, "Transfer-Encoding") &&
               (header.value == kLeftOut || copies_well(header.value));
    out += " \\\n  -H ";
    if (header.value == kLeftOut)
      out += shell_word(header.name + ":");
    else if (header.value.empty())
      out += shell_word(header.name + ";");
    else if (usual && same(header.name, "Mcp-Session-Id"))
      out += "\"" + header.name + ": $SESSION\"";
    else if (usual && tells_a_secret(header))
      out += shell_word(header.name + ": «secret " + header.name + "»");
    else
      out += shell_word(header.name + ": " + header.value);
  }
  return out;
}

std::string command(const wire::Frame& request, const std::string& options, bool& sayable) {
  const std::string& method = request.head->method;
  const std::string& target = request.head->target;
  std::string url = request.session->url;
  if (!target.empty())
    url = target.starts_with('/') ? std::string(origin_of(url)) + target : target;
  sayable &= copies_well(url) && copies_well(method);
  const bool has_body = !request.bytes.empty() || method == "POST";
  std::string out = "curl " + options;
  if (url.starts_with("https:")) out += " --http1.1";
  if (method == "HEAD")
    out += " --head";
  else if (method != (has_body ? "POST" : "GET"))
    out += " -X " + shell_word(method);
  out += " " + shell_word(url) + header_words(request, sayable);
  if (!has_body) return out;
  if (copies_well(request.bytes)) return out + " \\\n  --data-raw " + shell_word(request.bytes);
  return printed(request.bytes) + " |\n" + out + " \\\n  --data-binary @-";
}

// The commands that open a session like that of the request.
std::string opening_of(const wire::Frame& request, bool& sayable) {
  wire::Frame first = request;
  auto session = std::make_shared<wire::HttpSession>(*request.session);
  std::erase_if(session->headers, [](const wire::Header& header) {
    return same(header.name, "Mcp-Session-Id") || same(header.name, "MCP-Protocol-Version");
  });
  first.session = session;
  first.head = wire::HttpHead{0, "POST", "", {}};
  first.bytes = session->opening;
  wire::Frame second = request;
  second.head = first.head;
  second.bytes = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  return "SESSION=$(" + command(first, "-sSgN -m 30 -D - -o /dev/null", sayable) +
         " |\n  tr -d '\\r' | sed -n 's/^mcp-session-id: //Ip')\n" +
         command(second, "-sSgN -m 30", sayable) + "\n";
}

}  // namespace

std::string shell_word(std::string_view text) {
  const bool bare = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return ascii::is_alphanumeric(c) || std::string_view("_./:@%+,-").find(c) != std::string::npos;
  });
  if (bare) return std::string(text);
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const auto name = secret_at(text.substr(i)); name && is_variable(*name)) {
      out += "'\"$" + std::string(*name) + "\"'";
      i += kSecret.size() + name->size() + kSecretEnd.size() - 1;
    } else if (text[i] == '\'') {
      out += "'\\''";
    } else {
      out += text[i];
    }
  }
  out += "'";
  if (out.ends_with("\"''")) out.resize(out.size() - 2);
  return out.starts_with("''\"") ? out.substr(2) : out;
}

std::string curl_of(const harness::run::CaseResult& result,
                    const harness::oracle::Finding& finding) {
  if (!result.transcript) return {};
  const wire::Frame* request = request_of(result, finding);
  if (request == nullptr || request->bytes.size() > kMostBody ||
      std::max<std::uint64_t>(request->size, request->bytes.size()) != request->bytes.size())
    return {};
  bool sayable = true;
  std::string out;
  const std::string last = command(*request, "-isSgN --path-as-is -m 30", sayable);
  const bool in_session = last.find("$SESSION\"") != std::string::npos;
  if (in_session && !request->session->opening.empty()) out = opening_of(*request, sayable);
  out += last;
  return sayable ? out : std::string();
}

}  // namespace reports
