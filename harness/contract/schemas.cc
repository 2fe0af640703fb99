// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/schemas.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/text.h"
#include "harness/schema/pattern.h"
#include "harness/schema/schema_check.h"

namespace harness::contract {
namespace {

using schema::InstanceCheck;

// Words that draft 7 does not have; they are read by their meaning.
constexpr const char* kLater = "came after draft 7; name the dialect of the schema with $schema";
constexpr struct {
  const char *word, *what;
} kForeign[] = {{"$defs", kLater},
                {"prefixItems", kLater},
                {"dependentRequired", kLater},
                {"dependentSchemas", kLater},
                {"nullable", "is of OpenAPI; in JSON Schema, write null among the types"}};
// Beside them an `enum` has something to fit.
constexpr const char* kHeldTo[] = {"type",      "pattern", "minLength",        "maxLength",
                                   "minimum",   "maximum", "exclusiveMinimum", "exclusiveMaximum",
                                   "multipleOf"};

bool refers(const json::Value& value) {
  return value.find("$ref") != nullptr ||
         std::any_of(value.items.begin(), value.items.end(), refers) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [](const json::Member& one) { return refers(one.value); });
}

class Schemas {
 public:
  Schemas(const Document& document, Flaws& flaws) : document_(document), flaws_(flaws) {}

  void look(const Place& root) {
    const json::Value* named = root.find("$schema");
    const auto dialect = named != nullptr && named->is_string() ? schema::dialect_named(named->text)
                                                                : schema::Dialect::kDraft7;
    if (!dialect) {
      flaws_.add_some("schemas-sound", Weight::kInfo, root.member("$schema"),
                      "the dialect " + shown(*named) + " is not known; the schema is not judged");
      return;
    }
    std::set<std::string> told;
    for (const schema::SchemaMistake& mistake : schema::mistakes_in(*root.value, *dialect)) {
      if (!told.insert(mistake.path).second) continue;
      const Place at{json::at(*root.value, mistake.path), root.pointer + mistake.path};
      flaws_.add("schemas-sound", Weight::kFail, at,
                 (at ? shown(*at.value) : "it") + " is not " + mistake.expected);
    }
    for (const schema::SchemaPlace& place : schema::places_in(*root.value)) {
      if (!place.schema.is_object()) continue;
      const Place at{&place.schema, root.pointer + place.path};
      reference(at);
      patterns(at);
      if (named == nullptr) foreign_words(at);
      values(at);
    }
  }

 private:
  void reference(const Place& at) {
    const json::Value* to = at.find("$ref");
    if (to != nullptr && to->is_string() && !is_meta_schema(to->text) &&
        (!document_.target(to->text) || document_.begins_circle(at)))
      flaws_.add_open(document_, at);
  }

  void pattern(const Place& at, const std::string& expression) {
    const std::string fault = schema::Pattern::fault(expression);
    if (!fault.empty())
      flaws_.add("patterns-compile", Weight::kWarn, at,
                 "`" + printable(expression, 60) + "` is not a regular expression: " + fault);
    else if (expression.starts_with("(?i)"))
      flaws_.add(
          "patterns-compile", Weight::kInfo, at,
          "`" + printable(expression, 60) + "` begins with a flag that ECMA-262 does not have");
  }

  void patterns(const Place& at) {
    if (const Place one = at.member("pattern"); one && one.value->is_string())
      pattern(one, one.value->text);
    if (const Place all = at.member("patternProperties"); all && all.value->is_object())
      for (const json::Member& one : all.value->members) pattern(all.member(one.name), one.name);
  }

  void foreign_words(const Place& at) {
    for (const auto& [word, what] : kForeign)
      if (at.find(word) != nullptr && foreign_.insert(word).second)
        flaws_.add("schemas-sound", Weight::kInfo, at.member(word),
                   "`" + std::string(word) + "` " + what);
  }

  // A default, and each value of enum and examples.
  void values(const Place& at) {
    const Place standard = at.member("default"), choice = at.member("enum"),
                examples = at.member("examples");
    if (standard || examples) {
      const InstanceCheck check = held(*at.value, at);
      if (standard) value(check, standard, true);
      for (std::size_t i = 0; examples && i < examples.value->items.size(); ++i)
        value(check, examples.item(i), false);
    }
    const bool bound = std::any_of(std::begin(kHeldTo), std::end(kHeldTo),
                                   [&](const char* word) { return at.find(word) != nullptr; });
    if (!choice || !bound) return;
    json::Value rest = *at.value;
    std::erase_if(rest.members, [](const json::Member& one) { return one.name == "enum"; });
    const InstanceCheck check = held(rest, at);
    for (std::size_t i = 0; i < choice.value->items.size(); ++i)
      value(check, choice.item(i), false);
  }

  InstanceCheck held(const json::Value& schema, const Place& at) const {
    if (!refers(schema)) return InstanceCheck(schema, InstanceCheck::Readings::kAll);
    return InstanceCheck(bundle(document_, {&schema, at.pointer}).schema,
                         InstanceCheck::Readings::kAll);
  }

  void value(const InstanceCheck& check, const Place& at, bool standard) {
    const auto broken = check.breach(*at.value);
    if (!broken) return;
    // Words in place of a value that is made at run time.
    const bool words =
        standard && at.value->is_string() && broken->keyword == "type" && broken->place.empty();
    flaws_.add_some("defaults-fit", words ? Weight::kInfo : Weight::kWarn, at,
                    shown(*at.value) + " does not fit the schema it stands in: it breaks `" +
                        broken->keyword + "`");
  }

  const Document& document_;
  Flaws& flaws_;
  std::set<std::string> foreign_;
};

}  // namespace

void check_schemas(const Document& document, const std::vector<Place>& schemas, Flaws& flaws) {
  Schemas all(document, flaws);
  for (const Place& root : schemas) all.look(root);
}

HeldSchema::HeldSchema(const Document& document, const Place& schema) {
  Bundle bundled = bundle(document, schema);
  bundled_ = std::make_shared<const json::Value>(std::move(bundled.schema));
  doubt_ = std::move(bundled.refused);
  if (!doubt_.empty()) return;
  if (!bundled.open.empty()) {
    doubt_ = "it refers to " + printable(bundled.open.front(), 100) +
             ", which the document does not have";
    return;
  }
  check_ = std::make_shared<InstanceCheck>(*bundled_, InstanceCheck::Readings::kAll);
  doubt_ = check_->refused();
}

std::optional<schema::Breach> HeldSchema::breach(const json::Value& value) const {
  if (!doubt_.empty()) return std::nullopt;
  auto broken = check_->breach(value);
  if (broken) broken->schema = in_document(broken->schema);
  return broken;
}

}  // namespace harness::contract
