// SPDX-License-Identifier: Apache-2.0
// Two kinds of files become a Target: our own YAML description (README.md has the table of fields)
// and the JSON in which MCP clients list their servers. Both are read as YAML, of which JSON is a
// part, so that every complaint has a line and a column.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/target/target.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAddresses =
    "write http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT or unix:/PATH";
constexpr const char* kTransports = "write stdio, http, websocket, tcp or unix";
constexpr std::size_t kMostBuffer = 16u << 20;

// The file being read: where complaints point, and where relative paths start.
struct Source {
  std::string file;

  Error error(const json::Mark& mark, std::string what, std::string remedy = {}) const {
    const bool known = mark.line > 0;
    return {known ? json::place(file, mark) : file, std::move(what), std::move(remedy)};
  }
  fs::path folder() const { return fs::absolute(fs::path(file)).parent_path(); }
};

using Keys = std::vector<std::string>;

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

// Text, and numbers or flags as they are spelled: `PORT: 8080` is what people write.
std::optional<std::string> as_text(const json::Value& value) {
  if (value.is_string() || value.is_number()) return value.text;
  if (value.is_boolean()) return std::string(value.boolean ? "true" : "false");
  return std::nullopt;
}

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// $NAME, ${NAME} and ${NAME:-otherwise} from our environment; $$ is a dollar sign.
Result<std::string> from_environment(const Source& source, const json::Mark& mark,
                                     const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    if (text[i + 1] == '$') {
      out += '$';
      i += 2;
      continue;
    }
    const bool braced = text[i + 1] == '{';
    const std::size_t begin = i + (braced ? 2 : 1);
    std::size_t end = begin;
    while (end < text.size() && is_name_part(text[end])) ++end;
    const std::string name = text.substr(begin, end - begin);
    std::optional<std::string> otherwise;
    if (braced) {
      const auto close = text.find('}', end);
      if (close == std::string::npos || name.empty()) {
        return source.error(mark, "'" + text + "' is not a reference to the environment",
                            "write $NAME or ${NAME}; $$ is a dollar sign");
      }
      if (text.compare(end, 2, ":-") == 0) otherwise = text.substr(end + 2, close - end - 2);
      end = close + 1;
    } else if (name.empty()) {
      out += text[i++];
      continue;
    }
    const char* value = std::getenv(name.c_str());
    if (value == nullptr && !otherwise) {
      return source.error(mark, "the environment variable " + name + " is not set",
                          "set it, or write the value here; $$ is a dollar sign");
    }
    out += value != nullptr ? value : *otherwise;
    i = end;
  }
  return out;
}

std::optional<Error> read_env(const Source& source, const json::Value* env, Target& out) {
  if (env == nullptr) return std::nullopt;
  if (auto error =
          wrong_kind(source, env, "env", json::Kind::kObject, "a mapping of names to values")) {
    return error;
  }
  for (const auto& [name, value, mark] : env->members) {
    if (auto secret = read_secret(name, value, source.file, out)) {
      if (!*secret) return secret->error();
      out.env.emplace_back(name, std::move(**secret));
      continue;
    }
    const auto text = as_text(value);
    if (!text) return source.error(value.mark, "the value of " + name + " must be text");
    auto filled = from_environment(source, value.mark, *text);
    if (!filled) return filled.error();
    note_environment(name, *filled, out);
    out.env.emplace_back(name, std::move(*filled));
  }
  return std::nullopt;
}

// A program named with a slash is looked for beside the description, not where we happen to run.
void resolve_program(const Source& source, Target& out) {
  auto& program = out.command.front();
  if (program.find('/') == std::string::npos || fs::path(program).is_absolute()) return;
  program = (source.folder() / program).lexically_normal().string();
}

std::optional<Error> read_words(const Source& source, const json::Value& list,
                                const std::string& name, std::vector<std::string>& out) {
  for (const auto& item : list.items) {
    const auto text = as_text(item);
    if (!text) return source.error(item.mark, "'" + name + "' must hold text only");
    out.push_back(*text);
  }
  return std::nullopt;
}

std::optional<Error> read_url(const Source& source, const json::Value* url, Target& out) {
  if (url == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, url, "url", json::Kind::kString, "a string")) return error;
  out.url = url->text;
  if (*out.transport() == '\0') {
    return source.error(url->mark, "'" + url->text + "' is not an address rpcspec can reach",
                        kAddresses);
  }
  return std::nullopt;
}

std::optional<Error> read_cwd(const Source& source, const json::Value* cwd, Target& out) {
  if (auto error = wrong_kind(source, cwd, "cwd", json::Kind::kString, "a folder")) return error;
  if (cwd == nullptr) return std::nullopt;
  const fs::path path = cwd->text;
  out.cwd = (path.is_absolute() ? path : source.folder() / path).lexically_normal().string();
  return std::nullopt;
}

// ---- our own description

std::optional<Error> read_command(const Source& source, const json::Value* command, Target& out) {
  if (command == nullptr) return std::nullopt;
  if (!command->is_array() || command->items.empty()) {
    return source.error(command->mark, "'command' must be a list: the program and its arguments",
                        "write command: [./my-server, --stdio]");
  }
  if (auto error = read_words(source, *command, "command", out.command)) return error;
  resolve_program(source, out);
  return std::nullopt;
}

std::optional<Error> read_framing(const Source& source, const json::Value* framing, Target& out) {
  if (framing == nullptr) return std::nullopt;
  const auto kind = framing_named(framing->text);
  if (!framing->is_string() || !kind) {
    return source.error(framing->mark, "framing '" + framing->text + "' is not supported",
                        "write line or content-length");
  }
  if (!out.is_stream()) {
    return source.error(framing->mark, "'framing' does not go with " + std::string(out.transport()),
                        "leave it out: messages need none there");
  }
  out.framing = *kind;
  return std::nullopt;
}

std::optional<Error> read_buffer_size(const Source& source, const json::Value* size, Target& out) {
  if (size == nullptr) return std::nullopt;
  const auto bytes = json::as_integer(*size);
  if (!size->is_number() || !bytes || *bytes < 1 ||
      *bytes > static_cast<std::int64_t>(kMostBuffer)) {
    return source.error(size->mark, "'bufferSize' is '" + size->text + "'",
                        "write a number of bytes from 1 to " + std::to_string(kMostBuffer));
  }
  if (!out.is_stream()) {
    return source.error(size->mark, "'bufferSize' does not go with " + std::string(out.transport()),
                        "leave it out");
  }
  out.buffer_size = static_cast<std::size_t>(*bytes);
  return std::nullopt;
}

std::optional<Error> read_type(const Source& source, const json::Value* type,
                               const Target& target) {
  if (type == nullptr) return std::nullopt;
  const std::string wanted = type->text == "streamable-http" ? "http" : type->text;
  static const Keys kKnown = {"stdio", "http", "websocket", "tcp", "unix"};
  if (!type->is_string() || std::find(kKnown.begin(), kKnown.end(), wanted) == kKnown.end()) {
    return source.error(type->mark, "transport '" + type->text + "' is not supported", kTransports);
  }
  const std::string found = target.transport();
  if (wanted == found) return std::nullopt;
  if (wanted == "stdio") {
    return source.error(type->mark, "transport stdio takes no url",
                        "remove 'url', or write type: " + found);
  }
  const std::string shape = wanted == "http"        ? "http://HOST:PORT/PATH"
                            : wanted == "websocket" ? "ws://HOST:PORT/PATH"
                            : wanted == "tcp"       ? "tcp://HOST:PORT"
                                                    : "unix:/PATH";
  if (target.stdio()) {
    return source.error(type->mark, "transport " + wanted + " needs an address",
                        "add url: " + shape);
  }
  return source.error(type->mark, "transport " + wanted + " does not go with '" + target.url + "'",
                      "write url: " + shape + ", or type: " + found);
}

std::optional<Error> read_subprotocol(const Source& source, const json::Value* name, Target& out) {
  if (name == nullptr) return std::nullopt;
  const bool token =
      name->is_string() && !name->text.empty() &&
      std::all_of(name->text.begin(), name->text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string::npos;
      });
  if (!token) {
    return source.error(name->mark, "'subprotocol' must be one word", "write subprotocol: mcp");
  }
  if (std::string_view(out.transport()) != "websocket") {
    return source.error(name->mark,
                        "'subprotocol' does not go with " + std::string(out.transport()),
                        "leave it out: only WebSocket has subprotocols");
  }
  out.subprotocol = name->text;
  return std::nullopt;
}

// The url comes first: what it says decides what may be said here.
std::optional<Error> read_transport(const Source& source, const json::Value* transport,
                                    Target& out) {
  if (transport == nullptr) return std::nullopt;
  if (!transport->is_object()) return read_type(source, transport, out);
  if (auto error = unknown_key(source, *transport, "'transport'",
                               {"type", "framing", "encoding", "bufferSize", "subprotocol"})) {
    return error;
  }
  if (auto error = read_type(source, transport->find("type"), out)) return error;
  const auto* encoding = transport->find("encoding");
  if (encoding != nullptr && encoding->text != "utf-8") {
    return source.error(encoding->mark, "encoding '" + encoding->text + "' is not supported",
                        "JSON between systems is utf-8");
  }
  if (auto error = read_subprotocol(source, transport->find("subprotocol"), out)) return error;
  if (auto error = read_framing(source, transport->find("framing"), out)) return error;
  return read_buffer_size(source, transport->find("bufferSize"), out);
}

std::optional<Error> read_allow(const Source& source, const json::Value* allow, Target& out) {
  if (allow == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, allow, "allow", json::Kind::kObject, "a mapping"))
    return error;
  if (auto error = unknown_key(source, *allow, "'allow'", {"call_tools", "tools"})) return error;
  if (const auto* which = allow->find("call_tools")) {
    if (which->text == "listed") {
      out.allow = Allow::kListed;
    } else if (which->text == "read-only") {
      out.allow = Allow::kReadOnly;
    } else if (which->text == "any") {
      out.allow = Allow::kAny;
    } else {
      return source.error(which->mark, "'call_tools' is '" + which->text + "'",
                          "write listed, read-only or any");
    }
  }
  const auto* tools = allow->find("tools");
  if (auto error = wrong_kind(source, tools, "tools", json::Kind::kArray, "a list of tool names")) {
    return error;
  }
  if (tools == nullptr) return std::nullopt;
  return read_words(source, *tools, "tools", out.listed_tools);
}

std::optional<Error> read_affordances(const Source& source, const json::Value* value, Target& out) {
  if (value == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, value, "affordances", json::Kind::kObject, "a mapping"))
    return error;
  for (const auto& member : value->members) {
    if (member.value.is_object()) continue;
    return source.error(member.value.mark, "affordance '" + member.name + "' must be a mapping",
                        "write tool.slow: {name: sleep, arguments: {seconds: 2}}");
  }
  out.affordances = *value;
  return std::nullopt;
}

// The url has been read: tls goes with some only.
std::optional<Error> read_tls(const Source& source, const json::Value* tls, Target& out) {
  if (tls == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, tls, "tls", json::Kind::kObject, "a mapping")) return error;
  if (auto error = unknown_key(source, *tls, "'tls'", {"ca", "cert", "key", "insecure"})) {
    return error;
  }
  if (!out.tls_wanted()) {
    return source.error(tls->mark, "'tls' goes with https:// and wss:// only",
                        "write such a url, or leave it out");
  }
  struct File {
    const char* name;
    std::string* file;
  };
  for (const File& one :
       {File{"ca", &out.tls.ca}, File{"cert", &out.tls.cert}, File{"key", &out.tls.key}}) {
    const json::Value* value = tls->find(one.name);
    if (value == nullptr) continue;
    if (auto error = wrong_kind(source, value, one.name, json::Kind::kString, "a file")) {
      return error;
    }
    const fs::path path = value->text;
    *one.file = (path.is_absolute() ? path : source.folder() / path).lexically_normal().string();
  }
  if (out.tls.cert.empty() != out.tls.key.empty()) {
    return source.error(tls->mark, "'cert' and 'key' of 'tls' go together", "name both");
  }
  const auto* insecure = tls->find("insecure");
  if (auto error =
          wrong_kind(source, insecure, "insecure", json::Kind::kBoolean, "true or false")) {
    return error;
  }
  out.tls.insecure = insecure != nullptr && insecure->boolean;
  return std::nullopt;
}

std::optional<Error> read_description(const Source& source, const json::Value& root, Target& out) {
  static const Keys kKeys = {"name",  "command",     "url",       "cwd", "env", "profile",
                             "allow", "affordances", "transport", "tls", "auth"};
  if (auto error = unknown_key(source, root, "the target description", kKeys)) return error;
  for (const char* name : {"name", "profile"}) {
    if (auto error = wrong_kind(source, root.find(name), name, json::Kind::kString, "a string"))
      return error;
  }
  if (const auto* name = root.find("name")) out.name = name->text;
  if (const auto* profile = root.find("profile")) out.profile = profile->text;
  if (auto error = read_command(source, root.find("command"), out)) return error;
  if (auto error = read_url(source, root.find("url"), out)) return error;
  if (auto error = read_tls(source, root.find("tls"), out)) return error;
  if (const auto* auth = root.find("auth")) {
    if (auto read = read_auth(*auth, source.file, out); !read) return read.error();
  }
  if (auto error = read_cwd(source, root.find("cwd"), out)) return error;
  if (auto error = read_env(source, root.find("env"), out)) return error;
  if (auto error = read_allow(source, root.find("allow"), out)) return error;
  if (auto error = read_affordances(source, root.find("affordances"), out)) return error;
  if (out.command.empty() && out.url.empty()) {
    return source.error(root.mark, "the description names neither a command nor a url",
                        "add command: [./my-server], or url: http://127.0.0.1:8080/mcp");
  }
  return read_transport(source, root.find("transport"), out);
}

// ---- the list of an MCP client

// Clients put much more into an entry than how to start the server, so unknown keys are let be.
std::optional<Error> read_client_entry(const Source& source, const json::Value& entry,
                                       Target& out) {
  const auto* type = entry.find("type");
  if (type != nullptr && type->text != "stdio" && type->text != "http" &&
      type->text != "streamable-http") {
    return source.error(type->mark, "transport '" + type->text + "' is not supported",
                        "write stdio or http");
  }
  const auto* command = entry.find("command");
  const auto* arguments = entry.find("args");
  if (auto error = wrong_kind(source, command, "command", json::Kind::kString, "a string"))
    return error;
  if (auto error = wrong_kind(source, arguments, "args", json::Kind::kArray, "a list"))
    return error;
  if (command != nullptr) {
    out.command.push_back(command->text);
    resolve_program(source, out);
    if (arguments != nullptr) {
      if (auto error = read_words(source, *arguments, "args", out.command)) return error;
    }
  }
  if (auto error = read_url(source, entry.find("url"), out)) return error;
  if (const auto* headers = entry.find("headers");
      headers != nullptr && !headers->members.empty()) {
    if (auto read = read_headers(*headers, source.file, out); !read) return read.error();
  }
  if (auto error = read_cwd(source, entry.find("cwd"), out)) return error;
  if (out.command.empty() && out.url.empty()) {
    return source.error(entry.mark, "server '" + out.name + "' has neither a command nor a url");
  }
  return read_env(source, entry.find("env"), out);
}

std::optional<Error> read_client_list(const Source& source, const json::Value& servers,
                                      const std::string& name, Target& out) {
  if (auto error = wrong_kind(source, &servers, "mcpServers", json::Kind::kObject,
                              "a mapping of names to servers")) {
    return error;
  }
  Keys names;
  for (const auto& member : servers.members) names.push_back(member.name);
  std::string all;
  for (const auto& one : names) all += (all.empty() ? "" : ", ") + one;
  if (names.empty()) return source.error(servers.mark, "the file lists no servers");
  if (name.empty() && names.size() > 1) {
    return source.error(servers.mark, "the file lists several servers: " + all,
                        "name one: " + source.file + "#" + names.front());
  }
  out.name = name.empty() ? names.front() : name;
  const auto* entry = servers.find(out.name);
  if (entry == nullptr) {
    const std::string near = nearest(name, names);
    return source.error(servers.mark, "the file lists no server '" + name + "'",
                        near.empty() ? "it has " + all : "did you mean '" + near + "'?");
  }
  if (auto error = wrong_kind(source, entry, out.name, json::Kind::kObject, "a mapping"))
    return error;
  return read_client_entry(source, *entry, out);
}

Result<json::Value> read_root(const Source& source) {
  std::ifstream stream(source.file, std::ios::binary);
  if (!stream) {
    return Error{source.file, "the target description cannot be opened", "check the path"};
  }
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  auto root = json::read_yaml(text, source.file);
  if (root) return root;
  // JSON that YAML cannot read (tabs, for one): then without lines and columns.
  auto reading = json::read(text);
  if (auto* sound = std::get_if<json::Reading>(&reading)) return std::move(sound->value);
  return root;
}

}  // namespace

Result<Target> load_target(const std::string& reference) {
  std::string file = reference;
  std::string name;
  std::error_code ignored;
  if (const auto hash = reference.rfind('#');
      hash != std::string::npos && !fs::exists(reference, ignored)) {
    file = reference.substr(0, hash);
    name = reference.substr(hash + 1);
  }
  const Source source{file};
  auto root = read_root(source);
  if (!root) return root.error();
  if (!root->is_object()) {
    return source.error(root->mark, "a target description is a mapping",
                        "write command: [./my-server]");
  }

  Target out;
  out.file = file;
  out.spec = "--target " + shell_quoted(reference);
  const auto* servers = root->find("mcpServers");
  if (servers == nullptr && root->find("command") == nullptr && root->find("url") == nullptr) {
    servers = root->find("servers");  // as some editors call it
  }
  std::optional<Error> error;
  if (servers != nullptr) {
    error = read_client_list(source, *servers, name, out);
  } else if (!name.empty()) {
    error =
        source.error(root->mark, "the file describes one target, so '#" + name + "' names nothing",
                     "leave '#" + name + "' out");
  } else {
    error = read_description(source, *root, out);
  }
  if (error) return *error;
  if (out.name.empty()) out.name = fs::path(file).stem().string();
  return out;
}

}  // namespace harness::target
