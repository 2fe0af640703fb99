// SPDX-License-Identifier: Apache-2.0
// Is a value valid under a stranger's JSON Schema?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/schema/normalized_schema.h"

namespace harness::schema {

// What a value breaks, and where.
struct Breach {
  std::string keyword;
  std::string place;   // JSON Pointer into the value
  std::string schema;  // JSON Pointer into the schema, of the object with the keyword
};

// A schema that many values are checked against. It keeps what it needs of it.
class InstanceCheck {
 public:
  // What readers of JSON Schema understand differently: members beside a `$ref`, which count since
  // 2019-09, and a `oneOf` of which several alternatives fit, which is a flaw of the schema.
  enum class Readings { kUsual, kAll };

  explicit InstanceCheck(const json::Value& schema, Readings readings = Readings::kUsual);

  // Why the schema is unusable; "" if it is usable.
  const std::string& refused() const { return refused_; }
  std::optional<std::string> broken_keyword(const json::Value& value) const;
  // The first certain breach: under kAll, in each reading.
  std::optional<Breach> breach(const json::Value& value) const;

 private:
  std::vector<NormalizedSchema> readings_;  // the usual one first
  std::string refused_;
};

// The first keyword that the value certainly breaks. Nothing if it is valid, or if that is
// uncertain: unknown keywords, or too much to check.
std::optional<std::string> broken_keyword(const json::Value& schema, const json::Value& value);

}  // namespace harness::schema
