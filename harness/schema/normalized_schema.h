// SPDX-License-Identifier: Apache-2.0
// NormalizedSchema: an inputSchema (or any JSON Schema) of a stranger, made safe to work with. What
// it says is bounded in size and depth, refers to nothing outside itself, and is checked in a
// counted number of steps.
//
//   schema as listed ─► normal form (draft 7 words, nothing but what counts) ─► failures(value)
//
// Drafts 4 to 2020-12 are read. What would be judged wrongly without a keyword we do not know
// (unevaluatedProperties, $dynamicRef …) is refused, never guessed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/schema/pattern.h"

namespace harness::schema {

// What is left of the steps that may be spent; below zero: too many, and the answer is no answer.
using Steps = long;

class NormalizedSchema {
 public:
  // The Error's `what` says why the schema cannot be worked with.
  static Result<NormalizedSchema> read(const json::Value& schema);

  const json::Value& root() const { return root_; }  // in normal form
  // What the `$ref` of a schema in normal form points at; null when it has none.
  const json::Value* referred(const json::Value& schema) const;
  // The compiled `pattern`; null when RE2 does not know what it says.
  const Pattern* pattern(const std::string& expression) const;

  // The keywords the value breaks, one each time one is broken; those inside anyOf, oneOf, not and
  // if count as that one keyword. Nothing is skipped after the first.
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
