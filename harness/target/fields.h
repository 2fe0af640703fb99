// SPDX-License-Identifier: Apache-2.0
// What the readers of both kinds of files share (description.cc, client_list.cc): complaints that
// have a place, and the fields that mean the same in both.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/json/yaml.h"
#include "harness/target/target.h"

namespace harness::target {

// The current file: where complaints point, and where relative paths start.
struct Source {
  std::string file;

  Error error(const json::Mark& mark, std::string what, std::string remedy = {}) const {
    const bool known = mark.line > 0;
    return {known ? json::place(file, mark) : file, std::move(what), std::move(remedy)};
  }
  std::filesystem::path folder() const { return std::filesystem::absolute(file).parent_path(); }
};

using Keys = std::vector<std::string>;

// The first member of `mapping` that is not in `known`; `what` names the mapping.
std::optional<Error> unknown_key(const Source& source, const json::Value& mapping,
                                 const std::string& what, const Keys& known);
// None also if there is no value.
std::optional<Error> wrong_kind(const Source& source, const json::Value* value,
                                const std::string& name, json::Kind kind, const char* wanted);
// `what` names the text. A process would not receive anything after a NUL.
std::optional<Error> has_nul(const Source& source, const json::Mark& mark, const std::string& what,
                             const std::string& text);
// The entry of a mapping of names to mappings: the one called `name`, or the only one. `what`
// ("server") names the kind of entry.
std::optional<Error> pick(const Source& source, const json::Value& mapping, const std::string& what,
                          const std::string& name, std::string& picked, const json::Value*& entry);
// A command in the file and one on the command line.
std::optional<Error> two_commands(const Source& source, const json::Value& command,
                                  const Target& out);

// Replaces the references in a text; the Error has its place.
using Fill = Result<std::string> (*)(const Source&, const json::Mark&, const std::string&);
// In the syntax of our own descriptions: interpolation.h.
Result<std::string> from_environment(const Source& source, const json::Mark& mark,
                                     const std::string& text);

// `env` and `headers`: a mapping of names to values. Secrets among them are hidden in all output of
// rpcspec.
using Variables = std::vector<std::pair<std::string, std::string>>;
std::optional<Error> read_variables(const Source& source, const json::Value* mapping,
                                    const char* what, Fill fill, Variables Target::*into,
                                    Target& out);
// A list of texts, each without a NUL.
std::optional<Error> read_words(const Source& source, const json::Value& list,
                                const std::string& name, std::vector<std::string>& out);
// A program with a slash is relative to the file, not to the current folder.
void resolve_program(const Source& source, std::vector<std::string>& command);
std::optional<Error> read_url(const Source& source, const json::Value* url, Target& out);
// Relative to the folder of the file.
std::optional<Error> read_cwd(const Source& source, const json::Value* cwd, Target& out);

// The allowed types of a transport, and the address of each. Framing is a separate field.
struct TypeRow {
  std::string_view word;
  wire::TransportKind kind;
  const char* shape;
};

// Null when there is no such type.
const TypeRow* find_type(const json::Value& type);
// The name of a transport, which must fit the command or URL read before.
std::optional<Error> read_type(const Source& source, const json::Value* type, Target& out);

}  // namespace harness::target
