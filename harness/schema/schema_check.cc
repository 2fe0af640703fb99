// SPDX-License-Identifier: Apache-2.0
// One row a keyword: which dialects know it, and what may stand behind it. Keywords that no row
// names are free, as JSON Schema has it.
#include "harness/schema/schema_check.h"

#include <algorithm>
#include <set>

namespace harness::schema {
namespace {

using json::Value;

constexpr int kMostDepth = 64;
constexpr std::size_t kMostMistakes = 8;
constexpr std::size_t kMostPlaces = 20'000;

enum class Kind {
  kSchema,
  kSchemas,       // at least one, in a list
  kSchemaOrList,  // `items` up to 2019-09
  kSchemaMap,     // names to schemas
  kDependencies,  // names to schemas or to lists of names
  kNames,         // strings, each once
  kNameLists,     // names to such lists
  kType,          // a type or several
  kList,
  kString,
  kBoolean,
  kNumber,
  kNumberOrFlag,  // draft 4: exclusiveMinimum is true or false
  kPositive,      // a number above 0
  kCount,         // a whole number from 0
};

struct Row {
  const char* keyword;
  Kind kind;
  Dialect since = Dialect::kDraft4;
  Dialect until = Dialect::k2020;
};

constexpr Row kRows[] = {
    {"properties", Kind::kSchemaMap},
    {"patternProperties", Kind::kSchemaMap},
    {"additionalProperties", Kind::kSchema},
    {"propertyNames", Kind::kSchema, Dialect::kDraft6},
    {"items", Kind::kSchemaOrList, Dialect::kDraft4, Dialect::k2019},
    {"items", Kind::kSchema, Dialect::k2020},
    {"prefixItems", Kind::kSchemas, Dialect::k2020},
    {"additionalItems", Kind::kSchema, Dialect::kDraft4, Dialect::k2019},
    {"contains", Kind::kSchema, Dialect::kDraft6},
    {"unevaluatedItems", Kind::kSchema, Dialect::k2019},
    {"unevaluatedProperties", Kind::kSchema, Dialect::k2019},
    {"allOf", Kind::kSchemas},
    {"anyOf", Kind::kSchemas},
    {"oneOf", Kind::kSchemas},
    {"not", Kind::kSchema},
    {"if", Kind::kSchema, Dialect::kDraft7},
    {"then", Kind::kSchema, Dialect::kDraft7},
    {"else", Kind::kSchema, Dialect::kDraft7},
    {"dependentSchemas", Kind::kSchemaMap, Dialect::k2019},
    {"dependentRequired", Kind::kNameLists, Dialect::k2019},
    {"dependencies", Kind::kDependencies},
    {"definitions", Kind::kSchemaMap},
    {"$defs", Kind::kSchemaMap, Dialect::k2019},
    {"type", Kind::kType},
    {"enum", Kind::kList},
    {"required", Kind::kNames},
    {"examples", Kind::kList, Dialect::kDraft6},
    {"minimum", Kind::kNumber},
    {"maximum", Kind::kNumber},
    {"exclusiveMinimum", Kind::kNumberOrFlag},
    {"exclusiveMaximum", Kind::kNumberOrFlag},
    {"multipleOf", Kind::kPositive},
    {"minLength", Kind::kCount},
    {"maxLength", Kind::kCount},
    {"minItems", Kind::kCount},
    {"maxItems", Kind::kCount},
    {"minProperties", Kind::kCount},
    {"maxProperties", Kind::kCount},
    {"minContains", Kind::kCount, Dialect::k2019},
    {"maxContains", Kind::kCount, Dialect::k2019},
    {"uniqueItems", Kind::kBoolean},
    {"readOnly", Kind::kBoolean, Dialect::kDraft7},
    {"writeOnly", Kind::kBoolean, Dialect::kDraft7},
    {"deprecated", Kind::kBoolean, Dialect::k2019},
    {"title", Kind::kString},
    {"description", Kind::kString},
    {"pattern", Kind::kString},
    {"format", Kind::kString},
    {"$ref", Kind::kString},
    {"$schema", Kind::kString},
    {"$id", Kind::kString, Dialect::kDraft6},
    {"$anchor", Kind::kString, Dialect::k2019},
    {"$comment", Kind::kString, Dialect::kDraft7},
    {"contentMediaType", Kind::kString, Dialect::kDraft7},
    {"contentEncoding", Kind::kString, Dialect::kDraft7},
};

constexpr const char* kTypes[] = {"null",   "boolean", "object", "array",
                                  "number", "string",  "integer"};

bool is_schema(const Value& value) { return value.is_object() || value.is_boolean(); }
bool is_name(const Value& value) { return value.is_string(); }
bool is_type(const Value& value) {
  return value.is_string() && std::any_of(std::begin(kTypes), std::end(kTypes),
                                          [&](const char* name) { return value.text == name; });
}

template <class Is>
bool all_of(const Value& list, Is is) {
  return std::all_of(list.items.begin(), list.items.end(), is);
}

bool are_different(const Value& list) {
  std::set<std::string> seen;
  return all_of(list, [&](const Value& one) { return seen.insert(one.text).second; });
}

bool are_names(const Value& value) {
  return value.is_array() && all_of(value, is_name) && are_different(value);
}

// What has to stand behind the keyword; null where it does. Schemas inside are looked at by
// themselves.
const char* complaint(const Value& value, Kind kind, Dialect dialect) {
  const auto unless = [](bool sound, const char* expected) { return sound ? nullptr : expected; };
  const auto members = [&](auto is) {
    return value.is_object() && std::all_of(value.members.begin(), value.members.end(),
                                            [&](const json::Member& one) { return is(one.value); });
  };
  switch (kind) {
    case Kind::kSchema: return unless(is_schema(value), "a schema");
    case Kind::kSchemas:
      return unless(value.is_array() && !value.items.empty(), "a list of at least one schema");
    case Kind::kSchemaOrList:
      return unless(is_schema(value) || value.is_array(), "a schema or a list of schemas");
    case Kind::kSchemaMap: return unless(value.is_object(), "an object of schemas");
    case Kind::kDependencies:
      return unless(members([](const Value& one) { return is_schema(one) || are_names(one); }),
                    "an object of schemas and lists of names");
    case Kind::kNames: return unless(are_names(value), "a list of names, each once");
    case Kind::kNameLists: return unless(members(are_names), "an object of lists of names");
    case Kind::kType:
      return unless(is_type(value) || (value.is_array() && !value.items.empty() &&
                                       all_of(value, is_type) && are_different(value)),
                    "a type of JSON Schema or a list of them");
    case Kind::kList: return unless(value.is_array(), "a list");
    case Kind::kString: return unless(value.is_string(), "a string");
    case Kind::kBoolean: return unless(value.is_boolean(), "true or false");
    case Kind::kNumber: return unless(value.is_number(), "a number");
    case Kind::kNumberOrFlag:
      return dialect == Dialect::kDraft4 ? unless(value.is_boolean(), "true or false")
                                         : unless(value.is_number(), "a number");
    case Kind::kPositive:
      return unless(value.is_number() && json::as_double(value) > 0, "a number above 0");
    case Kind::kCount:
      return unless(value.is_number() && json::is_integer(value) && json::as_double(value) >= 0,
                    "a whole number from 0");
  }
  return nullptr;
}

// Every schema that stands directly in this one, in this dialect or (null) in any.
template <class Look>
void each_inside(const Value& schema, const Dialect* dialect, Look look) {
  std::set<std::string_view> done;
  for (const Row& row : kRows) {
    if (dialect != nullptr && (*dialect < row.since || row.until < *dialect)) continue;
    const Value* value = schema.find(row.keyword);
    if (value == nullptr || !done.insert(row.keyword).second) continue;
    const std::string path = "/" + pointer_token(row.keyword);
    switch (row.kind) {
      case Kind::kSchema:
      case Kind::kSchemas:
      case Kind::kSchemaOrList:
        if (!value->is_array()) look(*value, path, row.keyword, "");
        for (std::size_t i = 0; i < value->items.size(); ++i)
          look(value->items[i], path + "/" + std::to_string(i), row.keyword, "");
        break;
      case Kind::kSchemaMap:
      case Kind::kDependencies:
        for (const json::Member& one : value->members)
          if (row.kind == Kind::kSchemaMap || !one.value.is_array())
            look(one.value, path + "/" + pointer_token(one.name), row.keyword, one.name);
        break;
      default: break;
    }
  }
}

void add_places(const Value& schema, SchemaPlace place, int depth, const Dialect* dialect,
                std::vector<SchemaPlace>& out) {
  out.push_back(place);
  if (depth == kMostDepth || !schema.is_object()) return;
  each_inside(schema, dialect,
              [&](const Value& inner, const std::string& path, std::string_view keyword,
                  const std::string& name) {
                if (out.size() == kMostPlaces) return;
                const bool property = keyword == "properties";
                add_places(inner,
                           {inner, place.path + path, property ? name : "",
                            place.properties_only && property},
                           depth + 1, dialect, out);
              });
}

}  // namespace

std::string pointer_token(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

std::optional<Dialect> dialect_named(std::string_view uri) {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string_view rest = uri.substr(scheme.size());
    if (rest == "json-schema.org/draft-04/schema") return Dialect::kDraft4;
    if (rest == "json-schema.org/draft-06/schema") return Dialect::kDraft6;
    if (rest == "json-schema.org/draft-07/schema") return Dialect::kDraft7;
    if (rest == "json-schema.org/draft/2019-09/schema") return Dialect::k2019;
    if (rest == "json-schema.org/draft/2020-12/schema") return Dialect::k2020;
  }
  return std::nullopt;
}

std::vector<SchemaPlace> places_in(const Value& schema) {
  std::vector<SchemaPlace> out;
  add_places(schema, {schema, "", "", true}, 0, nullptr, out);
  return out;
}

std::vector<SchemaMistake> mistakes_in(const Value& schema, Dialect dialect) {
  std::vector<SchemaMistake> out;
  std::vector<std::string> foreign;  // where parts begin that are left out
  std::vector<SchemaPlace> places;
  add_places(schema, {schema, "", "", true}, 0, &dialect, places);
  for (const SchemaPlace& place : places) {
    const auto inside = [&](const std::string& path) { return place.path.starts_with(path + "/"); };
    if (std::any_of(foreign.begin(), foreign.end(), inside)) continue;
    // Up to draft 7 nothing counts beside a reference.
    const bool alone = dialect <= Dialect::kDraft7 && place.schema.find("$ref") != nullptr;
    if (alone || (!place.path.empty() && place.schema.find("$schema") != nullptr)) {
      foreign.push_back(place.path);
      continue;
    }
    if (!is_schema(place.schema)) {
      out.push_back({place.path, "a schema"});
    } else {
      for (const Row& row : kRows) {
        const Value* value = place.schema.find(row.keyword);
        if (value == nullptr || dialect < row.since || row.until < dialect) continue;
        // Those that are schemas have a place of their own.
        if (row.kind == Kind::kSchema && !value->is_array()) continue;
        if (const char* expected = complaint(*value, row.kind, dialect))
          out.push_back({place.path + "/" + pointer_token(row.keyword), expected});
      }
    }
    if (out.size() >= kMostMistakes) break;
  }
  return out;
}

}  // namespace harness::schema
