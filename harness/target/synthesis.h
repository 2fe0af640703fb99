// SPDX-License-Identifier: Apache-2.0
// synthesise(): arguments for a tool, made from its inputSchema alone. Pure and deterministic.
//
//   inputSchema ─► NormalizedSchema ─► one good value ─► variations of it, a constraint each ─►
//   checked
//
// Every instance was checked against the schema: it is valid, or breaks exactly one constraint.
// What cannot be made is listed in `refused`, never guessed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::target {

enum class Arguments {
  kValid,     // every member that can be made
  kMinimal,   // required members only
  kBoundary,  // valid, at the edge of one constraint
  kBroken,    // one constraint broken, the others kept
};
const char* arguments_name(Arguments kind);       // "valid", "minimal", "boundary", "broken"
Arguments arguments_kind(std::string_view name);  // of one of these names

struct Instance {
  json::Value value;
  std::string what;     // "/age at its maximum 150"; the tool's names in it are raw
  std::string keyword;  // boundary and broken: "maximum", or the part of the schema that rejects
                        // it: "anyOf"
  std::string where;    // boundary and broken: "/age"; "" is the whole; raw
};

struct Synthesis {
  std::vector<Instance> instances;
  std::vector<std::string> refused;  // what could not be made, and why; raw
};

// At most `most` instances, always the same ones. A schema of any size or depth costs bounded time.
Synthesis synthesise(const json::Value& schema, Arguments kind, std::size_t most = 64);

}  // namespace harness::target
