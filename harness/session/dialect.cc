// SPDX-License-Identifier: Apache-2.0
#include "harness/session/dialect.h"

#include <algorithm>
#include <utility>

#include "harness/base/base64.h"
#include "harness/json/read.h"
#include "harness/spec/protocol.h"
#include "harness/spec/sample.h"

namespace harness::session {
namespace {

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

const json::Value* string_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::at(value, pointer);
  return found && found->is_string() ? found : nullptr;
}

// Header values carry visible ASCII only; anything else goes into the Base64 form.
bool plain_header_value(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  for (unsigned char c : text)
    if (c < 0x20 || c > 0x7e) return false;
  return !text.starts_with("=?");
}

std::string header_value(const std::string& text) {
  return plain_header_value(text) ? text : "=?base64?" + to_base64(text) + "?=";
}

// A tool names the headers that mirror its arguments in its inputSchema, at any depth that
// `properties` lead to.
void mirror_arguments(const json::Value& schema, const json::Value& arguments,
                      std::vector<wire::Header>& headers) {
  const json::Value* properties = schema.is_object() ? schema.find("properties") : nullptr;
  if (!properties || !arguments.is_object()) return;
  for (const json::Member& property : properties->members) {
    const json::Value* argument = arguments.find(property.name);
    if (!argument) continue;
    mirror_arguments(property.value, *argument, headers);
    const json::Value* name = string_at(property.value, "/x-mcp-header");
    if (!name) continue;
    if (argument->is_string())
      headers.push_back({"Mcp-Param-" + name->text, header_value(argument->text)});
    else if (argument->is_number())
      headers.push_back({"Mcp-Param-" + name->text, argument->text});
    else if (argument->is_boolean())
      headers.push_back({"Mcp-Param-" + name->text, argument->boolean ? "true" : "false"});
  }
}

void mirror_call(const json::Value& body, const json::Value& tools,
                 std::vector<wire::Header>& headers) {
  const json::Value* called = string_at(body, "/params/name");
  const json::Value* arguments = json::at(body, "/params/arguments");
  if (!called || !arguments || !tools.is_array()) return;
  for (const json::Value& tool : tools.items) {
    const json::Value* name = string_at(tool, "/name");
    const json::Value* schema = json::at(tool, "/inputSchema");
    if (name && schema && name->text == called->text)
      return mirror_arguments(*schema, *arguments, headers);
  }
}

// No revision has capabilities nested deeper.
constexpr int kDeepestCapability = 4;

void add_members(json::Value& to, const json::Value& from, int depth) {
  for (const json::Member& member : from.members) {
    json::Value* known = to.find(member.name);
    if (!known)
      to.set(member.name, member.value);
    else if (known->is_object() && member.value.is_object() && depth < kDeepestCapability)
      add_members(*known, member.value, depth + 1);
  }
}

// All that a client can declare, in any revision.
json::Value all_capabilities() {
  json::Value all = json::object();
  const spec::TypeRow* type = spec::protocol().find_type("ClientCapabilities");
  check(type != nullptr, "the protocol has no ClientCapabilities");
  for (const spec::Profile& profile : spec::profiles())
    add_members(all, spec::sample(*type, profile, {true, 0}), 0);
  return all;
}

// A language server may wait for an answer whatever was declared, so it gets one; where it asks for
// settings, none of each.
json::Value answer_of_editor(const spec::MessageRow& row, const json::Value& request) {
  const json::Value* items = json::at(request, "/params/items");
  if (!row.answer.is_array() || !items || !items->is_array()) return row.answer;
  json::Value settings = json::array();
  settings.items.assign(items->items.size(), json::null());
  return settings;
}

}  // namespace

json::Value with_meta(const spec::Profile& profile, json::Value params, const json::Value& extra,
                      const json::Value& client_capabilities) {
  json::Value meta = spec::required_meta(profile);
  if (meta.members.empty() && (!extra.is_object() || extra.members.empty())) return params;
  if (!meta.members.empty() && client_capabilities.is_object())
    meta.set(kCapabilitiesKey, client_capabilities);
  if (params.is_null()) params = json::object();
  if (!params.is_object()) return params;
  if (const json::Value* own = params.find("_meta"); own && own->is_object())
    for (const json::Member& member : own->members) meta.set(member.name, member.value);
  if (extra.is_object()) {
    for (const json::Member& member : extra.members) {
      if (!member.value.is_null()) {
        meta.set(member.name, member.value);
        continue;
      }
      std::erase_if(meta.members, [&](const json::Member& m) { return m.name == member.name; });
    }
  }
  params.set("_meta", std::move(meta));
  return params;
}

json::Value message(const json::Value* id, std::string_view method, const json::Value& params) {
  json::Value out = json::object({{"jsonrpc", json::string("2.0")}});
  if (id) out.set("id", *id);
  out.set("method", json::string(method));
  if (!params.is_null()) out.set("params", params);
  return out;
}

json::Value initialize_params(std::string_view version, const json::Value& capabilities) {
  return json::object({{"protocolVersion", json::string(version)},
                       {"capabilities", capabilities.is_object() ? capabilities : json::object()},
                       {"clientInfo", json::object({{"name", json::string("rpcspec")},
                                                    {"version", json::string(RPCSPEC_VERSION)}})}});
}

// No process to watch and no folder open, so that any server has what it needs.
json::Value initialize_params(const spec::Profile& profile, const json::Value& capabilities) {
  json::Value params = initialize_params(profile.revision, capabilities);
  if (profile.acp)
    return json::object({{"protocolVersion", json::number(1)},
                         {"clientCapabilities", *params.find("capabilities")},
                         {"clientInfo", *params.find("clientInfo")}});
  if (!profile.lsp) return params;
  return json::object({{"processId", json::null()},
                       {"clientInfo", *params.find("clientInfo")},
                       {"rootUri", json::null()},
                       {"capabilities", *params.find("capabilities")}});
}

json::Value initialized_message(const spec::Profile& profile) {
  if (profile.acp) return json::null();
  return message(nullptr, spec::initialized_method(profile),
                 profile.lsp ? json::object() : json::null());
}

void declare(json::Value& declared, const json::Value& initialize) {
  if (!declared.is_object()) declared = json::object();
  const json::Value* params = initialize.find("params");
  const json::Value* told = params ? spec::declared_in(*params) : nullptr;
  if (told && told->is_object()) add_members(declared, *told, 0);
}

void declare_leniently(json::Value& declared, const json::Value& usual, std::string_view text) {
  if (text.find("initialize") == std::string_view::npos) return;
  if (declared.is_null()) declared = usual;
  if (!declared.is_object()) return;  // it is not known what was
  static const json::Value kAll = all_capabilities();
  for (const json::Member& capability : kAll.members) {
    if (text.find(capability.name) == std::string_view::npos) continue;
    add_members(declared, json::object({{capability.name, capability.value}}), 0);
  }
}

std::vector<wire::Header> request_headers(const spec::Profile& profile, const json::Value& body,
                                          const json::Value& tools) {
  std::vector<wire::Header> headers;
  if (profile.era != spec::Era::kStateless) return headers;
  std::string version = profile.revision;
  std::string method;
  if (body.is_object()) {
    if (const json::Value* params = body.find("params"); params && params->is_object())
      if (const json::Value* meta = params->find("_meta"); meta && meta->is_object())
        if (const json::Value* named = meta->find(kVersionKey); named && named->is_string())
          version = named->text;
    if (const json::Value* named = string_at(body, "/method")) method = named->text;
  }
  if (method.empty()) method = spec::canary_of(profile).method;
  // No encoding is defined for it; but a line break would end the header.
  const bool breaks = std::any_of(version.begin(), version.end(),
                                  [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  headers.push_back({"MCP-Protocol-Version", breaks ? header_value(version) : version});
  headers.push_back({"Mcp-Method", header_value(method)});
  const spec::MessageRow* row = profile.protocol().find(method, profile);
  for (const auto& [header, param] : row ? row->headers : spec::Headers{}) {
    if (!body.is_object()) break;
    if (const json::Value* mirrored = string_at(body, "/params/" + param))
      headers.push_back({header, header_value(mirrored->text)});
  }
  if (method == "tools/call") mirror_call(body, tools, headers);
  return headers;
}

json::Value default_answer(const json::Value& request, const json::Value& client_capabilities) {
  const json::Value* id = request.find("id");
  const json::Value* method = request.find("method");
  json::Value answer =
      json::object({{"jsonrpc", json::string("2.0")}, {"id", id ? *id : json::null()}});
  const spec::MessageRow* row =
      method && method->is_string() ? spec::protocol().find(method->text) : nullptr;
  const auto declared = [&](const spec::Named& one) {
    return spec::is_declared(one.text, &client_capabilities);
  };
  const bool asks = row && row->from_server();
  if (asks && !row->notification && row->reach.dialect == spec::Reach::Dialect::kLsp) {
    answer.set("result", answer_of_editor(*row, request));
  } else if (asks && row->answer.is_object() &&
             std::all_of(row->capability.begin(), row->capability.end(), declared)) {
    answer.set("result", row->answer);
  } else {
    answer.set("error", json::object({{"code", json::number(-32601)},
                                      {"message", json::string("Method not found")}}));
  }
  return answer;
}

}  // namespace harness::session
