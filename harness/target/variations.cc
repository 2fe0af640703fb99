// SPDX-License-Identifier: Apache-2.0
#include "harness/target/variations.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/target/good_value.h"

namespace harness::target {
namespace {

using Variations = std::vector<Variation>;

constexpr double kMostText = 65'536;  // characters of a text that is sent
constexpr double kMostItems = 1000;

// The keyword's value, when it has one and the good value is of the kind it is about.
const json::Value* about(const Spot& spot, const char* keyword, json::Kind kind) {
  return spot.good.kind == kind ? spot.schema.find(keyword) : nullptr;
}

Variations all_types(const Spot& spot) {
  if (spot.root || !spot.schema.find("type")) return {};
  const json::Value samples[] = {json::string("text"), json::number(7), json::number_spelled("1.5"),
                                 json::boolean(true),  json::null(),    json::object(),
                                 json::array()};
  Variations out;
  for (const json::Value& sample : samples) {
    const bool fraction = sample.text == "1.5";
    if (sample.kind == spot.good.kind && !fraction) continue;
    out.push_back(
        {sample, "of the type " + std::string(fraction ? "number" : kind_name(sample.kind))});
  }
  return out;
}

Variations null_allowed(const Spot& spot) {
  if (spot.root || spot.good.is_null()) return {};
  return {{json::null(), "null"}};
}

Variations each_of_enum(const Spot& spot) {
  const json::Value* values = spot.schema.find("enum");
  Variations out;
  if (!values) return out;
  for (std::size_t i = 0; i < values->items.size() && i < 8; ++i)
    out.push_back({values->items[i], "the allowed value " + json::write(values->items[i])});
  return out;
}

Variations none_of_enum(const Spot& spot) {
  if (!spot.schema.find("enum") && !spot.schema.find("const")) return {};
  if (spot.good.is_string()) return {{json::string("none-of-these"), "none of the allowed values"}};
  if (spot.good.is_number()) return {{json::number(987654321), "none of the allowed values"}};
  if (spot.good.is_boolean())
    return {{json::boolean(!spot.good.boolean), "none of the allowed values"}};
  return {};
}

// --- numbers

Variations at_bound(const Spot& spot, const char* keyword) {
  const json::Value* limit = about(spot, keyword, json::Kind::kNumber);
  if (!limit) return {};
  return {{*limit, fmt::format("at its {} {}", keyword, limit->text)}};
}

// `away`: towards the forbidden side.
Variations beyond_bound(const Spot& spot, const char* keyword, double away) {
  const json::Value* limit = about(spot, keyword, json::Kind::kNumber);
  if (!limit) return {};
  const json::Value* step = spot.schema.find("multipleOf");
  const double value = json::as_double(*limit) + away * (step ? json::as_double(*step) : 1);
  if (value == json::as_double(*limit)) return {};
  return {{number_of(value), fmt::format("beyond its {} {}", keyword, limit->text)}};
}

Variations next_to_exclusive(const Spot& spot, const char* keyword, double inside) {
  const json::Value* limit = about(spot, keyword, json::Kind::kNumber);
  if (!limit) return {};
  const json::Value* step = spot.schema.find("multipleOf");
  const double value = json::as_double(*limit) + inside * (step ? json::as_double(*step) : 1);
  return {{number_of(value), fmt::format("next to its {} {}", keyword, limit->text)}};
}

Variations at_minimum(const Spot& spot) { return at_bound(spot, "minimum"); }
Variations at_maximum(const Spot& spot) { return at_bound(spot, "maximum"); }
Variations above_exclusive(const Spot& spot) {
  return next_to_exclusive(spot, "exclusiveMinimum", 1);
}
Variations below_exclusive(const Spot& spot) {
  return next_to_exclusive(spot, "exclusiveMaximum", -1);
}
Variations below_minimum(const Spot& spot) { return beyond_bound(spot, "minimum", -1); }
Variations above_maximum(const Spot& spot) { return beyond_bound(spot, "maximum", 1); }
Variations at_exclusive_minimum(const Spot& spot) { return at_bound(spot, "exclusiveMinimum"); }
Variations at_exclusive_maximum(const Spot& spot) { return at_bound(spot, "exclusiveMaximum"); }

Variations between_multiples(const Spot& spot) {
  const json::Value* step = about(spot, "multipleOf", json::Kind::kNumber);
  if (!step) return {};
  const double size = json::as_double(*step), own = json::as_double(spot.good);
  const std::string what = "not a multiple of " + step->text;
  return {
      {number_of(own + size / 2), what}, {number_of(own + 1), what}, {number_of(own - 1), what}};
}

// Without bounds of its own a number has these edges.
Variations plain_numbers(const Spot& spot) {
  if (!spot.good.is_number()) return {};
  Variations out = {{json::number(0), "0"}, {json::number(-1), "-1"}};
  if (json::is_integer(spot.good))
    out.push_back({json::number(9007199254740991), "the largest whole number of a double"});
  return out;
}

// All that the arguments hold: each may be harmless, and what is made of them none.
Variations numbers_together(const Spot& spot) {
  const json::Value* properties = spot.schema.find("properties");
  if (!spot.root || !properties || !spot.good.is_object()) return {};
  json::Value largest = spot.good, zero = spot.good;
  for (const json::Member& member : spot.good.members) {
    const json::Value* own = properties->find(member.name);
    const json::Value* type = own ? own->find("type") : nullptr;
    if (!member.value.is_number() || !type || !type->is_string()) continue;
    zero.set(member.name, json::number(0));
    if (type->text == "number")
      largest.set(member.name, json::number_spelled("1.7976931348623157e308"));
  }
  return {{std::move(largest), "with every number as large as a double holds"},
          {std::move(zero), "with every number 0"}};
}

// --- texts

// A text of this length that keeps to the pattern, when there is one.
Variations of_length(const Spot& spot, double length, const std::string& what) {
  if (length < 0 || length > kMostText || spot.schema.find("format")) return {};
  const auto size = static_cast<std::size_t>(length);
  Variations out;
  if (const json::Value* expression = spot.schema.find("pattern")) {
    if (const Pattern* pattern = spot.normalized.pattern(expression->text))
      for (std::string& text : pattern->samples(size, size))
        out.push_back({json::string(text), what});
    return out;
  }
  std::string text = spot.good.text;
  if (length_of(text) != text.size()) text.clear();
  text.resize(size, 'a');
  out.push_back({json::string(text), what});
  return out;
}

Variations text_at(const Spot& spot, const char* keyword, double more) {
  const json::Value* limit = about(spot, keyword, json::Kind::kString);
  if (!limit) return {};
  return of_length(spot, json::as_double(*limit) + more,
                   fmt::format("{} its {} {}", more == 0 ? "at" : "beyond", keyword, limit->text));
}

Variations at_least_length(const Spot& spot) { return text_at(spot, "minLength", 0); }
Variations at_most_length(const Spot& spot) { return text_at(spot, "maxLength", 0); }
Variations too_short(const Spot& spot) { return text_at(spot, "minLength", -1); }
Variations too_long(const Spot& spot) { return text_at(spot, "maxLength", 1); }

Variations plain_texts(const Spot& spot) {
  if (!spot.good.is_string() || spot.schema.find("format")) return {};
  return {
      {json::string(""), "empty"},
      {json::string("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x99\x82"), "of characters of two to four bytes"},
      {json::string("\"\\\n\t\x01"), "of characters that JSON escapes"}};
}

Variations against_pattern(const Spot& spot) {
  const json::Value* expression = about(spot, "pattern", json::Kind::kString);
  if (!expression) return {};
  Variations out;
  const std::string what = "against its pattern " + expression->text;
  const std::string& good = spot.good.text;
  std::vector<std::string> tries = {std::string(good.size(), '!'),
                                    std::string(good.size(), '~'),
                                    good + "!",
                                    "!" + good,
                                    std::string(good.size(), 'a'),
                                    std::string(good.size(), '0'),
                                    "",
                                    "!",
                                    "a",
                                    "0",
                                    "\n"};
  const Pattern* pattern = spot.normalized.pattern(expression->text);
  for (const std::string& text : tries) {
    if (out.size() == 2) break;
    if (pattern && !pattern->found_in(text)) out.push_back({json::string(text), what});
  }
  return out;
}

// --- lists

json::Value resized(const Spot& spot, double length, bool fresh) {
  json::Value out = spot.good;
  const auto size = static_cast<std::size_t>(length);
  if (size < out.items.size()) out.items.resize(size);
  const json::Value* items = spot.schema.find("items");
  Steps steps = 200'000;
  GoodValue maker(spot.normalized, true, steps);
  const json::Value anything = json::boolean(true);
  const json::Value& own = items && !items->is_array() ? *items : anything;
  while (out.items.size() < size) {
    std::optional<json::Value> next;
    if (fresh || out.items.empty())
      next = out.items.empty() ? maker.make(own) : maker.another(own, out.items);
    if (!next && out.items.empty()) break;
    out.items.push_back(next ? std::move(*next) : out.items.back());
  }
  return out;
}

Variations list_at(const Spot& spot, const char* keyword, double more) {
  const json::Value* limit = about(spot, keyword, json::Kind::kArray);
  if (!limit) return {};
  const double length = json::as_double(*limit) + more;
  if (length < 0 || length > kMostItems) return {};
  const json::Value* unique = spot.schema.find("uniqueItems");
  return {{resized(spot, length, unique && unique->boolean && length < 64),
           fmt::format("{} its {} {}", more == 0 ? "at" : "beyond", keyword, limit->text)}};
}

Variations at_least_items(const Spot& spot) { return list_at(spot, "minItems", 0); }
Variations at_most_items(const Spot& spot) { return list_at(spot, "maxItems", 0); }
Variations too_few_items(const Spot& spot) { return list_at(spot, "minItems", -1); }
Variations too_many_items(const Spot& spot) { return list_at(spot, "maxItems", 1); }
Variations empty_list(const Spot& spot) {
  if (!spot.good.is_array()) return {};
  return {{json::array(), "empty"}};
}
Variations repeated_item(const Spot& spot) {
  if (!about(spot, "uniqueItems", json::Kind::kArray) || spot.good.items.empty()) return {};
  json::Value longer = spot.good, replaced = spot.good;
  longer.items.push_back(longer.items.front());
  replaced.items.back() = replaced.items.front();
  return {{longer, "with an item twice"}, {replaced, "with an item twice"}};
}

// --- objects

Variations without_required(const Spot& spot) {
  const json::Value* required = about(spot, "required", json::Kind::kObject);
  Variations out;
  if (!required) return out;
  const json::Value* properties = spot.schema.find("properties");
  for (const json::Value& name : required->items) {
    // With a default at hand a server may lawfully put it there, whatever `required` says.
    const json::Value* own = properties ? properties->find(name.text) : nullptr;
    if (own && own->is_object() && own->find("default")) continue;
    json::Value less = spot.good;
    std::erase_if(less.members, [&](const json::Member& one) { return one.name == name.text; });
    if (out.size() < 16) out.push_back({std::move(less), "without '" + name.text + "'"});
  }
  return out;
}

Variations without_optional(const Spot& spot) {
  if (!spot.good.is_object()) return {};
  const json::Value* required = spot.schema.find("required");
  json::Value less = spot.good;
  std::erase_if(less.members, [&](const json::Member& one) {
    return !required ||
           std::none_of(required->items.begin(), required->items.end(),
                        [&](const json::Value& name) { return name.text == one.name; });
  });
  if (less.members.size() == spot.good.members.size()) return {};
  return {{std::move(less), "with required members only"}};
}

// Without the member that another one needs beside it.
Variations without_dependent(const Spot& spot) {
  const json::Value* needs = about(spot, "dependencies", json::Kind::kObject);
  Variations out;
  if (!needs) return out;
  for (const json::Member& need : needs->members) {
    if (!spot.good.find(need.name) || !need.value.is_array()) continue;
    for (const json::Value& name : need.value.items) {
      json::Value less = spot.good;
      std::erase_if(less.members, [&](const json::Member& one) { return one.name == name.text; });
      if (out.size() < 16)
        out.push_back(
            {std::move(less), "with '" + need.name + "' and without '" + name.text + "'"});
    }
  }
  return out;
}

Variations with_another_member(const Spot& spot) {
  if (!spot.good.is_object()) return {};
  json::Value more = spot.good;
  more.set("member_nobody_named", json::string("text"));
  return {{std::move(more), "with a member that is not in the schema"}};
}
Variations with_forbidden_member(const Spot& spot) {
  const json::Value* additional = about(spot, "additionalProperties", json::Kind::kObject);
  if (!additional || !additional->is_boolean() || additional->boolean) return {};
  return with_another_member(spot);
}

}  // namespace

const std::vector<VariationRow>& variation_rows() {
  constexpr Arguments kBoundary = Arguments::kBoundary, kBroken = Arguments::kBroken;
  static const std::vector<VariationRow> kRows = {
      {"required", kBoundary, without_optional},
      {"additionalProperties", kBoundary, with_another_member},
      {"enum", kBoundary, each_of_enum},
      {"type", kBoundary, null_allowed},
      {"minimum", kBoundary, at_minimum},
      {"maximum", kBoundary, at_maximum},
      {"exclusiveMinimum", kBoundary, above_exclusive},
      {"exclusiveMaximum", kBoundary, below_exclusive},
      {"type", kBoundary, plain_numbers},
      {"numbers", kBoundary, numbers_together},
      {"minLength", kBoundary, at_least_length},
      {"maxLength", kBoundary, at_most_length},
      {"type", kBoundary, plain_texts},
      {"minItems", kBoundary, at_least_items},
      {"maxItems", kBoundary, at_most_items},
      {"type", kBoundary, empty_list},
      {"required", kBroken, without_required},
      {"type", kBroken, all_types},
      {"enum", kBroken, none_of_enum},
      {"const", kBroken, none_of_enum},
      {"minimum", kBroken, below_minimum},
      {"maximum", kBroken, above_maximum},
      {"exclusiveMinimum", kBroken, at_exclusive_minimum},
      {"exclusiveMaximum", kBroken, at_exclusive_maximum},
      {"multipleOf", kBroken, between_multiples},
      {"minLength", kBroken, too_short},
      {"maxLength", kBroken, too_long},
      {"pattern", kBroken, against_pattern},
      {"minItems", kBroken, too_few_items},
      {"maxItems", kBroken, too_many_items},
      {"uniqueItems", kBroken, repeated_item},
      {"additionalProperties", kBroken, with_forbidden_member},
      {"dependencies", kBroken, without_dependent},
  };
  return kRows;
}

}  // namespace harness::target
