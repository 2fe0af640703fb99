// SPDX-License-Identifier: Apache-2.0
// The table of variations: for each keyword of JSON Schema, how to change a good value so that it
// is at the limit, or beyond. Pure functions; the caller checks the result against the schema.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/schema/normalized_schema.h"
#include "harness/target/synthesis.h"

namespace harness::target {

using schema::NormalizedSchema;

struct Variation {
  json::Value value;  // instead of the good one
  std::string what;   // "at its maximum 150", "without 'city'"
};

// The input of a row.
struct Spot {
  const json::Value& schema;  // flat: references followed, allOf joined
  const json::Value& good;    // a value that fits it
  const NormalizedSchema& normalized;
  bool root = false;  // the arguments themselves, which are an object whatever the schema says
};

struct VariationRow {
  const char* keyword;
  Arguments kind;  // kBoundary or kBroken
  std::vector<Variation> (*make)(const Spot& spot);
};

// In the order in which they are made.
const std::vector<VariationRow>& variation_rows();

}  // namespace harness::target
