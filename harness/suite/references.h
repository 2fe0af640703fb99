// SPDX-License-Identifier: Apache-2.0
// References: `${name}` in case files (cases/GRAMMAR.md, "References"). One scanner serves the
// loader, which asks what a text refers to, and the interpreter, which fills it in.
//
//   "${canary.params}"        one reference: the value itself
//   "{\"id\":${own}}"         inside text: strings as they are, other values as JSON text
//   "${json:own}"             always JSON text          "$${"  a literal "${"
//   "${reversed:args}"        members or elements in reverse order
//   "${swapcase:name}"        the other letter case, of a string or of member names
//   "${base64:name}"          the text, or the JSON text, in Base64
//   "${crlf:name}"            of a string: lines end with CR LF
//   "${altered:name}"         of a string: its last letter or digit is another one
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::suite {

// Where references get their values from while a case is played.
class Scope {
 public:
  virtual ~Scope() = default;
  // `path` is the reference cut at its dots: {"first", "result", "tools", "0"}.
  virtual std::optional<json::Value> find(const std::vector<std::string>& path) const = 0;
  // True for roots whose value stands in the case file (columns of the table). Such a value may
  // contain references and matchers of its own. Everything else is data: a target that answers
  // "$any" or "${id}" has no influence on the case.
  virtual bool written_in_case(const std::string& root) const {
    static_cast<void>(root);
    return false;
  }
};

// One reference as written.
struct Reference {
  std::vector<std::string> path;
  std::string form;       // "", "json", "reversed", "swapcase", "base64", "altered"
  std::size_t begin = 0;  // the `$`
  std::size_t end = 0;    // behind the `}`
};
std::string path_of(const Reference& reference);  // "target.tool.echo.name"
// All references in the text, or an Error (without place) when one is malformed.
Result<std::vector<Reference>> references_in(std::string_view text);

// The first names of all references in the strings and member names of `value`.
std::set<std::string> roots_in(const json::Value& value);

// `value` with every reference in its strings and member names filled in.
Result<json::Value> expand(const json::Value& value, const Scope& scope);
// The same for a pattern: inserted data matches literally, whatever `$` it contains.
Result<json::Value> expand_pattern(const json::Value& pattern, const Scope& scope);
// Text for frames and bodies: whole-string references are inserted as text, too.
Result<std::string> expand_text(std::string_view text, const Scope& scope);

// The part of `value` after the first `from` names of `path` (members by name, elements by number):
// what a Scope does after it has found the root.
std::optional<json::Value> walk(const json::Value& value, const std::vector<std::string>& path,
                                std::size_t from);

}  // namespace harness::suite
