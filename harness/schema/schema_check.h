// SPDX-License-Identifier: Apache-2.0
// Is a stranger's text a JSON Schema? A schema is held against what the meta-schema of its dialect
// says of each keyword; what a schema refers to is not looked for. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::schema {

// In the order in which they were published.
enum class Dialect { kDraft4, kDraft6, kDraft7, k2019, k2020 };

// The dialect of a `$schema`; nothing for one that is not known.
std::optional<Dialect> dialect_named(std::string_view uri);

// "~" and "/" of a name as a JSON Pointer writes them.
std::string pointer_token(std::string_view name);

struct SchemaMistake {
  std::string path;      // JSON Pointer into the schema
  std::string expected;  // "a whole number from 0"
};

// What the dialect forbids; a few at most. Parts that declare another dialect of their own are left
// out, and so is what is nested deeper than a schema is meant to be.
std::vector<SchemaMistake> mistakes_in(const json::Value& schema, Dialect dialect);

// Calls `look` for the schema and every schema in it. `path`: JSON Pointer from the outermost;
// `properties_only`: nothing but `properties` leads to it.
struct SchemaPlace {
  const json::Value& schema;
  std::string path;
  std::string property;  // the name under `properties`; "" elsewhere
  bool properties_only = true;
};
std::vector<SchemaPlace> places_in(const json::Value& schema);

}  // namespace harness::schema
