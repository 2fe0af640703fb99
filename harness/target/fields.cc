// SPDX-License-Identifier: Apache-2.0
#include "harness/target/fields.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/target/interpolation.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

using wire::TransportKind;

constexpr const char* kAddresses =
    "write http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT or unix:/PATH";
constexpr const char* kTransports = "write stdio, http, sse, websocket, tcp or unix";

constexpr TypeRow kTypes[] = {
    {"stdio", TransportKind::kStdio, ""},
    {"http", TransportKind::kHttp, "http://HOST:PORT/PATH"},
    {"streamable-http", TransportKind::kHttp, "http://HOST:PORT/PATH"},
    {"http+sse", TransportKind::kHttpSse, "http://HOST:PORT/sse"},
    {"sse", TransportKind::kHttpSse, "http://HOST:PORT/sse"},
    {"websocket", TransportKind::kWebSocket, "ws://HOST:PORT/PATH"},
    {"tcp", TransportKind::kTcp, "tcp://HOST:PORT"},
    {"unix", TransportKind::kUnix, "unix:/PATH"},
};

// Text, and numbers or flags as they are spelled: `PORT: 8080` is what people write.
std::optional<std::string> as_text(const json::Value& value) {
  if (value.is_string() || value.is_number()) return value.text;
  if (value.is_boolean()) return std::string(value.boolean ? "true" : "false");
  return std::nullopt;
}

}  // namespace

std::optional<Error> unknown_key(const Source& source, const json::Value& mapping,
                                 const std::string& what, const Keys& known) {
  for (const auto& member : mapping.members) {
    if (std::find(known.begin(), known.end(), member.name) != known.end()) continue;
    const std::string near = nearest(member.name, known);
    std::string all;
    for (const auto& key : known) all += (all.empty() ? "" : ", ") + key;
    return source.error(member.mark, "unknown key '" + member.name + "' in " + what,
                        near.empty() ? "known are " + all : "did you mean '" + near + "'?");
  }
  return std::nullopt;
}

std::optional<Error> wrong_kind(const Source& source, const json::Value* value,
                                const std::string& name, json::Kind kind, const char* wanted) {
  if (value == nullptr || value->kind == kind) return std::nullopt;
  return source.error(value->mark, "'" + name + "' must be " + wanted);
}

std::optional<Error> pick(const Source& source, const json::Value& mapping, const std::string& what,
                          const std::string& name, std::string& picked, const json::Value*& entry) {
  Keys names;
  for (const auto& member : mapping.members) names.push_back(member.name);
  std::string all;
  for (const auto& one : names) all += (all.empty() ? "" : ", ") + one;
  if (names.empty()) return source.error(mapping.mark, "the file lists no " + what + "s");
  if (name.empty() && names.size() > 1) {
    return source.error(mapping.mark, "the file lists several " + what + "s: " + all,
                        "name one: " + source.file + "#" + names.front());
  }
  picked = name.empty() ? names.front() : name;
  entry = mapping.find(picked);
  if (entry == nullptr) {
    const std::string near = nearest(name, names);
    return source.error(mapping.mark, "the file lists no " + what + " '" + name + "'",
                        near.empty() ? "it has " + all : "did you mean '" + near + "'?");
  }
  return wrong_kind(source, entry, picked, json::Kind::kObject, "a mapping");
}

std::optional<Error> has_nul(const Source& source, const json::Mark& mark, const std::string& what,
                             const std::string& text) {
  if (text.find('\0') == std::string::npos) return std::nullopt;
  return source.error(mark, what + " has a NUL, which cannot be passed to a process",
                      "leave it out");
}

Result<std::string> from_environment(const Source& source, const json::Mark& mark,
                                     const std::string& text) {
  Result<std::string> filled = interpolated(text, environment_variable);
  if (!filled) return source.error(mark, filled.error().what, filled.error().remedy);
  return filled;
}

std::optional<Error> read_variables(const Source& source, const json::Value* mapping,
                                    const char* what, Fill fill, Variables Target::*into,
                                    Target& out) {
  if (auto error =
          wrong_kind(source, mapping, what, json::Kind::kObject, "a mapping of names to values"))
    return error;
  if (mapping == nullptr) return std::nullopt;
  const bool environment = into == &Target::env;
  for (const auto& [name, value, mark] : mapping->members) {
    if (environment && (name.empty() || name.find_first_of(std::string("=\0", 2)) != name.npos))
      return source.error(mark, "'" + name + "' is not a variable name", "write NAME: value");
    if (auto secret = read_secret(name, value, source.file, out)) {
      if (!*secret) return secret->error();
      if (auto error = has_nul(source, value.mark, "the value of " + name, **secret)) return error;
      (out.*into).emplace_back(name, std::move(**secret));
      continue;
    }
    const auto text = as_text(value);
    if (!text) return source.error(value.mark, "the value of " + name + " must be text");
    auto filled = fill(source, value.mark, *text);
    if (!filled) return filled.error();
    if (environment) {
      if (auto error = has_nul(source, value.mark, "the value of " + name, *filled)) return error;
      note_environment(name, *filled, out);
    } else if (*filled != *text) {
      out.secrets.add(name, inserted_text(*text, *filled));
    }
    (out.*into).emplace_back(name, std::move(*filled));
  }
  return std::nullopt;
}

std::optional<Error> two_commands(const Source& source, const json::Value& command,
                                  const Target& out) {
  if (out.command.empty()) return std::nullopt;
  return source.error(command.mark, "both the description and the command line name a command",
                      "leave one of them out");
}

void resolve_program(const Source& source, std::vector<std::string>& command) {
  auto& program = command.front();
  if (program.find('/') == std::string::npos || fs::path(program).is_absolute()) return;
  program = (source.folder() / program).lexically_normal().string();
}

std::optional<Error> read_words(const Source& source, const json::Value& list,
                                const std::string& name, std::vector<std::string>& out) {
  for (const auto& item : list.items) {
    const auto text = as_text(item);
    if (!text) return source.error(item.mark, "'" + name + "' must hold text only");
    if (auto error = has_nul(source, item.mark, "'" + name + "'", *text)) return error;
    out.push_back(*text);
  }
  return std::nullopt;
}

std::optional<Error> read_url(const Source& source, const json::Value* url, Target& out) {
  if (url == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, url, "url", json::Kind::kString, "a string")) return error;
  out.url = url->text;
  if (out.transport() == TransportKind::kUnknown) {
    return source.error(url->mark, "'" + url->text + "' is not an address rpcspec can reach",
                        kAddresses);
  }
  return std::nullopt;
}

std::optional<Error> read_cwd(const Source& source, const json::Value* cwd, Target& out) {
  if (auto error = wrong_kind(source, cwd, "cwd", json::Kind::kString, "a folder")) return error;
  if (cwd == nullptr) return std::nullopt;
  if (auto error = has_nul(source, cwd->mark, "'cwd'", cwd->text)) return error;
  const fs::path path = cwd->text;
  out.cwd = (path.is_absolute() ? path : source.folder() / path).lexically_normal().string();
  return std::nullopt;
}

const TypeRow* find_type(const json::Value& type) {
  if (!type.is_string()) return nullptr;
  const auto* row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeRow& one) { return one.word == type.text; });
  return row == std::end(kTypes) ? nullptr : row;
}

std::optional<Error> read_type(const Source& source, const json::Value* type, Target& out) {
  if (type == nullptr) return std::nullopt;
  const TypeRow* row = find_type(*type);
  if (row == nullptr)
    return source.error(type->mark, "transport '" + type->text + "' is not supported", kTransports);
  if (row->kind == TransportKind::kHttpSse && out.transport() == TransportKind::kHttp)
    out.sse = true;
  if (row->kind == out.transport()) return std::nullopt;
  const std::string wanted = wire::transport_name(row->kind);
  const std::string found = out.transport_name();
  if (row->kind == TransportKind::kStdio) {
    return source.error(type->mark, "transport stdio takes no url",
                        "remove 'url', or write type: " + found);
  }
  const std::string shape = row->shape;
  if (out.stdio()) {
    return source.error(type->mark, "transport " + wanted + " needs an address",
                        "add url: " + shape);
  }
  return source.error(type->mark, "transport " + wanted + " does not go with '" + out.url + "'",
                      "write url: " + shape + ", or type: " + found);
}

}  // namespace harness::target
