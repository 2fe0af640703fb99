// SPDX-License-Identifier: Apache-2.0
// Arguments of prompts, and what can be completed, made from what a server lists. Pure and
// deterministic. A prompt declares only the name of an argument, so a rejected value is not a
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
  json::Value all;        // the same with every argument, each with a plain value
  std::string argument;   // the missing or odd one; "" if there is none
  json::Value value;      // its value; null if there is none
  std::string what;       // "topic without city": names from the server in it are raw
};

// kValid: all arguments; kMinimal: the required ones; kBroken: a required one left out, each in
// turn; kBoundary: nothing. `values`: with all arguments given, each argument in turn has each of
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
