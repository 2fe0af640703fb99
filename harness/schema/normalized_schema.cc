// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/normalized_schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "harness/base/text.h"
#include "harness/base/uri.h"
#include "harness/json/write.h"

namespace harness::schema {
namespace {

constexpr int kDeepestSchema = 64;
constexpr int kMostValues = 20'000;
constexpr int kMostApplied = 200;  // schemas applied inside each other to one value

// What stands behind a keyword.
enum class Shape {
  kCopy,     // a value, kept as it is
  kSchema,   // a schema
  kList,     // schemas
  kMapping,  // names to schemas
};
struct Word {
  const char* name;
  Shape shape;
};
constexpr Word kWords[] = {
    {"type", Shape::kCopy},
    {"enum", Shape::kCopy},
    {"const", Shape::kCopy},
    {"default", Shape::kCopy},
    {"examples", Shape::kCopy},
    {"format", Shape::kCopy},
    {"pattern", Shape::kCopy},
    {"minLength", Shape::kCopy},
    {"maxLength", Shape::kCopy},
    {"minimum", Shape::kCopy},
    {"maximum", Shape::kCopy},
    {"exclusiveMinimum", Shape::kCopy},
    {"exclusiveMaximum", Shape::kCopy},
    {"multipleOf", Shape::kCopy},
    {"minItems", Shape::kCopy},
    {"maxItems", Shape::kCopy},
    {"uniqueItems", Shape::kCopy},
    {"minProperties", Shape::kCopy},
    {"maxProperties", Shape::kCopy},
    {"required", Shape::kCopy},
    {"$ref", Shape::kCopy},
    {"additionalItems", Shape::kSchema},
    {"contains", Shape::kSchema},
    {"additionalProperties", Shape::kSchema},
    {"propertyNames", Shape::kSchema},
    {"not", Shape::kSchema},
    {"if", Shape::kSchema},
    {"then", Shape::kSchema},
    {"else", Shape::kSchema},
    {"allOf", Shape::kList},
    {"anyOf", Shape::kList},
    {"oneOf", Shape::kList},
    {"properties", Shape::kMapping},
    {"patternProperties", Shape::kMapping},
    {"definitions", Shape::kMapping},
    {"$defs", Shape::kMapping},
};
constexpr const char* kRefused[] = {"unevaluatedProperties", "unevaluatedItems", "$dynamicRef",
                                    "$recursiveRef",         "minContains",      "maxContains"};
constexpr const char* kTypeNames[] = {"null",   "boolean", "object", "array",
                                      "number", "string",  "integer"};

// Brings a schema into normal form. `why` says what is wrong with it; "" while nothing is.
struct Normaliser {
  bool siblings_count = true;  // beside a $ref: since 2019-09
  int values = 0;
  std::string why;

  void refuse(std::string reason) {
    if (why.empty()) why = std::move(reason);
  }

  bool count(const json::Value& value, int depth) {
    if (depth > kDeepestSchema)
      refuse("it is nested more than " + std::to_string(kDeepestSchema) + " deep");
    values += 1 + static_cast<int>(std::min<std::size_t>(value.text.size() / 64, kMostValues));
    if (values > kMostValues)
      refuse("it holds more than " + std::to_string(kMostValues) + " values");
    if (!why.empty()) return false;
    for (const auto& item : value.items)
      if (!count(item, depth + 1)) return false;
    for (const auto& member : value.members)
      if (!count(member.value, depth + 1)) return false;
    return true;
  }

  json::Value schema(const json::Value& from) {
    if (from.is_boolean()) return from;
    if (!from.is_object()) {
      refuse("a schema in it has the type " + std::string(kind_name(from.kind)));
      return json::boolean(true);
    }
    json::Value out = json::object();
    for (const char* name : kRefused)
      if (from.find(name)) refuse("it uses " + std::string(name));
    for (const Word& word : kWords)
      if (const json::Value* value = from.find(word.name)) take(word, *value, out);
    later_words(from, out);
    older_words(from, out);
    check_values(out);
    if (const json::Value* ref = out.find("$ref"); ref && out.members.size() > 1) {
      // In normal form a $ref stands alone.
      json::Value alone = json::object({{"$ref", *ref}});
      json::Value rest = json::object();
      for (json::Member& member : out.members) {
        const bool counts =
            siblings_count || member.name == "definitions" || member.name == "$defs";
        if (member.name != "$ref" && counts) rest.set(member.name, std::move(member.value));
      }
      json::Value all = rest.find("allOf") ? *rest.find("allOf") : json::array();
      all.items.push_back(std::move(alone));
      rest.set("allOf", std::move(all));
      return rest;
    }
    return out;
  }

  void take(const Word& word, const json::Value& value, json::Value& out) {
    switch (word.shape) {
      case Shape::kCopy: out.set(word.name, value); return;
      case Shape::kSchema: out.set(word.name, schema(value)); return;
      case Shape::kList: {
        json::Value list = json::array();
        for (const auto& item : value.items) list.items.push_back(schema(item));
        if (list.items.empty()) refuse(std::string(word.name) + " is not a list of schemas");
        out.set(word.name, std::move(list));
        return;
      }
      case Shape::kMapping: {
        json::Value mapping = json::object();
        // Some languages write an empty mapping as a list.
        const bool none = value.is_array() && value.items.empty();
        if (!value.is_object() && !none) refuse(std::string(word.name) + " is no mapping");
        for (const auto& member : value.members) mapping.set(member.name, schema(member.value));
        out.set(word.name, std::move(mapping));
        return;
      }
    }
  }

  // 2019-09 and 2020-12 in the words of draft 7.
  void later_words(const json::Value& from, json::Value& out) {
    const json::Value* items = from.find("items");
    if (const json::Value* prefix = from.find("prefixItems")) {
      take({"items", Shape::kList}, *prefix, out);
      if (items) out.set("additionalItems", schema(*items));
    } else if (items) {
      if (items->is_array() && items->items.empty()) return;
      take({"items", items->is_array() ? Shape::kList : Shape::kSchema}, *items, out);
    }
    json::Value needs = json::object();
    for (const char* name : {"dependencies", "dependentRequired", "dependentSchemas"}) {
      const json::Value* given = from.find(name);
      if (!given) continue;
      if (!given->is_object()) refuse(std::string(name) + " is no mapping");
      for (const auto& member : given->members)
        needs.set(member.name, member.value.is_array() ? member.value : schema(member.value));
    }
    if (!needs.members.empty()) out.set("dependencies", std::move(needs));
  }

  // Draft 4: exclusiveMinimum says of minimum that it is one.
  void older_words(const json::Value&, json::Value& out) {
    constexpr std::pair<const char*, const char*> kBounds[] = {{"exclusiveMinimum", "minimum"},
                                                               {"exclusiveMaximum", "maximum"}};
    for (const auto& pair : kBounds) {
      const char* flag = pair.first;  // clang 14 captures no structured bindings
      const char* bound = pair.second;
      const json::Value* exclusive = out.find(flag);
      if (!exclusive || !exclusive->is_boolean()) continue;
      const json::Value* limit = out.find(bound);
      const bool on = exclusive->boolean && limit;
      const json::Value value = limit ? *limit : json::null();
      std::erase_if(out.members, [&, name = std::string(on ? bound : "")](const json::Member& one) {
        return one.name == flag || one.name == name;
      });
      if (on) out.set(flag, value);
    }
  }

  // Keywords whose values are not what they have to be would mean different things to others.
  void check_values(const json::Value& out) {
    for (const char* name :
         {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}) {
      const json::Value* value = out.find(name);
      const auto number = value ? json::as_integer(*value) : std::optional<std::int64_t>(0);
      if (value && (!value->is_number() || !number || *number < 0))
        refuse(std::string(name) + " is " + printable(json::write(*value), 40));
    }
    for (const char* name :
         {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}) {
      const json::Value* value = out.find(name);
      if (value && (!value->is_number() || !std::isfinite(json::as_double(*value)) ||
                    (name == std::string_view("multipleOf") && json::as_double(*value) <= 0)))
        refuse(std::string(name) + " is " + printable(json::write(*value), 40));
    }
    for (const char* name : {"pattern", "format", "$ref"})
      if (const json::Value* value = out.find(name); value && !value->is_string())
        refuse(std::string(name) + " is no text");
    for (const char* name : {"enum", "required", "examples"})
      if (const json::Value* value = out.find(name); value && !value->is_array())
        refuse(std::string(name) + " is no list");
    if (const json::Value* type = out.find("type")) {
      const auto known = [](const json::Value& one) {
        return one.is_string() && std::any_of(std::begin(kTypeNames), std::end(kTypeNames),
                                              [&](const char* name) { return one.text == name; });
      };
      const bool sound = type->is_array() && !type->items.empty()
                             ? std::all_of(type->items.begin(), type->items.end(), known)
                             : known(*type);
      if (!sound) refuse("type is " + printable(json::write(*type), 60));
    }
  }
};

// Calls back for every schema in a normal form.
void each_schema(const json::Value& schema, const std::function<void(const json::Value&)>& look) {
  if (!schema.is_object()) return;
  look(schema);
  for (const auto& member : schema.members) {
    if (member.name == "items" && member.value.is_object()) each_schema(member.value, look);
    if (member.name == "items" || member.name == "allOf" || member.name == "anyOf" ||
        member.name == "oneOf") {
      for (const auto& item : member.value.items) each_schema(item, look);
    }
    for (const Word& word : kWords) {
      if (member.name != word.name) continue;
      if (word.shape == Shape::kSchema) each_schema(member.value, look);
      if (word.shape == Shape::kMapping)
        for (const auto& one : member.value.members) each_schema(one.value, look);
    }
    if (member.name == "dependencies")
      for (const auto& one : member.value.members) each_schema(one.value, look);
  }
}

bool is_of_type(const json::Value& value, const std::string& type) {
  if (type == "integer") return json::is_integer(value);
  return type == kind_name(value.kind);
}

class Check {
 public:
  Check(const NormalizedSchema& normalized, Steps& steps) : schema_(normalized), steps_(steps) {}

  std::vector<std::string> failures;

  void check(const json::Value& value, const json::Value& schema, int nested) {
    if (--steps_ < 0) return;
    if (nested > kMostApplied) {
      steps_ = -1;
      return;
    }
    if (schema.is_boolean()) {
      if (!schema.boolean) fail("false");
      return;
    }
    if (const json::Value* other = schema_.referred(schema))
      return check(value, *other, nested + 1);
    any_value(value, schema, nested);
    if (value.is_number()) number(value, schema);
    if (value.is_string()) string(value.text, schema);
    if (value.is_array()) array(value, schema, nested);
    if (value.is_object()) object(value, schema, nested);
  }

 private:
  void fail(const char* keyword) { failures.push_back(keyword); }

  bool fits(const json::Value& value, const json::Value& schema, int nested) {
    Check inner(schema_, steps_);
    inner.check(value, schema, nested + 1);
    return inner.failures.empty();
  }

  void any_value(const json::Value& value, const json::Value& schema, int nested) {
    if (const json::Value* type = schema.find("type")) {
      const bool right =
          type->is_array()
              ? std::any_of(type->items.begin(), type->items.end(),
                            [&](const auto& one) { return is_of_type(value, one.text); })
              : is_of_type(value, type->text);
      if (!right) fail("type");
    }
    if (const json::Value* values = schema.find("enum")) {
      steps_ -= static_cast<Steps>(values->items.size());
      const bool in = std::any_of(values->items.begin(), values->items.end(),
                                  [&](const auto& one) { return json::equal(one, value); });
      if (!in) fail("enum");
    }
    if (const json::Value* only = schema.find("const"); only && !json::equal(*only, value))
      fail("const");
    if (const json::Value* all = schema.find("allOf"))
      for (const auto& one : all->items) check(value, one, nested + 1);
    for (const char* keyword : {"anyOf", "oneOf"}) {
      const json::Value* choices = schema.find(keyword);
      if (!choices) continue;
      std::size_t fitting = 0;
      for (const auto& one : choices->items) fitting += fits(value, one, nested);
      if (fitting == 0 || (fitting > 1 && keyword == std::string_view("oneOf"))) fail(keyword);
    }
    if (const json::Value* unwanted = schema.find("not");
        unwanted && fits(value, *unwanted, nested))
      fail("not");
    if (const json::Value* condition = schema.find("if")) {
      const json::Value* other = schema.find(fits(value, *condition, nested) ? "then" : "else");
      if (other && !fits(value, *other, nested)) fail("if");
    }
  }

  void number(const json::Value& value, const json::Value& schema) {
    const double own = json::as_double(value);
    const auto limit = [&](const char* keyword, auto broken) {
      const json::Value* bound = schema.find(keyword);
      if (bound && broken(own, json::as_double(*bound))) fail(keyword);
    };
    limit("minimum", [](double a, double b) { return a < b; });
    limit("maximum", [](double a, double b) { return a > b; });
    limit("exclusiveMinimum", [](double a, double b) { return a <= b; });
    limit("exclusiveMaximum", [](double a, double b) { return a >= b; });
    limit("multipleOf", [](double a, double b) {
      const double times = a / b;
      return std::fabs(times - std::round(times)) > 1e-9 * std::max(1.0, std::fabs(times));
    });
  }

  template <class Smaller, class Larger>
  void bounded(std::size_t size, const json::Value& schema, Smaller least, Larger most) {
    if (const json::Value* bound = schema.find(least))
      if (static_cast<double>(size) < json::as_double(*bound)) fail(least);
    if (const json::Value* bound = schema.find(most))
      if (static_cast<double>(size) > json::as_double(*bound)) fail(most);
  }

  void string(const std::string& text, const json::Value& schema) {
    steps_ -= static_cast<Steps>(text.size() / 64);
    bounded(length_of(text), schema, "minLength", "maxLength");
    if (const json::Value* expression = schema.find("pattern")) {
      const Pattern* pattern = schema_.pattern(expression->text);
      if (!pattern || !pattern->found_in(text)) fail("pattern");
    }
  }

  void array(const json::Value& value, const json::Value& schema, int nested) {
    bounded(value.items.size(), schema, "minItems", "maxItems");
    const json::Value* items = schema.find("items");
    const json::Value* rest = schema.find("additionalItems");
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const json::Value* own = items;
      if (items && items->is_array()) own = i < items->items.size() ? &items->items[i] : rest;
      if (own) check(value.items[i], *own, nested + 1);
      if (steps_ < 0) return;
    }
    if (const json::Value* wanted = schema.find("contains")) {
      const bool has = std::any_of(value.items.begin(), value.items.end(),
                                   [&](const auto& item) { return fits(item, *wanted, nested); });
      if (!has) fail("contains");
    }
    if (const json::Value* unique = schema.find("uniqueItems"); unique && unique->boolean) {
      bool repeated = false;
      for (std::size_t i = 0; i < value.items.size() && steps_ >= 0; ++i)
        for (std::size_t k = 0; k < i && --steps_ >= 0; ++k)
          repeated |= json::equal(value.items[i], value.items[k]);
      if (repeated) fail("uniqueItems");
    }
  }

  void object(const json::Value& value, const json::Value& schema, int nested) {
    bounded(value.members.size(), schema, "minProperties", "maxProperties");
    if (const json::Value* required = schema.find("required")) {
      steps_ -= static_cast<Steps>(required->items.size());
      for (const auto& name : required->items)
        if (!value.find(name.text)) fail("required");
    }
    const json::Value* properties = schema.find("properties");
    const json::Value* patterns = schema.find("patternProperties");
    const json::Value* additional = schema.find("additionalProperties");
    const json::Value* names = schema.find("propertyNames");
    for (const auto& member : value.members) {
      steps_ -= static_cast<Steps>(properties ? properties->members.size() / 8 : 0);
      const json::Value* own = properties ? properties->find(member.name) : nullptr;
      bool known = own != nullptr;
      if (own) check(member.value, *own, nested + 1);
      if (patterns) {
        for (const auto& one : patterns->members) {
          const Pattern* pattern = schema_.pattern(one.name);
          if (!pattern || !pattern->found_in(member.name)) continue;
          known = true;
          check(member.value, one.value, nested + 1);
        }
      }
      if (!known && additional) {
        if (additional->is_boolean() && !additional->boolean)
          fail("additionalProperties");
        else
          check(member.value, *additional, nested + 1);
      }
      if (names && !fits(json::string(member.name), *names, nested)) fail("propertyNames");
      if (steps_ < 0) return;
    }
    if (const json::Value* needs = schema.find("dependencies")) {
      for (const auto& need : needs->members) {
        if (!value.find(need.name)) continue;
        const bool met =
            need.value.is_array()
                ? std::all_of(need.value.items.begin(), need.value.items.end(),
                              [&](const auto& name) { return value.find(name.text) != nullptr; })
                : fits(value, need.value, nested);
        if (!met) fail("dependencies");
      }
    }
  }

  const NormalizedSchema& schema_;
  Steps& steps_;
};

}  // namespace

std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

Result<NormalizedSchema> NormalizedSchema::read(const json::Value& schema) {
  Normaliser normaliser;
  const json::Value* dialect = schema.find("$schema");
  normaliser.siblings_count = !dialect || (dialect->text.find("draft-0") == std::string::npos);
  if (normaliser.count(schema, 0)) {
    NormalizedSchema out;
    out.root_ = normaliser.schema(schema);
    each_schema(out.root_, [&](const json::Value& one) {
      const json::Value* ref = one.find("$ref");
      if (ref && !ref->text.starts_with("#"))
        normaliser.refuse("it refers to " + printable(ref->text, 80) + ", which is not fetched");
      else if (ref && !out.referred(one))
        normaliser.refuse("it refers to " + printable(ref->text, 80) +
                          ", which it does not contain");
      int turns = 0;
      for (const json::Value* at = &one; at && turns <= kDeepestSchema; ++turns)
        at = out.referred(*at);
      if (turns > kDeepestSchema) normaliser.refuse("it refers to itself");
      std::vector<std::string> expressions;
      if (const json::Value* pattern = one.find("pattern")) expressions.push_back(pattern->text);
      if (const json::Value* patterns = one.find("patternProperties"))
        for (const auto& member : patterns->members) expressions.push_back(member.name);
      for (const std::string& expression : expressions) {
        auto& slot = out.patterns_[expression];
        if (!slot) slot = Pattern::compile(expression);
        if (!slot)
          normaliser.refuse("its pattern " + printable(expression, 60) + " cannot be checked");
      }
    });
    if (normaliser.why.empty()) return out;
  }
  return Error{"", normaliser.why, ""};
}

const json::Value* NormalizedSchema::referred(const json::Value& schema) const {
  const json::Value* ref = schema.is_object() ? schema.find("$ref") : nullptr;
  if (!ref || !ref->text.starts_with("#")) return nullptr;
  const json::Value* found = json::at(root_, percent_decoded(ref->text.substr(1)));
  return found && (found->is_object() || found->is_boolean()) ? found : nullptr;
}

const Pattern* NormalizedSchema::pattern(const std::string& expression) const {
  const auto found = patterns_.find(expression);
  return found == patterns_.end() || !found->second ? nullptr : &*found->second;
}

std::vector<std::string> NormalizedSchema::failures(const json::Value& value,
                                                    const json::Value& schema, Steps& steps) const {
  Check check(*this, steps);
  check.check(value, schema, 0);
  return std::move(check.failures);
}

}  // namespace harness::schema
