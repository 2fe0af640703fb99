// SPDX-License-Identifier: Apache-2.0
#include "harness/target/client_list.h"

#include "harness/base/text.h"
#include "harness/target/interpolation.h"

namespace harness::target {
namespace {

namespace fs = std::filesystem;
using wire::TransportKind;

Result<std::string> as_clients_do(const Source& source, const json::Mark& mark,
                                  const std::string& text) {
  const fs::path folder = source.folder();
  const fs::path workspace = folder.filename() == ".vscode" ? folder.parent_path() : folder;
  Result<std::string> filled =
      interpolated_as_clients_do(text, workspace.string(), environment_variable);
  if (!filled) return source.error(mark, filled.error().what, filled.error().remedy);
  return filled;
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
                      "leave out 'type': the entry is clear without it");
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
  if (out.url.empty())  // it was not said beside the file
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

}  // namespace

std::optional<Error> read_client_list(const Source& source, const json::Value& servers,
                                      const std::string& name, Target& out) {
  if (auto error = wrong_kind(source, &servers, "mcpServers", json::Kind::kObject,
                              "a mapping of names to servers")) {
    return error;
  }
  const json::Value* entry = nullptr;
  if (auto error = pick(source, servers, "server", name, out.name, entry)) return error;
  return read_client_entry(source, *entry, out);
}

}  // namespace harness::target
