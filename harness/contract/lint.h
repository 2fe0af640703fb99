// SPDX-License-Identifier: Apache-2.0
// Flaws of an OpenRPC document by itself, each under the clause openrpc.document.* that it breaks.
// Pure. What is doubtful by a flaw is told once: an example is not held against a schema that
// cannot be read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/json/value.h"

namespace harness::contract {

struct Flaw {
  enum class Weight : std::uint8_t { kFail, kWarn, kInfo };
  std::string clause;
  std::string pointer;  // into the document
  std::string text;     // what is wrong, without an end; names of the document in it are raw
  Weight weight = Weight::kFail;
};
const char* weight_name(Flaw::Weight weight);  // "fail", "warn", "info"

// In the order of the clauses, then of the document.
std::vector<Flaw> flaws_in(const json::Value& document);

// The clauses that it looks after, without "openrpc.document.": the order in which it tells them.
const std::vector<std::string>& document_clauses();

}  // namespace harness::contract
