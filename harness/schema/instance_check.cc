// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/instance_check.h"

#include <string_view>
#include <utility>

#include "harness/schema/schema_check.h"

namespace harness::schema {
namespace {

constexpr Steps kSteps = 300'000;
constexpr int kMostFollowed = 200;

// What of a schema may be read in two ways, and the schema in the other way.
struct OtherReading {
  static constexpr unsigned kDropSiblings = 1, kSeveralOfOne = 2, kNullable = 4, kAll = 7;
  unsigned ways = 0;
  bool differs = false;

  json::Value of(const json::Value& from) {
    json::Value out = from;
    change(out);
    return out;
  }

 private:
  void change(json::Value& schema) {
    for (json::Value& item : schema.items) change(item);
    if (!schema.is_object()) return;
    if ((ways & kDropSiblings) != 0 && schema.find("$ref") != nullptr) {
      differs |= std::erase_if(schema.members, [](const json::Member& one) {
                   return one.name != "$ref" && one.name != "definitions" && one.name != "$defs" &&
                          one.name != "title" && one.name != "description";
                 }) > 0;
    }
    for (json::Member& member : schema.members) {
      if ((ways & kSeveralOfOne) != 0 && member.name == "oneOf" && member.value.is_array() &&
          schema.find("anyOf") == nullptr) {
        member.name = "anyOf";
        differs = true;
      }
      // What is data, and what counts the other way round.
      constexpr std::string_view kKept[] = {"enum", "const", "default", "examples", "not", "if"};
      bool kept = false;
      for (const std::string_view name : kKept) kept |= member.name == name;
      if (!kept) change(member.value);
    }
    // As in OpenAPI 3.0.
    if (const json::Value* nullable = schema.find("nullable");
        (ways & kNullable) != 0 && nullable != nullptr && nullable->is_boolean() &&
        nullable->boolean) {
      json::Value choices = json::array({json::object({{"type", json::string("null")}})});
      choices.items.push_back(std::move(schema));
      schema = json::object({{"anyOf", std::move(choices)}});
      differs = true;
    }
  }
};

// Goes down to the innermost value that breaks its schema.
class Descent {
 public:
  Descent(const NormalizedSchema& schema, Steps& steps) : schema_(schema), steps_(steps) {}

  Breach of(const json::Value& value) {
    const json::Value* at = &value;
    const json::Value* under = &schema_.root();
    for (int turn = 0; turn < kMostFollowed; ++turn)
      if (!deeper(at, under)) break;
    const std::vector<std::string> broken = schema_.failures(*at, *under, steps_);
    out_.keyword = broken.empty() ? "" : broken.front();
    return std::move(out_);
  }

 private:
  bool deeper(const json::Value*& at, const json::Value*& under) {
    if (const json::Value* other = schema_.referred(*under)) {
      out_.schema = under->find("$ref")->text.substr(1);
      under = other;
      return true;
    }
    if (!under->is_object()) return false;
    const auto enter = [&](const json::Value& value, const json::Value* schema,
                           const std::string& place, const std::string& path) {
      if (schema == nullptr || schema_.fits(value, *schema, steps_) || steps_ < 0) return false;
      at = &value;
      under = schema;
      out_.place += place;
      out_.schema += path;
      return true;
    };
    const json::Value* properties = under->find("properties");
    const json::Value* rest = under->find("additionalProperties");
    for (const json::Member& member : at->members) {
      const json::Value* own = properties != nullptr ? properties->find(member.name) : nullptr;
      const std::string name = "/" + pointer_token(member.name);
      if (enter(member.value, own, name, "/properties" + name)) return true;
      if (own == nullptr && rest != nullptr && rest->is_object() &&
          under->find("patternProperties") == nullptr &&
          enter(member.value, rest, name, "/additionalProperties"))
        return true;
    }
    const json::Value* items = under->find("items");
    for (std::size_t i = 0; items != nullptr && i < at->items.size(); ++i) {
      const std::string number = "/" + std::to_string(i);
      const bool each = !items->is_array();
      if (!each && i >= items->items.size()) break;
      if (enter(at->items[i], each ? items : &items->items[i], number,
                each ? "/items" : "/items" + number))
        return true;
    }
    if (const json::Value* all = under->find("allOf"))
      for (std::size_t i = 0; i < all->items.size(); ++i)
        if (enter(*at, &all->items[i], "", "/allOf/" + std::to_string(i))) return true;
    return false;
  }

  const NormalizedSchema& schema_;
  Steps& steps_;
  Breach out_;
};

}  // namespace

InstanceCheck::InstanceCheck(const json::Value& schema, Readings readings) {
  const auto add = [&](const json::Value& one) {
    Result<NormalizedSchema> normalized = NormalizedSchema::read(one);
    if (normalized) return readings_.push_back(std::move(*normalized));
    if (refused_.empty()) refused_ = normalized.error().what;
  };
  add(schema);
  if (readings == Readings::kAll && refused_.empty()) {
    unsigned open = 0;
    for (unsigned one = 1; one <= OtherReading::kAll; one *= 2) {
      OtherReading other{one};
      other.of(schema);
      if (other.differs) open |= one;
    }
    for (unsigned ways = 1; ways <= OtherReading::kAll; ++ways)
      if ((ways & ~open) == 0) add(OtherReading{ways}.of(schema));
  }
  if (!refused_.empty()) readings_.clear();
}

std::optional<std::string> InstanceCheck::broken_keyword(const json::Value& value) const {
  std::optional<std::string> first;
  for (const NormalizedSchema& reading : readings_) {
    Steps steps = kSteps;
    std::vector<std::string> broken = reading.failures(value, reading.root(), steps);
    if (steps < 0 || broken.empty()) return std::nullopt;
    if (!first) first = std::move(broken.front());
  }
  return first;
}

std::optional<Breach> InstanceCheck::breach(const json::Value& value) const {
  const std::optional<std::string> keyword = broken_keyword(value);
  if (!keyword) return std::nullopt;
  Steps steps = kSteps;
  Breach found = Descent(readings_.front(), steps).of(value);
  if (steps < 0 || found.keyword.empty()) return Breach{*keyword, "", ""};
  return found;
}

std::optional<std::string> broken_keyword(const json::Value& schema, const json::Value& value) {
  return InstanceCheck(schema).broken_keyword(value);
}

}  // namespace harness::schema
