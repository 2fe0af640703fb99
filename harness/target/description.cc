// SPDX-License-Identifier: Apache-2.0
// Two kinds of files become a Target: our own YAML description, read here (README.md has the table
// of fields), and the JSON in which MCP clients list their servers (client_list.h). Both are read
// as YAML, of which JSON is a part, so that every complaint has a line and a column.
#include "harness/target/description.h"

#include <filesystem>
#include <optional>

#include "harness/base/ascii.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/target/client_list.h"
#include "harness/target/fields.h"
#include "harness/target/own_methods.h"
#include "harness/target/project_keys.h"
#include "harness/target/secret_command.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

using wire::TransportKind;

constexpr std::size_t kMostBuffer = 16u << 20;

// The url has been read: only some have headers.
std::optional<Error> read_headers(const Source& source, const json::Value* headers, Fill fill,
                                  Target& out) {
  if (headers == nullptr) return std::nullopt;
  if (auto error = read_variables(source, headers, "headers", fill, &Target::headers, out))
    return error;
  for (std::size_t i = 0; i < headers->members.size(); ++i) {
    const auto& [name, value] = out.headers[out.headers.size() - headers->members.size() + i];
    const json::Mark mark = headers->members[i].mark;
    if (!ascii::is_token(name))
      return source.error(mark, "'" + name + "' is not a header name", "write X-Name: value");
    if (value.find_first_of(std::string("\r\n\0", 3)) != std::string::npos) {
      return source.error(mark, "the value of the header " + name + " has a line break",
                          "write it on one line");
    }
  }
  if (wire::traits_of(out.transport()).headers) return std::nullopt;
  return source.error(headers->mark,
                      std::string("'headers' do not go with ") + out.transport_name(),
                      "leave them out: only http and WebSocket have headers");
}

std::optional<Error> read_command(const Source& source, const json::Value* command, Target& out) {
  if (command == nullptr) return std::nullopt;
  if (auto error = two_commands(source, *command, out)) return error;
  if (!command->is_array() || command->items.empty()) {
    return source.error(command->mark, "'command' must be a list: the program and its arguments",
                        "write command: [./my-server, --stdio]");
  }
  if (auto error = read_words(source, *command, "command", out.command)) return error;
  if (out.command.front().empty())
    return source.error(command->items.front().mark, "'command' is empty", "name the program");
  resolve_program(source, out.command);
  return std::nullopt;
}

// The command has been read.
std::optional<Error> read_restart(const Source& source, const json::Value* restart, Target& out) {
  if (restart == nullptr) return std::nullopt;
  if (!restart->is_string() || (restart->text != "never" && restart->text != "each-case")) {
    return source.error(restart->mark, "'restart' is '" + restart->text + "'",
                        "write never or each-case");
  }
  out.restart_each_case = restart->text == "each-case";
  if (!out.restart_each_case || !out.command.empty()) return std::nullopt;
  return source.error(restart->mark, "rpcspec can restart only what it started",
                      "add the command that starts the server, or write reset");
}

std::optional<Error> read_reset(const Source& source, const json::Value* reset, Target& out) {
  if (reset == nullptr) return std::nullopt;
  constexpr const char* kResetForms = "write reset: [./reset.sh], or reset: {method: state/reset}";
  if (reset->is_array() && !reset->items.empty()) {
    if (auto error = read_words(source, *reset, "reset", out.reset.command)) return error;
    resolve_program(source, out.reset.command);
    return std::nullopt;
  }
  if (!reset->is_object())
    return source.error(reset->mark, "'reset' is neither a command nor a request", kResetForms);
  if (auto error = unknown_key(source, *reset, "'reset'", {"method", "params"})) return error;
  const auto* method = reset->find("method");
  const auto* params = reset->find("params");
  if (method == nullptr || !method->is_string() || method->text.empty())
    return source.error(reset->mark, "'reset' names no method", kResetForms);
  if (params != nullptr && !params->is_object() && !params->is_array())
    return source.error(params->mark, "'params' must be a mapping or a list", kResetForms);
  out.reset.method = method->text;
  if (params != nullptr) out.reset.params = *params;
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
    return source.error(framing->mark,
                        std::string("'framing' does not go with ") + out.transport_name(),
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
    return source.error(size->mark,
                        std::string("'bufferSize' does not go with ") + out.transport_name(),
                        "leave it out");
  }
  out.buffer_size = static_cast<std::size_t>(*bytes);
  return std::nullopt;
}

std::optional<Error> read_subprotocol(const Source& source, const json::Value* name, Target& out) {
  if (name == nullptr) return std::nullopt;
  if (!name->is_string() || !ascii::is_token(name->text))
    return source.error(name->mark, "'subprotocol' must be one word", "write subprotocol: mcp");
  if (!wire::traits_of(out.transport()).frames) {
    return source.error(name->mark,
                        std::string("'subprotocol' does not go with ") + out.transport_name(),
                        "leave it out: only WebSocket has subprotocols");
  }
  out.subprotocol = name->text;
  return std::nullopt;
}

// An address in parts, {type: http, host: …, port: …, path: …, secure: …}, as configuration files
// of the tutorials have it.
std::optional<Error> read_parts(const Source& source, const json::Value* transport, Target& out) {
  if (transport == nullptr || !transport->is_object()) return std::nullopt;
  const json::Value* first = nullptr;
  for (const char* name : {"host", "port", "path", "secure"})
    if (first == nullptr) first = transport->find(name);
  if (first == nullptr) return std::nullopt;
  const auto* type = transport->find("type");
  const TypeRow* row = type == nullptr ? nullptr : find_type(*type);
  const TransportKind kind = row == nullptr ? TransportKind::kUnknown : row->kind;
  if (!out.url.empty()) {
    return source.error(first->mark, "both 'url' and 'transport' give the address",
                        "leave out host, port, path and secure");
  }
  if (kind != TransportKind::kHttp && kind != TransportKind::kWebSocket) {
    return source.error(first->mark, "host, port, path and secure do not go with this transport",
                        "write type: http or type: websocket beside them, or a url");
  }
  const auto* host = transport->find("host");
  const auto* port = transport->find("port");
  const auto* path = transport->find("path");
  const auto* secure = transport->find("secure");
  if (auto error = wrong_kind(source, host, "host", json::Kind::kString, "a string")) return error;
  if (auto error = wrong_kind(source, path, "path", json::Kind::kString, "a string")) return error;
  if (auto error = wrong_kind(source, secure, "secure", json::Kind::kBoolean, "true or false"))
    return error;
  if (host != nullptr && host->text.empty())
    return source.error(host->mark, "'host' is empty", "write host: 127.0.0.1");
  if (path != nullptr && !path->text.starts_with("/"))
    return source.error(path->mark, "'path' is '" + path->text + "'", "begin it with a slash");
  std::string number;
  if (port != nullptr) {
    const auto value = port->is_number() ? json::as_integer(*port) : std::nullopt;
    if (!value || *value < 1 || *value > 65535) {
      return source.error(port->mark, "'port' is '" + port->text + "'",
                          "write a number from 1 to 65535");
    }
    number = ":" + std::to_string(*value);
  }
  const bool tls = secure != nullptr && secure->boolean;
  const bool bracket =
      host != nullptr && host->text.find(':') != std::string::npos && !host->text.starts_with("[");
  const std::string name = host == nullptr ? "127.0.0.1" : host->text;
  out.url = std::string(kind == TransportKind::kWebSocket ? "ws" : "http") + (tls ? "s" : "") +
            "://" + (bracket ? "[" + name + "]" : name) + number +
            (path == nullptr ? "/" : path->text);
  return std::nullopt;
}

// The url comes first: what it says decides what may be said here.
std::optional<Error> read_transport(const Source& source, const json::Value* transport,
                                    Target& out) {
  if (transport == nullptr) return std::nullopt;
  if (!transport->is_object()) return read_type(source, transport, out);
  if (auto error = unknown_key(source, *transport, "'transport'",
                               {"type", "framing", "encoding", "bufferSize", "subprotocol", "host",
                                "port", "path", "secure", "headers", "auth"}))
    return error;
  if (auto error = read_headers(source, transport->find("headers"), from_environment, out))
    return error;
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
  if (auto error = unknown_key(source, *allow, "'allow'", {"call_tools", "tools", "methods"}))
    return error;
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
  if (const auto* methods = allow->find("methods"); methods != nullptr && methods->is_string()) {
    out.call_methods.push_back(methods->text);
  } else if (methods != nullptr) {
    if (auto error = wrong_kind(source, methods, "methods", json::Kind::kArray,
                                "any, or a list of names and patterns"))
      return error;
    if (auto error = read_words(source, *methods, "methods", out.call_methods)) return error;
  }
  const auto* tools = allow->find("tools");
  if (auto error = wrong_kind(source, tools, "tools", json::Kind::kArray, "a list of tool names"))
    return error;
  if (tools == nullptr) return std::nullopt;
  return read_words(source, *tools, "tools", out.listed_tools);
}

// affordances.opening is the one that the engine itself reads.
std::optional<Error> check_opening(const Source& source, const json::Value& opening) {
  constexpr const char* kRight =
      "write opening: {messages: [{method: initialize, params: {…}}, {method: initialized, "
      "notification: true}]}";
  const auto* messages = opening.find("messages");
  if (messages == nullptr || !messages->is_array())
    return source.error(opening.mark, "affordance 'opening' has no list of messages", kRight);
  for (const auto& message : messages->items) {
    const auto* method = message.is_object() ? message.find("method") : nullptr;
    if (method == nullptr || !method->is_string())
      return source.error(message.mark, "a message of 'opening' needs a method", kRight);
  }
  return std::nullopt;
}

// What signs proofs of possession must be all of a private key.
std::optional<Error> check_bound_token(const Source& source, const json::Value& bound) {
  const json::Value* key = bound.find("key");
  bool sound = bound.find("token") != nullptr && key != nullptr && key->is_object();
  for (const char* name : {"kty", "crv", "x", "y", "d"})
    sound = sound && (key->find(name) != nullptr || key->find("secret") != nullptr);
  if (sound) return std::nullopt;
  return source.error(bound.mark, "affordance 'auth.dpop' needs a token and its private key",
                      "write auth.dpop: {token: {secret: $NAME}, key: {secret: $NAME}}; the key is "
                      "a JWK of the curve P-256");
}

// Which chain the server has: `chain: execution-apis`.
constexpr const char* kChain = "chain";

std::optional<Error> read_affordances(const Source& source, const json::Value* value, Target& out) {
  if (value == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, value, "affordances", json::Kind::kObject, "a mapping"))
    return error;
  for (const auto& member : value->members) {
    if (member.name == "auth.dpop" && member.value.is_object())
      if (auto error = check_bound_token(source, member.value)) return error;
    if (member.name == "opening" && member.value.is_object())
      if (auto error = check_opening(source, member.value)) return error;
    if (member.value.is_object() || (member.name == kChain && member.value.is_string())) continue;
    return source.error(member.value.mark, "affordance '" + member.name + "' must be a mapping",
                        "write tool.slow: {name: sleep, arguments: {seconds: 2}}");
  }
  out.affordances = *value;
  if (json::Value* chain = out.affordances.find(kChain); chain != nullptr && chain->is_string())
    *chain = json::object({{"name", *chain}});
  // A token of somebody else: {token: {secret: $NAME}}.
  for (json::Member& one : out.affordances.members) {
    for (json::Member& member : one.value.members) {
      if (!member.value.is_object() || member.value.members.size() != 1 ||
          member.value.find("secret") == nullptr)
        continue;
      auto secret = read_secret(member.name, member.value, source.file, out);
      if (!*secret) return secret->error();
      member.value = json::string(**secret);
    }
  }
  return std::nullopt;
}

std::optional<Error> read_methods(const Source& source, const json::Value* value, Target& out) {
  constexpr const char* kRight = "write methods: {add: [1, 2], divide: {a: 4, b: 2}, status: []}";
  if (value == nullptr) return std::nullopt;
  if (!value->is_object())
    return source.error(value->mark, "'methods' must be a mapping of names to params", kRight);
  for (const json::Member& one : value->members) {
    const json::Value& params = one.value;
    if (!params.is_array() && !params.is_object() && !params.is_null())
      return source.error(params.mark,
                          "the params of '" + one.name + "' must be a list or a mapping", kRight);
    name_method(out.affordances, one.name, params);
  }
  return std::nullopt;
}

// A file relative to the description, an address, `discover`, `none`, the method that gives the
// document, or the command that prints it.
std::optional<Error> read_openrpc(const Source& source, const json::Value* value, Target& out) {
  constexpr const char* kRight =
      "write openrpc: FILE, URL, discover, none, {method: getopenrpcinfo} or {command: [./server, "
      "--openrpc]}";
  constexpr std::size_t kMostText = std::size_t{16} << 20;
  if (value == nullptr) return std::nullopt;
  if (const json::Value* command = value->is_object() ? value->find("command") : nullptr) {
    std::vector<std::string> words;
    if (auto error = read_words(source, *command, "openrpc.command", words)) return error;
    if (words.empty() || value->members.size() != 1)
      return source.error(value->mark, "'openrpc' names no document", kRight);
    resolve_program(source, words);
    Result<std::string> text = printed_by(words, source.folder().string(), kSecretTime, kMostText);
    if (!text) return source.error(value->mark, text.error().what, text.error().remedy);
    out.openrpc = words.front();
    out.openrpc_text = std::move(*text);
    return std::nullopt;
  }
  const json::Value* method = value->is_object() ? value->find("method") : nullptr;
  if (method != nullptr && method->is_string() && value->members.size() == 1) {
    out.openrpc = "discover:" + method->text;
    return std::nullopt;
  }
  if (!value->is_string() || value->text.empty())
    return source.error(value->mark, "'openrpc' names no document", kRight);
  out.openrpc = value->text;
  const bool address = out.openrpc.find("://") != std::string::npos;
  if (address || out.openrpc == "none" || out.openrpc.starts_with("discover")) return std::nullopt;
  out.openrpc = (std::filesystem::path(source.file).parent_path() / value->text).string();
  Result<std::string> text = read_file(out.openrpc, kMostText);
  if (!text) return source.error(value->mark, text.error().text(), kRight);
  out.openrpc_text = std::move(*text);
  return std::nullopt;
}

// The url has been read: tls goes with some only.
std::optional<Error> read_tls(const Source& source, const json::Value* tls, Target& out) {
  if (tls == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, tls, "tls", json::Kind::kObject, "a mapping")) return error;
  if (auto error = unknown_key(source, *tls, "'tls'", {"ca", "cert", "key", "insecure"}))
    return error;
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
    if (auto error = wrong_kind(source, value, one.name, json::Kind::kString, "a file"))
      return error;
    const fs::path path = value->text;
    *one.file = (path.is_absolute() ? path : source.folder() / path).lexically_normal().string();
  }
  if (out.tls.cert.empty() != out.tls.key.empty())
    return source.error(tls->mark, "'cert' and 'key' of 'tls' go together", "name both");
  const auto* insecure = tls->find("insecure");
  if (auto error = wrong_kind(source, insecure, "insecure", json::Kind::kBoolean, "true or false"))
    return error;
  out.tls.insecure = insecure != nullptr && insecure->boolean;
  return std::nullopt;
}

std::optional<Error> read_description(const Source& source, const json::Value& root, Target& out,
                                      const Keys& besides = {}) {
  Keys known = {"name",  "command",     "url",       "cwd",     "env",     "profile",
                "allow", "affordances", "transport", "tls",     "headers", "restart",
                "reset", "logging",     "auth",      "methods", "openrpc", "examples"};
  known.insert(known.end(), besides.begin(), besides.end());
  if (auto error = unknown_key(source, root, "the target description", known)) return error;
  for (const char* name : {"name", "profile"})
    if (auto error = wrong_kind(source, root.find(name), name, json::Kind::kString, "a string"))
      return error;
  if (const auto* name = root.find("name")) out.name = name->text;
  if (const auto* profile = root.find("profile")) out.profile = profile->text;
  const auto* transport = root.find("transport");
  if (auto error = read_command(source, root.find("command"), out)) return error;
  if (out.url.empty()) {  // it was not said beside the file
    if (auto error = read_url(source, root.find("url"), out)) return error;
    if (auto error = read_parts(source, transport, out)) return error;
  }
  if (auto error = read_headers(source, root.find("headers"), from_environment, out)) return error;
  if (auto error = read_tls(source, root.find("tls"), out)) return error;
  const auto* auth = root.find("auth");
  if (auth == nullptr && transport != nullptr) auth = transport->find("auth");
  if (auth != nullptr) {
    if (auto read = read_auth(*auth, source.file, out); !read) return read.error();
  }
  if (auto error = read_cwd(source, root.find("cwd"), out)) return error;
  if (auto error =
          read_variables(source, root.find("env"), "env", from_environment, &Target::env, out))
    return error;
  if (auto error = read_restart(source, root.find("restart"), out)) return error;
  if (auto error = read_reset(source, root.find("reset"), out)) return error;
  if (auto error = read_allow(source, root.find("allow"), out)) return error;
  if (auto error = read_affordances(source, root.find("affordances"), out)) return error;
  if (auto error = read_methods(source, root.find("methods"), out)) return error;
  if (auto error = read_openrpc(source, root.find("openrpc"), out)) return error;
  if (const auto* examples = root.find("examples")) {
    if (examples->text != "exact")
      return source.error(examples->mark, "'examples' is something else than exact",
                          "write examples: exact, or leave it out");
    out.exact_examples = true;
  }
  if (out.command.empty() && out.url.empty()) {
    return source.error(root.mark, "the description names neither a command nor a url",
                        "add command: [./my-server], or url: http://127.0.0.1:8080/mcp, or name "
                        "the command after --");
  }
  return read_transport(source, transport, out);
}

Result<json::Value> read_root(const Source& source) {
  const Result<std::string> text = read_file(source.file);
  if (!text) return text.error();
  auto root = json::read_yaml(*text, source.file);
  if (root) return root;
  // JSON that YAML cannot read (tabs, for one): then without lines and columns.
  auto reading = json::read(*text);
  if (auto* sound = std::get_if<json::Reading>(&reading)) return std::move(sound->value);
  return root;
}

}  // namespace

Result<Target> load_target(const std::string& reference, std::vector<std::string> command) {
  return read_target(reference, {std::move(command), ""});
}

Result<Target> read_target(const std::string& reference, Beside beside) {
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
  out.command = std::move(beside.command);
  out.url = std::move(beside.url);
  out.spec = "--target " + shell_quoted(reference);
  const auto* servers = root->find("mcpServers");
  if (servers == nullptr && root->find("command") == nullptr && root->find("url") == nullptr)
    servers = root->find("servers");  // as some editors call it
  std::optional<Error> error;
  if (const auto* targets = root->find("targets")) {
    const json::Value* entry = nullptr;
    error = wrong_kind(source, targets, "targets", json::Kind::kObject,
                       "a mapping of names to target descriptions");
    if (!error) error = pick(source, *targets, "target", name, out.name, entry);
    if (!error) error = read_description(source, *entry, out, names_of(play_keys()));
    if (out.cwd.empty()) out.cwd = source.folder().string();
  } else if (servers != nullptr) {
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
