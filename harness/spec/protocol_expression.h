// SPDX-License-Identifier: Apache-2.0
// Reading of type expressions, for the reader of the protocol's rows: "$string", "$Tool",
// "{$array: $Tool}". cases/protocol/README.md describes the syntax.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/protocol.h"

namespace harness::spec {

// Thrown to end the reading, and caught in read_protocol().
struct ProtocolMistake {
  Error error;
};

// A type that an expression names; whether it exists is known after all rows are read.
struct TypeReference {
  std::string type;
  std::string place;
};

// Throws ProtocolMistake, with the place in `file`.
TypeExpr read_expression(const json::Value& value, const std::string& file,
                         std::vector<TypeReference>& references);

// "did you mean 'name'?", or the list of choices.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace harness::spec
