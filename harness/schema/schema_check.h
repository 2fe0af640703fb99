// SPDX-License-Identifier: Apache-2.0
// Is a stranger's text a JSON Schema? Each keyword of a schema is checked against the meta-schema
// of its dialect; references are not followed. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"

namespace harness::schema {

// In the order of publication.
enum class Dialect { kDraft4, kDraft6, kDraft7, k2019, k2020 };

// The dialect of a `$schema`; nothing for an unknown one.
std::optional<Dialect> dialect_named(std::string_view uri);

// "~" and "/" of a name, written as in a JSON Pointer.
std::string pointer_token(std::string_view name);

struct SchemaMistake {
  std::string path;      // JSON Pointer into the schema
  std::string expected;  // "a whole number from 0"
};

// What the dialect forbids; a few at most. Leaves out parts that declare another dialect, and parts
// that are nested deeper than schemas are meant to be.
std::vector<SchemaMistake> mistakes_in(const json::Value& schema, Dialect dialect);

// Calls `look` for the schema and every schema in it. `path`: JSON Pointer from the outermost;
// `properties_only`: the path leads only through `properties`.
struct SchemaPlace {
  const json::Value& schema;
  std::string path;
  std::string property;  // the name under `properties`; "" elsewhere
  bool properties_only = true;
};
std::vector<SchemaPlace> places_in(const json::Value& schema);

}  // namespace harness::schema
