// SPDX-License-Identifier: Apache-2.0
// Is a value valid under a stranger's JSON Schema?
#pragma once

#include <optional>
#include <string>

#include "harness/json/value.h"
#include "harness/schema/normalized_schema.h"

namespace harness::schema {

// A schema that many values are held against. It keeps what it needs of it.
class InstanceCheck {
 public:
  explicit InstanceCheck(const json::Value& schema);
  std::optional<std::string> broken_keyword(const json::Value& value) const;

 private:
  std::optional<NormalizedSchema> normalized_;  // nothing where nobody can work with it
};

// The first keyword that the value breaks beyond doubt. Nothing where it is valid, and where nobody
// can tell: keywords we do not know, more to check than we care to.
std::optional<std::string> broken_keyword(const json::Value& schema, const json::Value& value);

}  // namespace harness::schema
