// SPDX-License-Identifier: Apache-2.0
// A schema of arguments may allow more than before, never less: clients go on to send what was
// allowed. A schema of results may allow less, never more: clients are made for what it allowed.
// Both come down to one question per keyword, whether the new schema allows more, less, or
// something else.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace json = harness::json;

// Of places that are compared: a schema can contain itself.
constexpr int kMostSteps = 2000;
constexpr int kMostDepth = 30;

enum class Effect { kLess, kMore, kOther, kNone };

struct Limit {
  const char* keyword;
  bool upper;  // a higher value allows more
};
constexpr std::array<Limit, 10> kLimits = {{{"minimum", false},
                                            {"exclusiveMinimum", false},
                                            {"minLength", false},
                                            {"minItems", false},
                                            {"minProperties", false},
                                            {"maximum", true},
                                            {"exclusiveMaximum", true},
                                            {"maxLength", true},
                                            {"maxItems", true},
                                            {"maxProperties", true}}};

// Keywords that say something to people and change nothing that is allowed.
const std::set<std::string, std::less<>> kAnnotations = {"title",
                                                         "description",
                                                         "default",
                                                         "examples",
                                                         "example",
                                                         "deprecated",
                                                         "$comment",
                                                         "$schema",
                                                         "$id",
                                                         "readOnly",
                                                         "writeOnly",
                                                         "format",
                                                         "contentMediaType",
                                                         "contentEncoding"};

// Keywords that are compared one by one, or stand for what is.
const std::set<std::string, std::less<>> kCompared = {
    "type",  "enum",  "const", "required", "properties", "additionalProperties",
    "items", "anyOf", "oneOf", "$ref",     "$defs",      "definitions"};

std::set<std::string> types_of(const json::Value& schema) {
  std::set<std::string> out;
  const json::Value* type = schema.find("type");
  if (type == nullptr) return {"array", "boolean", "integer", "null", "number", "object", "string"};
  if (type->is_string()) out.insert(type->text);
  for (const json::Value& one : type->items) out.insert(one.text);
  if (out.count("number") > 0) out.insert("integer");
  return out;
}

// The values that are allowed by enum or const; null where neither is there.
const json::Value* values_of(const json::Value& schema, json::Value& kept) {
  if (const json::Value* all = schema.find("enum"); all != nullptr && all->is_array()) return all;
  const json::Value* one = schema.find("const");
  if (one == nullptr) return nullptr;
  kept = json::array({*one});
  return &kept;
}

// The first of `list` that `other` lacks, as text; "" when there is none.
std::string lacking(const json::Value& list, const json::Value& other) {
  for (const json::Value& one : list.items)
    if (!list_holds(other, one)) return harness::printable(json::write(one), 60);
  return "";
}

class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

class Comparer {
 public:
  Comparer(const json::Value& before, const json::Value& after, Direction direction,
           std::vector<SurfaceChange>& changes)
      : before_(before), after_(after), direction_(direction), changes_(changes) {}

  void compare(const json::Value& old_schema, const json::Value& new_schema,
               const std::string& where) {
    const Deeper deeper(depth_);
    if (--steps_ < 0 || depth_ > kMostDepth) return;
    if (seen_before(old_schema, new_schema)) return;
    const json::Value& was = resolved(old_schema, before_);
    const json::Value& is = resolved(new_schema, after_);
    if (json::equal(was, is) && was.find("$ref") == nullptr && !refers(was)) return;
    if (!was.is_object() || !is.is_object()) {
      if (!json::equal(was, is)) add(effect_of_booleans(was, is), where, "allows other values", "");
      return;
    }
    types(was, is, where);
    values(was, is, where);
    for (const Limit& limit : kLimits) bound(limit, was, is, where);
    members(was, is, where);
    inner("items", was, is, where + ", items");
    choices("anyOf", was, is, where);
    choices("oneOf", was, is, where);
    others(was, is, where);
  }

 private:
  void add(Effect effect, const std::string& where, std::string what, std::string reason) {
    if (effect == Effect::kNone) return;
    const bool breaks = effect == Effect::kOther ||
                        (effect == Effect::kLess) == (direction_ == Direction::kToServer);
    changes_.push_back(
        {breaks ? Grade::kBreaking : Grade::kAdditive, where, std::move(what), std::move(reason)});
  }

  const json::Value& resolved(const json::Value& schema, const json::Value& root) {
    const json::Value* at = &schema;
    for (int hops = 0; hops < 20; ++hops) {
      const json::Value* ref = at->is_object() ? at->find("$ref") : nullptr;
      if (ref == nullptr || !ref->is_string() || !ref->text.starts_with("#")) break;
      const json::Value* to = json::at(root, ref->text.substr(1));
      if (to == nullptr) break;
      at = to;
    }
    return *at;
  }

  // A schema that contains itself is compared once.
  bool seen_before(const json::Value& was, const json::Value& is) {
    const json::Value* one = was.is_object() ? was.find("$ref") : nullptr;
    const json::Value* other = is.is_object() ? is.find("$ref") : nullptr;
    return one != nullptr && other != nullptr && !seen_.insert({one->text, other->text}).second;
  }

  // Equal text may refer to what is not equal.
  static bool refers(const json::Value& schema) {
    return json::write(schema).find("\"$ref\"") != std::string::npos;
  }

  static Effect effect_of_booleans(const json::Value& was, const json::Value& is) {
    if (is.is_boolean()) return is.boolean ? Effect::kMore : Effect::kLess;
    if (was.is_boolean()) return was.boolean ? Effect::kLess : Effect::kMore;
    return Effect::kOther;
  }

  void types(const json::Value& was, const json::Value& is, const std::string& where) {
    const std::set<std::string> before = types_of(was), after = types_of(is);
    if (before == after) return;
    const bool less = std::includes(before.begin(), before.end(), after.begin(), after.end());
    const bool more = std::includes(after.begin(), after.end(), before.begin(), before.end());
    const auto words = [](const json::Value& schema) {
      const json::Value* type = schema.find("type");
      return type == nullptr ? std::string("any") : harness::printable(json::write(*type), 60);
    };
    add(less   ? Effect::kLess
        : more ? Effect::kMore
               : Effect::kOther,
        where, "type was " + words(was) + " and is " + words(is), "");
  }

  void values(const json::Value& was, const json::Value& is, const std::string& where) {
    json::Value kept_before, kept_after;
    const json::Value* before = values_of(was, kept_before);
    const json::Value* after = values_of(is, kept_after);
    if (before == nullptr && after == nullptr) return;
    if (before == nullptr) return add(Effect::kLess, where, "only certain values are allowed", "");
    if (after == nullptr) return add(Effect::kMore, where, "any value is allowed", "");
    if (const std::string gone = lacking(*before, *after); !gone.empty())
      add(Effect::kLess, where, "value " + gone + " is no longer allowed", "");
    if (const std::string added = lacking(*after, *before); !added.empty())
      add(Effect::kMore, where, "value " + added + " is new", "");
  }

  void bound(const Limit& limit, const json::Value& was, const json::Value& is,
             const std::string& where) {
    const json::Value* before = was.find(limit.keyword);
    const json::Value* after = is.find(limit.keyword);
    const auto none = [](const json::Value* one) { return one == nullptr || !one->is_number(); };
    if (none(before) && none(after)) return;
    if (!none(before) && !none(after) && json::equal(*before, *after)) return;
    const auto text = [&](const json::Value* one) { return none(one) ? "none" : one->text; };
    bool more = none(after);
    if (!none(before) && !none(after))
      more = (json::as_double(*after) > json::as_double(*before)) == limit.upper;
    add(more ? Effect::kMore : Effect::kLess, where,
        std::string(limit.keyword) + " was " + text(before) + " and is " + text(after), "");
  }

  static bool required(const json::Value& schema, const std::string& name) {
    const json::Value* list = schema.find("required");
    return list != nullptr && list_holds(*list, json::string(name));
  }

  static bool closed(const json::Value& schema) {
    const json::Value* rest = schema.find("additionalProperties");
    return rest != nullptr && rest->is_boolean() && !rest->boolean;
  }

  std::string member(const std::string& where, const std::string& name) const {
    const char* noun = direction_ == Direction::kToServer ? "argument " : "member ";
    return where + ", " + noun + harness::printable(name, 60);
  }

  void members(const json::Value& was, const json::Value& is, const std::string& where) {
    static const json::Value kNone = json::object();
    const bool sent = direction_ == Direction::kToServer;
    const json::Value* old_list = was.find("properties");
    const json::Value* new_list = is.find("properties");
    const json::Value& before = old_list == nullptr ? kNone : *old_list;
    const json::Value& after = new_list == nullptr ? kNone : *new_list;
    for (const json::Member& one : before.members) {
      const std::string at = member(where, one.name);
      const json::Value* now = after.find(one.name);
      if (now == nullptr) {
        changes_.push_back({Grade::kBreaking, at, "is gone",
                            sent ? "clients still send it" : "clients still read it"});
        continue;
      }
      compare(one.value, *now, at);
      const bool before_required = required(was, one.name);
      if (before_required != required(is, one.name))
        add(before_required ? Effect::kMore : Effect::kLess, at,
            before_required ? "is now optional" : "is now required", "");
    }
    for (const json::Member& one : after.members) {
      if (before.find(one.name) != nullptr) continue;
      const bool breaks = sent ? required(is, one.name) : closed(was);
      changes_.push_back(
          {breaks ? Grade::kBreaking : Grade::kAdditive, member(where, one.name),
           sent && breaks ? "is new and required" : "is new",
           breaks ? (sent ? "clients do not send it" : "the old schema forbade it") : ""});
    }
    if (closed(was) != closed(is))
      add(closed(is) ? Effect::kLess : Effect::kMore, where,
          closed(is) ? "other members are forbidden" : "other members are allowed", "");
    else if (!closed(was))
      inner("additionalProperties", was, is, where + ", other members");
  }

  void inner(const char* keyword, const json::Value& was, const json::Value& is,
             const std::string& where) {
    const json::Value* before = was.find(keyword);
    const json::Value* after = is.find(keyword);
    const auto any = [](const json::Value* one) {
      return one == nullptr || (one->is_boolean() && one->boolean);
    };
    if (any(before) && any(after)) return;
    if (any(before)) return add(Effect::kLess, where, "now have a schema", "");
    if (any(after)) return add(Effect::kMore, where, "no longer have a schema", "");
    compare(*before, *after, where);
  }

  void choices(const char* keyword, const json::Value& was, const json::Value& is,
               const std::string& where) {
    const json::Value* before = was.find(keyword);
    const json::Value* after = is.find(keyword);
    if (before == nullptr && after == nullptr) return;
    const std::string name(keyword);
    if (before == nullptr) return add(Effect::kLess, where, name + " is new", "");
    if (after == nullptr) return add(Effect::kMore, where, name + " is gone", "");
    if (const std::string gone = lacking(*before, *after); !gone.empty())
      add(Effect::kLess, where, name + " has no alternative " + gone + " any more", "");
    if (const std::string added = lacking(*after, *before); !added.empty())
      add(Effect::kMore, where, name + " has a new alternative " + added, "");
  }

  void others(const json::Value& was, const json::Value& is, const std::string& where) {
    std::set<std::string> names;
    for (const json::Value* schema : {&was, &is})
      for (const json::Member& one : schema->members) names.insert(one.name);
    for (const std::string& name : names) {
      const bool limit = std::any_of(kLimits.begin(), kLimits.end(),
                                     [&](const Limit& one) { return name == one.keyword; });
      if (limit || kCompared.count(name) > 0) continue;
      const json::Value* before = was.find(name);
      const json::Value* after = is.find(name);
      if (before != nullptr && after != nullptr && json::equal(*before, *after)) continue;
      const std::string what = name + (before == nullptr  ? " is new"
                                       : after == nullptr ? " is gone"
                                                          : " changed");
      if (kAnnotations.count(name) > 0 || name.starts_with("x-"))
        changes_.push_back({Grade::kMetadata, where, what, ""});
      else
        add(before == nullptr  ? Effect::kLess
            : after == nullptr ? Effect::kMore
                               : Effect::kOther,
            where, what, "");
    }
  }

  const json::Value& before_;
  const json::Value& after_;
  const Direction direction_;
  std::vector<SurfaceChange>& changes_;
  std::set<std::pair<std::string, std::string>> seen_;  // references
  int steps_ = kMostSteps;
  int depth_ = 0;
};

}  // namespace

bool list_holds(const json::Value& list, const json::Value& value) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [&](const json::Value& one) { return json::equal(one, value); });
}

void compare_schemas(const json::Value& before, const json::Value& after, Direction direction,
                     const std::string& where, std::vector<SurfaceChange>& changes) {
  Comparer(before, after, direction, changes).compare(before, after, where);
}

}  // namespace reports
