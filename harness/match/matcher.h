// SPDX-License-Identifier: Apache-2.0
// Patterns: json::Values that say what a value has to look like (cases/GRAMMAR.md, "Matchers").
// Literals compare as data, mappings as subsets; strings and one-key mappings that begin with `$`
// are matchers from one explicit table. Pure functions; the only place that includes RE2.
//
//   mismatch(pattern, seen) ──► nothing, or where it departs, what was expected and what was seen
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/match/shapes.h"
#include "harness/spec/profile.h"

namespace harness::match {

struct Mismatch {
  std::string path;      // JSON Pointer into the examined value
  std::string expected;  // "an integer"
  std::string seen;      // printable JSON, cut if long; "nothing" if absent
};

// What a pattern may refer to. `profile` chooses the variant of a shape.
struct MatchContext {
  const Shapes& shapes;
  const spec::Profile& profile;
};

// The first difference between `seen` (null: the member is absent) and the pattern. The pattern
// must have passed check_pattern(), otherwise Bug is thrown: a broken pattern never counts against
// the target.
std::optional<Mismatch> mismatch(const json::Value& pattern, const json::Value* seen,
                                 const MatchContext& context);

// Rejects unknown matchers and malformed arguments with file:line:column. Strings that begin with a
// reference (`${…}`) are not checked; they are filled in when the case is played. `shapes` may be
// null: then names of shapes are not checked.
Status check_pattern(const json::Value& pattern, const std::string& file, const Shapes* shapes);

// "a string", "an object with code -32600": for reports.
std::string describe(const json::Value& pattern);
// "isError true, content.0 …" of a mapping of members; "" of any other pattern.
std::string members_of(const json::Value& pattern);

// A pattern that matches only values equal to `value`, whatever `$` and `?` it contains: for values
// from a target, which must not act as matchers.
json::Value literal(const json::Value& value);

enum class Argument {
  kNone,      // "$string"
  kPattern,   // {$not: M}
  kPatterns,  // {$one_of: [M, …]}
  kData,      // {$exact: V}: not a pattern, `$` in it has no meaning
};
// The matcher's argument, or nothing if there is no matcher with this name.
std::optional<Argument> argument_of(std::string_view name);

struct MatcherHelp {
  std::string name;  // "$one_of"
  std::string form;  // "{$one_of: [M, …]}"
  std::string help;  // one line
};
std::vector<MatcherHelp> matchers();

}  // namespace harness::match
