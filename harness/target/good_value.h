// SPDX-License-Identifier: Apache-2.0
// GoodValue: makes one value that fits a schema, by trying few plain ones in a fixed order.
#pragma once

#include <optional>
#include <string>

#include "harness/json/value.h"
#include "harness/schema/normalized_schema.h"

namespace harness::target {

using schema::length_of;
using schema::NormalizedSchema;
using schema::Pattern;
using schema::Steps;

class GoodValue {
 public:
  // `minimal`: optional members are left out. Both outlive it.
  GoodValue(const NormalizedSchema& normalized, bool minimal, Steps& steps)
      : schema_(normalized), minimal_(minimal), steps_(steps) {}

  // Nothing if none was found; why() then says where it failed.
  std::optional<json::Value> make(const json::Value& schema) { return make(schema, 0); }
  const std::string& why() const { return why_; }

  // References followed, allOf joined; of anyOf and oneOf the alternative that `value` fits, of if
  // the branch that applies. For traversing a value; it does not cover everything that the schema
  // says.
  json::Value flat(const json::Value& schema, const json::Value* value);

  // A value that fits and differs from all `others`.
  std::optional<json::Value> another(const json::Value& schema,
                                     const std::vector<json::Value>& others, int depth = 0);

 private:
  std::optional<json::Value> make(const json::Value& schema, int depth);
  std::optional<json::Value> of_type(const json::Value& schema, const std::string& type, int depth,
                                     const json::Value& whole);
  std::optional<json::Value> string(const json::Value& schema, const json::Value& whole);
  std::optional<json::Value> number(const json::Value& schema, bool integer,
                                    const json::Value& whole);
  std::optional<json::Value> array(const json::Value& schema, int depth, const json::Value& whole);
  std::optional<json::Value> object(const json::Value& schema, int depth, bool bare,
                                    const json::Value& whole);
  bool fits(const json::Value& value, const json::Value& schema) {
    return schema_.fits(value, schema, steps_);
  }
  void join(const json::Value& schema, int depth, json::Value& out) const;

  const NormalizedSchema& schema_;
  bool minimal_;
  Steps& steps_;
  std::string path_;
  std::string why_;
};

// A few values of a `format`, the simplest first; none for an unknown format.
std::vector<std::string> values_of_format(const std::string& format);
// The number as JSON spells it.
json::Value number_of(double value);

}  // namespace harness::target
