// SPDX-License-Identifier: Apache-2.0
// Reading of type expressions, for the reader of the protocol's rows: "$string", "$Tool",
// "{$array: $Tool}". What may be written is in cases/protocol/README.md.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/protocol.h"

namespace harness::spec {

// Thrown to end the reading, and caught in read_protocol().
struct ProtocolMistake {
  Error error;
};

// A type that an expression names; whether there is one is known when all rows are read.
struct TypeReference {
  std::string type;
  std::string place;
};

// Throws ProtocolMistake, with the place in `file`.
TypeExpr read_expression(const json::Value& value, const std::string& file,
                         std::vector<TypeReference>& references);

// "did you mean 'name'?", or what there is to choose from.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

}  // namespace harness::spec
