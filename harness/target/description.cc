// SPDX-License-Identifier: Apache-2.0
// Two kinds of files become a Target: our own YAML description (README.md has the table of fields)
// and the JSON in which MCP clients list their servers. Both are read as YAML, of which JSON is a
// part, so that every complaint has a line and a column.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/target/target.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAddresses =
    "write http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT or unix:/PATH";
constexpr const char* kTransports = "write stdio, http, sse, websocket, tcp or unix";
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
using wire::TransportKind;

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

using Variables = std::vector<std::pair<std::string, std::string>>;
using Filler = Result<std::string> (*)(const Source&, const json::Mark&, const std::string&);

// No process is given what stands behind a NUL.
std::optional<Error> has_nul(const Source& source, const json::Mark& mark, const std::string& what,
                             const std::string& text) {
  if (text.find('\0') == std::string::npos) return std::nullopt;
  return source.error(mark, what + " has a NUL, which no process can be given", "leave it out");
}

// What the environment put into a text.
std::string put_in(const std::string& written, const std::string& filled) {
  const std::size_t before = std::min(written.find('$'), written.size());
  std::size_t after = written.size() - std::min(written.size(), written.rfind('}') + 1);
  if (written.find('}') == std::string::npos || before + after > filled.size()) after = 0;
  return filled.substr(before, filled.size() - before - after);
}

// `env` and `headers`. What may be secret in them is kept out of everything rpcspec says.
std::optional<Error> read_variables(const Source& source, const json::Value* mapping,
                                    const char* what, Filler fill, Variables Target::*into,
                                    Target& out) {
  if (auto error =
          wrong_kind(source, mapping, what, json::Kind::kObject, "a mapping of names to values")) {
    return error;
  }
  if (mapping == nullptr) return std::nullopt;
  const bool environment = into == &Target::env;
  for (const auto& [name, value, mark] : mapping->members) {
    if (environment && (name.empty() || name.find_first_of(std::string("=\0", 2)) != name.npos))
      return source.error(mark, "'" + name + "' is no name of a variable", "write NAME: value");
    if (auto secret = environment ? read_secret(name, value, source.file, out) : std::nullopt) {
      if (!*secret) return secret->error();
      if (auto error = has_nul(source, value.mark, "the value of " + name, **secret)) return error;
      out.env.emplace_back(name, std::move(**secret));
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
      out.secrets.add(name, put_in(*text, *filled));
    }
    (out.*into).emplace_back(name, std::move(*filled));
  }
  return std::nullopt;
}

bool is_header_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string::npos;
  });
}

// The url has been read: only some have headers.
std::optional<Error> read_headers(const Source& source, const json::Value* headers, Filler fill,
                                  Target& out) {
  if (headers == nullptr) return std::nullopt;
  if (auto error = read_variables(source, headers, "headers", fill, &Target::headers, out))
    return error;
  for (std::size_t i = 0; i < headers->members.size(); ++i) {
    const auto& [name, value] = out.headers[out.headers.size() - headers->members.size() + i];
    const json::Mark mark = headers->members[i].mark;
    if (!is_header_name(name)) {
      return source.error(mark, "'" + name + "' is no name of a header", "write X-Name: value");
    }
    if (value.find_first_of(std::string("\r\n\0", 3)) != std::string::npos) {
      return source.error(mark, "the value of the header " + name + " has a line break",
                          "write it in one line");
    }
  }
  if (wire::traits_of(out.transport()).headers) return std::nullopt;
  return source.error(headers->mark,
                      std::string("'headers' do not go with ") + out.transport_name(),
                      "leave them out: only http and WebSocket have headers");
}

// A program named with a slash is looked for beside the description, not where we happen to run.
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

// ---- our own description

std::optional<Error> two_commands(const Source& source, const json::Value& command,
                                  const Target& out) {
  if (out.command.empty()) return std::nullopt;
  return source.error(command.mark, "the description names a command, and so does the command line",
                      "leave one of them out");
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
  return source.error(restart->mark, "what rpcspec did not start it cannot restart",
                      "add the command that starts the server, or write reset");
}

std::optional<Error> read_reset(const Source& source, const json::Value* reset, Target& out) {
  if (reset == nullptr) return std::nullopt;
  constexpr const char* kForms = "write reset: [./reset.sh], or reset: {method: state/reset}";
  if (reset->is_array() && !reset->items.empty()) {
    if (auto error = read_words(source, *reset, "reset", out.reset.command)) return error;
    resolve_program(source, out.reset.command);
    return std::nullopt;
  }
  if (!reset->is_object())
    return source.error(reset->mark, "'reset' is neither a command nor a request", kForms);
  if (auto error = unknown_key(source, *reset, "'reset'", {"method", "params"})) return error;
  const auto* method = reset->find("method");
  const auto* params = reset->find("params");
  if (method == nullptr || !method->is_string() || method->text.empty())
    return source.error(reset->mark, "'reset' names no method", kForms);
  if (params != nullptr && !params->is_object() && !params->is_array())
    return source.error(params->mark, "'params' must be a mapping or a list", kForms);
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

// What may stand as the type of a transport, and the address that goes with it. Framing is said
// beside it.
struct TypeRow {
  std::string_view word;
  TransportKind kind;
  const char* shape;
};
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

const TypeRow* find_type(const json::Value& type) {
  if (!type.is_string()) return nullptr;
  const auto* row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeRow& one) { return one.word == type.text; });
  return row == std::end(kTypes) ? nullptr : row;
}

std::optional<Error> read_type(const Source& source, const json::Value* type, Target& target) {
  if (type == nullptr) return std::nullopt;
  const TypeRow* row = find_type(*type);
  if (row == nullptr) {
    return source.error(type->mark, "transport '" + type->text + "' is not supported", kTransports);
  }
  if (row->kind == TransportKind::kHttpSse && target.transport() == TransportKind::kHttp)
    target.sse = true;
  if (row->kind == target.transport()) return std::nullopt;
  const std::string wanted = wire::transport_name(row->kind);
  const std::string found = target.transport_name();
  if (row->kind == TransportKind::kStdio) {
    return source.error(type->mark, "transport stdio takes no url",
                        "remove 'url', or write type: " + found);
  }
  const std::string shape = row->shape;
  if (target.stdio()) {
    return source.error(type->mark, "transport " + wanted + " needs an address",
                        "add url: " + shape);
  }
  return source.error(type->mark, "transport " + wanted + " does not go with '" + target.url + "'",
                      "write url: " + shape + ", or type: " + found);
}

std::optional<Error> read_subprotocol(const Source& source, const json::Value* name, Target& out) {
  if (name == nullptr) return std::nullopt;
  if (!name->is_string() || !is_header_name(name->text)) {
    return source.error(name->mark, "'subprotocol' must be one word", "write subprotocol: mcp");
  }
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
    return source.error(first->mark, "the address stands in 'url' and in 'transport'",
                        "leave host, port, path and secure out");
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
                                "port", "path", "secure", "headers", "auth"})) {
    return error;
  }
  if (auto error = read_headers(source, transport->find("headers"), from_environment, out)) {
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

std::optional<Error> read_affordances(const Source& source, const json::Value* value, Target& out) {
  if (value == nullptr) return std::nullopt;
  if (auto error = wrong_kind(source, value, "affordances", json::Kind::kObject, "a mapping"))
    return error;
  for (const auto& member : value->members) {
    if (member.name == "opening" && member.value.is_object())
      if (auto error = check_opening(source, member.value)) return error;
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
  static const Keys kKeys = {"name",    "command", "url",         "cwd",       "env",
                             "profile", "allow",   "affordances", "transport", "tls",
                             "headers", "restart", "reset",       "logging",   "auth"};
  if (auto error = unknown_key(source, root, "the target description", kKeys)) return error;
  for (const char* name : {"name", "profile"}) {
    if (auto error = wrong_kind(source, root.find(name), name, json::Kind::kString, "a string"))
      return error;
  }
  if (const auto* name = root.find("name")) out.name = name->text;
  if (const auto* profile = root.find("profile")) out.profile = profile->text;
  const auto* transport = root.find("transport");
  if (auto error = read_command(source, root.find("command"), out)) return error;
  if (auto error = read_url(source, root.find("url"), out)) return error;
  if (auto error = read_parts(source, transport, out)) return error;
  if (auto error = read_headers(source, root.find("headers"), from_environment, out)) return error;
  if (auto error = read_tls(source, root.find("tls"), out)) return error;
  const auto* auth = root.find("auth");
  if (auth == nullptr && transport != nullptr) auth = transport->find("auth");
  if (auth != nullptr) {
    if (auto read = read_auth(*auth, source.file, out); !read) return read.error();
  }
  if (auto error = read_cwd(source, root.find("cwd"), out)) return error;
  if (auto error =
          read_variables(source, root.find("env"), "env", from_environment, &Target::env, out)) {
    return error;
  }
  if (auto error = read_restart(source, root.find("restart"), out)) return error;
  if (auto error = read_reset(source, root.find("reset"), out)) return error;
  if (auto error = read_allow(source, root.find("allow"), out)) return error;
  if (auto error = read_affordances(source, root.find("affordances"), out)) return error;
  if (out.command.empty() && out.url.empty()) {
    return source.error(root.mark, "the description names neither a command nor a url",
                        "add command: [./my-server], or url: http://127.0.0.1:8080/mcp, or name "
                        "the command behind --");
  }
  return read_transport(source, transport, out);
}

// ---- the list of an MCP client

// ${NAME}, ${NAME:-otherwise}, ${env:NAME} and ${workspaceFolder}, as clients fill them in; a
// dollar sign without a brace is one.
Result<std::string> as_clients_do(const Source& source, const json::Mark& mark,
                                  const std::string& text) {
  std::string out;
  for (std::size_t at = 0;;) {
    const auto open = text.find("${", at);
    out += text.substr(at, open - at);
    if (open == std::string::npos) return out;
    const auto close = text.find('}', open);
    std::string inner = text.substr(open, close == std::string::npos ? close : close + 1 - open);
    if (inner.starts_with("${env:")) inner.erase(2, 4);
    if (inner == "${workspaceFolder}") {
      const fs::path folder = source.folder();
      out += (folder.filename() == ".vscode" ? folder.parent_path() : folder).string();
    } else if (inner.starts_with("${input:")) {
      return source.error(mark, "'" + inner + "' is asked for by the editor",
                          "write ${NAME}, and set that in the environment");
    } else {
      auto filled = from_environment(source, mark, inner);
      if (!filled) return filled.error();
      out += *filled;
    }
    at = close + 1;
  }
}

std::optional<Error> read_client_type(const Source& source, const json::Value* type, Target& out) {
  if (type == nullptr) return std::nullopt;
  const TypeRow* row = find_type(*type);
  const bool websocket = type->is_string() && type->text == "ws";
  const TransportKind wanted = websocket        ? TransportKind::kWebSocket
                               : row == nullptr ? TransportKind::kUnknown
                                                : row->kind;
  if (wanted == TransportKind::kHttpSse) return read_type(source, type, out);
  if (wanted != TransportKind::kStdio && wanted != TransportKind::kHttp &&
      wanted != TransportKind::kWebSocket) {
    return source.error(type->mark, "transport '" + type->text + "' is not supported",
                        "write stdio, http, streamable-http, sse or ws");
  }
  if (wanted == out.transport()) return std::nullopt;
  return source.error(type->mark,
                      "transport '" + type->text + "' does not go with " +
                          (out.stdio() ? "a command" : "'" + out.url + "'"),
                      "leave 'type' out: the entry says it without");
}

// Clients put much more into an entry than how to start the server, so unknown keys are let be.
std::optional<Error> read_client_entry(const Source& source, const json::Value& entry,
                                       Target& out) {
  const auto* command = entry.find("command");
  const auto* arguments = entry.find("args");
  if (auto error = wrong_kind(source, command, "command", json::Kind::kString, "a string"))
    return error;
  if (auto error = wrong_kind(source, arguments, "args", json::Kind::kArray, "a list"))
    return error;
  if (command != nullptr) {
    if (auto error = two_commands(source, *command, out)) return error;
    std::vector<std::string> words;
    std::vector<json::Mark> marks(1, command->mark);
    words.push_back(command->text);
    if (auto error = has_nul(source, command->mark, "'command'", command->text)) return error;
    if (arguments != nullptr) {
      if (auto error = read_words(source, *arguments, "args", words)) return error;
      for (const auto& item : arguments->items) marks.push_back(item.mark);
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      auto filled = as_clients_do(source, marks[i], words[i]);
      if (!filled) return filled.error();
      out.command.push_back(std::move(*filled));
    }
    if (out.command.front().empty())
      return source.error(command->mark, "'command' is empty", "name the program");
    resolve_program(source, out.command);
  }
  json::Value texts[2];
  const json::Value* given[2] = {entry.find("url"), entry.find("cwd")};
  for (std::size_t i = 0; i < 2; ++i) {
    if (given[i] == nullptr || !given[i]->is_string()) continue;
    auto filled = as_clients_do(source, given[i]->mark, given[i]->text);
    if (!filled) return filled.error();
    texts[i] = *given[i];
    texts[i].text = std::move(*filled);
    given[i] = &texts[i];
  }
  if (auto error = read_url(source, given[0], out)) return error;
  if (auto error = read_cwd(source, given[1], out)) return error;
  if (out.command.empty() && out.url.empty()) {
    return source.error(entry.mark, "server '" + out.name + "' has neither a command nor a url",
                        "add one of them");
  }
  if (auto error = read_client_type(source, entry.find("type"), out)) return error;
  const auto* headers = entry.find("headers");
  if (headers != nullptr && (!headers->is_object() || !headers->members.empty())) {
    if (auto read = target::read_headers(*headers, source.file, out); !read) return read.error();
  }
  return read_variables(source, entry.find("env"), "env", as_clients_do, &Target::env, out);
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
  out.command = std::move(command);
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
