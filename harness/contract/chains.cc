// SPDX-License-Identifier: Apache-2.0
// Where a result of one method is what another takes: by a link, by one $ref, or by name and type.
#include <algorithm>
#include <set>

#include "harness/base/ascii.h"
#include "harness/contract/in_use.h"
#include "harness/schema/schema_check.h"

namespace harness::contract {
namespace {

constexpr int kDeepest = 5;             // objects within each other
constexpr std::size_t kMostSpots = 64;  // of a result
constexpr std::size_t kMostOfParam = 4;
constexpr std::size_t kMostChains = 256;

enum Trust { kNone, kSameName, kSameReference, kSameBoth, kLinked };

// A value of a result, or a param.
struct Spot {
  std::string pointer;            // into the result
  std::string name;               // without capitals and underscores
  std::set<std::string> schemas;  // places of the document that describe it
  std::string type;               // "" where none is said
};

std::string plain_name(std::string_view name) {
  std::string out = ascii::lower(name);
  std::erase(out, '_');
  return out;
}

class Spots {
 public:
  explicit Spots(const Document& document) : document_(document) {}

  // Of a content descriptor that may be a reference.
  std::vector<Spot> of(const Place& listed) {
    Spot spot;
    const Place descriptor = follow(listed, spot);
    if (const json::Value* name = descriptor.find("name")) spot.name = plain_name(name->text);
    walk(descriptor.member("schema"), std::move(spot), 0);
    return std::move(out_);
  }

 private:
  Place follow(Place place, Spot& spot) const {
    for (int turn = 0; turn < kDeepest && place.find("$ref") != nullptr; ++turn) {
      place = document_.target(place.find("$ref")->text);
      spot.schemas.insert(place.pointer);
    }
    return place;
  }

  void walk(const Place& listed, Spot spot, int depth) {
    const Place schema = follow(listed, spot);
    if (!schema || depth > kDeepest || out_.size() == kMostSpots) return;
    for (const char* several : {"allOf", "anyOf", "oneOf"})
      if (const Place list = schema.member(several))
        for (std::size_t i = 0; i < list.value->items.size(); ++i)
          walk(list.item(i), spot, depth + 1);
    const json::Value* type = schema.find("type");
    if (type != nullptr && type->is_array() && !type->items.empty()) type = &type->items.front();
    spot.type = type != nullptr ? type->text : "";
    const Spot own = spot;
    out_.push_back(std::move(spot));
    if (const Place items = schema.member("items")) {
      Spot first = own;
      first.schemas.clear();
      first.pointer += "/0";
      walk(items, std::move(first), depth + 1);
    }
    const Place properties = schema.member("properties");
    if (!properties || !properties.value->is_object()) return;
    for (const json::Member& one : properties.value->members)
      walk(properties.member(one.name),
           {own.pointer + "/" + schema::pointer_token(one.name), plain_name(one.name), {}, ""},
           depth + 1);
  }

  const Document& document_;
  std::vector<Spot> out_;
};

int trust(const Spot& given, const Spot& taken) {
  const bool reference =
      std::any_of(taken.schemas.begin(), taken.schemas.end(),
                  [&](const std::string& one) { return given.schemas.contains(one); });
  const bool name = given.name == taken.name && given.type == taken.type && !given.type.empty();
  return (name ? kSameName : kNone) + (reference ? kSameReference : kNone);
}

struct Given {
  const Method* from;
  Spot spot;
};

class Chains {
 public:
  explicit Chains(const InUse& use) : use_(use) {
    for (const Method* method : use.called())
      if (method->result && !method->twice)
        for (Spot& spot : Spots(use.contract.document).of(method->place.member("result")))
          given_.push_back({method, std::move(spot)});
  }

  std::vector<Chain> run() {
    for (const Method* to : use_.called())
      for (std::size_t i = 0; i < to->params.size() && !to->twice; ++i) param(*to, i);
    return std::move(out_);
  }

 private:
  void param(const Method& to, std::size_t index) {
    // What the list of params has in its place may be a reference.
    const Place listed = to.place.member("params").item(index);
    const std::vector<Spot> spots = Spots(use_.contract.document).of(listed);
    if (spots.empty()) return;
    const Spot& taken = spots.front();
    std::vector<std::pair<int, const Given*>> fit;
    for (const Given& one : given_) {
      int rank = trust(one.spot, taken);
      if (linked(*one.from, to, to.params[index].name, one.spot.pointer)) rank = kLinked;
      if (rank != kNone) fit.emplace_back(rank, &one);
    }
    std::stable_sort(fit.begin(), fit.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < std::min(fit.size(), kMostOfParam); ++i) {
      const Given& one = *fit[i].second;
      const std::string& type = one.spot.type.empty() ? taken.type : one.spot.type;
      if (!type.empty() && out_.size() < kMostChains)
        out_.push_back({one.from, &to, index, one.spot.pointer, type == "string"});
    }
  }

  static bool linked(const Method& from, const Method& to, const std::string& param,
                     const std::string& pointer) {
    return std::any_of(from.links.begin(), from.links.end(), [&](const Link& link) {
      const json::Value* words = link.method == to.name ? link.params.find(param) : nullptr;
      const auto path = words != nullptr ? path_of(*words) : std::nullopt;
      return path && !path->of_params && path->pointer == pointer;
    });
  }

  const InUse& use_;
  std::vector<Given> given_;
  std::vector<Chain> out_;
};

void collect_words(const json::Value& value, bool named, json::Value& out) {
  const bool scalar = value.is_string() || value.is_number();
  if (named && scalar && out.items.size() < kMostChains) out.items.push_back(value);
  for (const json::Value& item : value.items) collect_words(item, named, out);
  for (const json::Member& member : value.members) {
    const std::string& name = member.name;
    const bool names = named || name == "enum" || name == "const" || name == "default" ||
                       name == "examples" || name == "example" || name == "value";
    collect_words(member.value, names, out);
  }
}

}  // namespace

std::optional<LinkPath> path_of(const json::Value& expression) {
  const std::string& words = expression.text;
  if (!expression.is_string() || !words.starts_with("${") || words.find('}') + 1 != words.size())
    return std::nullopt;
  std::string pointer;
  for (const char c : words.substr(2, words.size() - 3))
    if (c != ']') pointer += c == '.' || c == '[' ? '/' : c;
  const std::size_t slash = std::min(pointer.find('/'), pointer.size());
  return LinkPath{pointer.starts_with("params"), pointer.substr(slash)};
}

std::vector<Chain> chains_of(const InUse& use) { return Chains(use).run(); }

json::Value words_of(const InUse& use) {
  json::Value out = json::array();
  for (const Method* method : use.called()) collect_words(*method->place.value, false, out);
  const Place components = use.contract.document.top().member("components");
  if (components) collect_words(*components.value, false, out);
  return out;
}

}  // namespace harness::contract
