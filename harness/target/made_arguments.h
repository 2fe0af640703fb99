// SPDX-License-Identifier: Apache-2.0
// Arguments of prompts, and what can be completed, made from what a server lists. Pure and
// deterministic. A prompt declares only the name of an argument, so a refused value is not a
// finding.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/target/lists.h"
#include "harness/target/synthesis.h"

namespace harness::target {

struct PromptArguments {
  json::Value prompt;     // as it is listed
  json::Value arguments;  // an object
  json::Value all;        // the same with every argument, each a plain value
  std::string argument;   // the one that is missing or odd; "" where none is
  json::Value value;      // what it is; null where none is
  std::string what;       // "topic without city": the server's names in it are raw
};

// kValid: all arguments; kMinimal: those that are required; kBroken: one that is required left out,
// each in turn; kBoundary gives none. `values`: with all arguments given, each in turn has each of
// these. At most 32.
std::vector<PromptArguments> prompt_arguments(const Lists& lists, Arguments kind,
                                              const std::vector<json::Value>& values = {});

// One argument of a listed prompt, or one variable of a listed template.
struct Completable {
  json::Value ref;      // as completion/complete takes it
  std::string name;     // of the argument
  json::Value context;  // the others, by their names, with plain values; an object
  std::string what;
};
std::vector<Completable> completables(const Lists& lists, std::size_t most = 4);  // of either

}  // namespace harness::target
