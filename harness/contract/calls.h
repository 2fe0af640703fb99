// SPDX-License-Identifier: Apache-2.0
// Calls that a contract promises something about: sound ones, and ones with one thing wrong. Only
// of methods that may be called, and whose flaws leave no doubt. Pure and deterministic.
#pragma once

#include <string>
#include <vector>

#include "harness/contract/openrpc.h"
#include "harness/json/value.h"

namespace harness::contract {

// What a case language calls a kind of calls, each with a line for people.
struct CallKind {
  const char* name;
  const char* help;
};
const std::vector<CallKind>& call_kinds();

// The calls of all kinds, by kind: a list of objects with these members:
//
//   method, params      what to send
//   what                in words
//   result              of examples: the JSON value; absent where they say an error
//   code                of examples: the code of the error they say
//   schema              of the result, or weaker; `{}` where nothing is known of it
//   codes               that some method of the contract declares
//   shape               of examples: a schema of the JSON type of the result
//   sound               of wrong ones and of pairs: the params that are right
//   keyword             of wrong ones: of JSON Schema
json::Value calls_of(const Contract& contract, const std::vector<std::string>& allowed);

}  // namespace harness::contract
