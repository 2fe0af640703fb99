// SPDX-License-Identifier: Apache-2.0
// Header rules without any HTTP library.
#include "harness/reference/http_rules.h"

#include <algorithm>
#include <charconv>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/json/write.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_tools.h"
#include "harness/reference/text_facts.h"

namespace harness::reference {
namespace {

using json::Value;

std::string_view next_part(std::string_view& list, char separator) {
  const std::size_t end = std::min(list.find(separator), list.size());
  const std::string_view part = trimmed(list.substr(0, end));
  list.remove_prefix(std::min(list.size(), end + 1));
  return part;
}

const Value* string_at(const Value* object, std::string_view name) {
  const Value* value = object != nullptr && object->is_object() ? object->find(name) : nullptr;
  return value != nullptr && value->is_string() ? value : nullptr;
}

// A header's text; nothing when its Base64 is broken or it holds what no header may.
std::optional<std::string> plain(std::string value, const Faults& faults) {
  if (faults.has("header-base64-not-decoded")) return value;
  if (ascii::lower(value.substr(0, 9)) == "=?base64?" && faults.has("header-sentinel-any-case"))
    value.replace(0, 9, "=?base64?");
  const bool visible = std::all_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
  });
  if (!visible && !faults.has("header-raw-bytes-taken")) return std::nullopt;
  return decoded_header(value);
}

bool same_argument(const Value& argument, const std::string& header, const Faults& faults) {
  if (argument.is_string()) return argument.text == header;
  if (argument.is_boolean()) {
    if (faults.has("param-header-boolean-capital"))
      return header == (argument.boolean ? "True" : "False");
    return header == (argument.boolean ? "true" : "false");
  }
  if (faults.has("param-header-integer-as-text")) return argument.text == header;
  double number = 0;
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), number);
  return error == std::errc() && end == header.data() + header.size() &&
         number == json::as_double(argument);
}

std::optional<std::string> argument_problem(const Value& params, const HeaderLookup& header,
                                            const Faults& faults) {
  const Value* tool = string_at(&params, "name");
  if (tool == nullptr) return std::nullopt;
  const Value* arguments = params.find("arguments");
  for (const auto& [argument, name] : mirrored_arguments(tool->text)) {
    const Value* value =
        arguments != nullptr && arguments->is_object() ? arguments->find(argument) : nullptr;
    const auto given = header(name);
    if (value == nullptr || value->is_null()) {
      if (!given && faults.has("param-header-demanded-for-null")) return name + " is missing";
    }
    const bool mirrored =
        value != nullptr && (value->is_string() || value->is_boolean() || value->is_number());
    if (!mirrored) {
      if (given && (value == nullptr || value->is_null())) return name + " mirrors nothing";
      continue;
    }
    if (!given && faults.has("param-header-not-demanded")) continue;
    if (!given) return name + " is missing";
    if (faults.has("param-header-unchecked")) continue;
    const auto text = plain(*given, faults);
    if (!text) return name + " is malformed";
    if (!same_argument(*value, *text, faults)) return name + " differs from the argument";
  }
  if (header("Mcp-Param-Unheard-Of") && faults.has("param-header-unknown-refused"))
    return "Mcp-Param-Unheard-Of mirrors nothing";
  return std::nullopt;
}

}  // namespace

bool is_local_origin(std::string_view origin) {
  const std::string text = ascii::lower(origin);
  std::string_view rest = text;
  if (rest.substr(0, 7) == "http://")
    rest.remove_prefix(7);
  else if (rest.substr(0, 8) == "https://")
    rest.remove_prefix(8);
  else
    return false;
  for (const std::string_view host : {"localhost", "127.0.0.1", "[::1]"}) {
    if (rest.substr(0, host.size()) != host) continue;
    std::string_view port = rest.substr(host.size());
    if (port.empty()) return true;
    if (port.front() != ':' || port.size() > 6) return false;
    port.remove_prefix(1);
    return std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  return false;
}

bool is_local_host(std::string_view host) { return is_local_origin("http://" + std::string(host)); }

bool accepts(const std::optional<std::string>& accept, std::string_view media_type) {
  if (!accept) return true;
  const std::string text = ascii::lower(*accept);
  std::string_view list = text;
  const std::string group = std::string(media_type.substr(0, media_type.find('/'))) + "/*";
  while (!list.empty()) {
    std::string_view entry = next_part(list, ',');
    const std::string_view kind = next_part(entry, ';');
    bool excluded = false;
    while (!entry.empty()) {
      const std::string_view field = next_part(entry, ';');
      excluded = excluded || (field.substr(0, 3) == "q=0" &&
                              field.substr(3).find_first_not_of(".0") == std::string_view::npos);
    }
    if (!excluded && (kind == media_type || kind == group || kind == "*/*")) return true;
  }
  return false;
}

std::optional<std::string> decoded_header(std::string_view value) {
  constexpr std::string_view kOpen = "=?base64?";
  if (value.size() < kOpen.size() + 2 || value.substr(0, kOpen.size()) != kOpen ||
      value.substr(value.size() - 2) != "?=")
    return std::string(value);
  return from_base64(value.substr(kOpen.size(), value.size() - kOpen.size() - 2));
}

std::optional<std::string> mirror_problem(const Value& message, const HeaderLookup& header,
                                          const Faults& faults) {
  const Value* method = string_at(&message, "method");
  const Value* params = message.find("params");
  const Value* meta = params != nullptr && params->is_object() ? params->find("_meta") : nullptr;
  const auto version = header("MCP-Protocol-Version");
  if (!version && !faults.has("version-header-not-demanded"))
    return "MCP-Protocol-Version is missing";
  const auto named_method = header("Mcp-Method");
  if (!named_method && !faults.has("method-header-not-demanded")) return "Mcp-Method is missing";
  if (named_method && *named_method != method->text && !faults.has("method-header-unchecked") &&
      !(ascii::lower(*named_method) == ascii::lower(method->text) &&
        faults.has("method-header-any-case")))
    return "Mcp-Method differs from the method";
  const Value* declared = string_at(meta, std::string(kMeta) + "protocolVersion");
  if (declared != nullptr && version && declared->text != *version &&
      !faults.has("version-header-unchecked"))
    return "MCP-Protocol-Version differs from _meta";
  const char* source = method->text == "tools/call" || method->text == "prompts/get" ? "name"
                       : method->text == "resources/read"                            ? "uri"
                       : (method->text == "tasks/get" || method->text == "tasks/update" ||
                          method->text == "tasks/cancel") &&
                               !faults.has("task-ext-header-unchecked")
                           ? "taskId"
                           : nullptr;
  const auto given = header("Mcp-Name");
  if (source == nullptr) {
    if (!given && faults.has("name-header-demanded-everywhere")) return "Mcp-Name is missing";
    return std::nullopt;
  }
  const Value* name = string_at(params, source);
  if (name != nullptr && !given && !faults.has("name-header-not-demanded"))
    return "Mcp-Name is missing";
  const bool of_tool = method->text == "tools/call";
  if (!of_tool && faults.has("name-header-checked-for-tools-alone")) name = nullptr;
  if (name != nullptr && given && !faults.has("name-header-unchecked")) {
    const auto text = plain(*given, faults);
    const bool let_pass = !text && faults.has("header-bad-base64-ignored");
    if (!text && !let_pass) return "Mcp-Name is not valid Base64";
    if (text && *text != name->text) return std::string("Mcp-Name differs from ") + source;
  }
  if (method->text == "tools/call" && params != nullptr)
    return argument_problem(*params, header, faults);
  return std::nullopt;
}

int status_of(const Outgoing& reply, bool stateless) {
  if (reply.refused) return 400;
  if (!stateless || !reply.code) return 200;
  if (*reply.code == kMethodNotFound) return 404;
  const bool named = *reply.code == kHeaderMismatch || *reply.code == kMissingCapability ||
                     *reply.code == kUnsupportedVersion;
  return named ? 400 : 200;
}

}  // namespace harness::reference
