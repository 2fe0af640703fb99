// SPDX-License-Identifier: Apache-2.0
#include "harness/target/synthesis.h"

#include <algorithm>
#include <optional>

#include "harness/schema/normalized_schema.h"
#include "harness/target/good_value.h"
#include "harness/target/variations.h"

namespace harness::target {
namespace {

// A few hundred milliseconds at most; schemas people write take a thousandth of it.
constexpr Steps kSteps = 300'000;
constexpr int kMostDepth = 6;
constexpr std::size_t kMostMembers = 64;  // of one object that are varied

std::string escaped(const std::string& name) {
  std::string out;
  for (char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

// The value inside `root` that a path of names and positions leads to.
json::Value* inside(json::Value& root, const std::vector<std::string>& path) {
  json::Value* at = &root;
  for (const std::string& step : path)
    if (at->is_object())
      at = at->find(step);
    else
      at = &at->items[std::stoul(step)];
  return at;
}

class Synthesiser {
 public:
  Synthesiser(const NormalizedSchema& normalized, Arguments kind, std::size_t most)
      : schema_(normalized), kind_(kind), most_(most) {}

  Synthesis make() {
    GoodValue maker(schema_, kind_ == Arguments::kMinimal, steps_);
    std::optional<json::Value> good = maker.make(schema_.root());
    if (!good) {
      refuse(maker.why());
      return std::move(out_);
    }
    if (kind_ == Arguments::kValid || kind_ == Arguments::kMinimal) {
      out_.instances.push_back({std::move(*good), arguments_name(kind_), "", ""});
      return std::move(out_);
    }
    root_ = std::move(*good);
    vary(schema_.root(), root_, 0);
    if (steps_ < 0) refuse("the schema is too complicated for more");
    if (full_) refuse("there are more than " + std::to_string(most_));
    return std::move(out_);
  }

 private:
  void refuse(std::string reason) { out_.refused.push_back(std::move(reason)); }

  std::string pointer() const {
    std::string out;
    for (const std::string& step : path_) out += "/" + escaped(step);
    return out;
  }

  void vary(const json::Value& schema, const json::Value& good, int depth) {
    if (depth > kMostDepth || full_ || steps_ < 0) return;
    GoodValue maker(schema_, false, steps_);
    const json::Value plain = maker.flat(schema, &good);
    const Spot spot{plain, good, schema_, path_.empty()};
    for (const VariationRow& row : variation_rows()) {
      if (row.kind != kind_) continue;
      const std::vector<Variation> all = row.make(spot);
      for (const Variation& one : all) {
        offer(row.keyword, one);
        if (full_ || steps_ < 0) return;
      }
    }
    if (good.is_object()) {
      const json::Value* properties = plain.find("properties");
      std::size_t count = 0;
      for (const json::Member& member : good.members) {
        const json::Value* own = properties ? properties->find(member.name) : nullptr;
        if (!own || ++count > kMostMembers) continue;
        path_.push_back(member.name);
        vary(*own, member.value, depth + 1);
        path_.pop_back();
      }
    } else if (good.is_array() && !good.items.empty()) {
      const json::Value* items = plain.find("items");
      const std::size_t spots = items && items->is_array() ? items->items.size() : 1;
      for (std::size_t i = 0; items && i < std::min(spots, good.items.size()); ++i) {
        path_.push_back(std::to_string(i));
        vary(items->is_array() ? items->items[i] : *items, good.items[i], depth + 1);
        path_.pop_back();
      }
    }
  }

  // Holds the whole arguments, changed at this place, against the schema.
  void offer(const char* keyword, const Variation& variation) {
    json::Value whole = root_;
    *inside(whole, path_) = variation.value;
    if (json::equal(whole, root_)) return;
    for (const Instance& one : out_.instances)
      if (json::equal(one.value, whole)) return;
    const std::vector<std::string> broken = schema_.failures(whole, schema_.root(), steps_);
    if (steps_ < 0) return;
    if (kind_ == Arguments::kBoundary) {
      if (!broken.empty()) return;
    } else {
      const bool one = broken.size() == 1;
      const bool expected = one && (broken.front() == keyword || broken.front() == "anyOf" ||
                                    broken.front() == "oneOf");
      if (!expected) return;
    }
    if (out_.instances.size() >= most_) {
      full_ = true;
      return;
    }
    const std::string where = pointer();
    out_.instances.push_back({std::move(whole), (where.empty() ? "" : where + " ") + variation.what,
                              broken.empty() ? keyword : broken.front(), where});
  }

  const NormalizedSchema& schema_;
  Arguments kind_;
  std::size_t most_;
  Steps steps_ = kSteps;
  json::Value root_;
  std::vector<std::string> path_;
  bool full_ = false;
  Synthesis out_;
};

}  // namespace

const char* arguments_name(Arguments kind) {
  constexpr const char* kNames[] = {"valid", "minimal", "boundary", "broken"};
  return kNames[static_cast<std::size_t>(kind)];
}

Arguments arguments_kind(std::string_view name) {
  for (const auto kind : {Arguments::kMinimal, Arguments::kBoundary, Arguments::kBroken})
    if (name == arguments_name(kind)) return kind;
  return Arguments::kValid;
}

Synthesis synthesise(const json::Value& schema, Arguments kind, std::size_t most) {
  Synthesis out;
  if (!schema.is_object()) {
    out.refused.push_back("there is no inputSchema");
    return out;
  }
  const Result<NormalizedSchema> normalized = NormalizedSchema::read(schema);
  if (!normalized) {
    out.refused.push_back(normalized.error().what);
    return out;
  }
  return Synthesiser(*normalized, kind, most).make();
}

}  // namespace harness::target
