// SPDX-License-Identifier: Apache-2.0
// NormalizedSchema: an inputSchema (or any JSON Schema) of a stranger, made safe to work with. Its
// content is limited in size and depth, refers to nothing outside itself, and is checked in a
// limited number of steps.
//
//   schema as listed ─► normal form (draft 7 words, nothing but what counts) ─► failures(value)
//
// Drafts 4 to 2020-12 are read. A schema that would be judged wrongly without a keyword we do not
// know (unevaluatedProperties, $dynamicRef …) is rejected, never guessed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/schema/pattern.h"

namespace harness::schema {

// The steps that are left; below zero: too many, and the result is invalid.
using Steps = long;

class NormalizedSchema {
 public:
  // The Error's `what` says why the schema is unusable.
  static Result<NormalizedSchema> read(const json::Value& schema);

  const json::Value& root() const { return root_; }  // in normal form
  // The target of the `$ref` of a schema in normal form; null if it has none.
  const json::Value* referred(const json::Value& schema) const;
  // The compiled `pattern`; null if RE2 does not support it.
  const Pattern* pattern(const std::string& expression) const;

  // The keywords the value breaks, one entry for each breach; keywords inside anyOf, oneOf, not and
  // if count as that one keyword. Checking does not stop at the first one.
  std::vector<std::string> failures(const json::Value& value, const json::Value& schema,
                                    Steps& steps) const;
  bool fits(const json::Value& value, const json::Value& schema, Steps& steps) const {
    return failures(value, schema, steps).empty() && steps >= 0;
  }

 private:
  json::Value root_;
  std::map<std::string, std::optional<Pattern>> patterns_;
};

// Characters of UTF-8 text.
std::size_t length_of(const std::string& text);

}  // namespace harness::schema
