// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema that the fixtures' inputSchemas use, checked strictly. Small on purpose:
// the reference server must not share its judgement with the validator of the test suite.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"

namespace harness::reference {

struct Problem {
  std::string field;  // "a", "value.name", "data[2]"; empty: the arguments themselves
  std::string message;
  json::Value received;
};

// The places where `value` breaks `schema`: type, enum, const, required, dependentRequired,
// properties, additionalProperties (false), items, minItems, uniqueItems, minimum, maximum,
// exclusiveMinimum, minLength, pattern, and a $ref into `root`.
std::vector<Problem> problems_of(const json::Value& schema, const json::Value& value,
                                 const json::Value& root);
// The same with a $ref into itself.
std::vector<Problem> problems_of(const json::Value& schema, const json::Value& value);

// "a is required; b has to be a number"
std::string listed(const std::vector<Problem>& problems);

}  // namespace harness::reference
