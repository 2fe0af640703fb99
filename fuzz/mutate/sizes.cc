// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/sizes.h"

#include <algorithm>
#include <string_view>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostPlaces = 48;

std::string times(std::string_view unit, std::size_t count) {
  std::string out;
  out.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

std::string members(std::size_t count) {
  std::string out = "{";
  for (std::size_t i = 0; i < count; ++i)
    out += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  return out + "}";
}

std::string arrays(std::size_t n) { return times("[", n) + times("]", n); }
std::string objects(std::size_t n) { return times("{\"a\":", n) + "0" + times("}", n); }
std::string mixed(std::size_t n) { return times("{\"a\":[", n / 2) + times("]}", n / 2); }
std::string unclosed(std::size_t n) { return times("[", n); }
std::string text(std::size_t n) { return "\"" + times("a", n) + "\""; }
std::string digits(std::size_t n) { return times("7", n); }
std::string elements(std::size_t n) { return "[" + times("0,", n) + "0]"; }

// One way to be large. What lies far apart is tried first where it is most often too much.
struct Growth {
  std::string (*value)(std::size_t);
  bool cut;              // nothing follows
  std::size_t sizes[3];  // the likeliest first
};
constexpr Growth kGrowths[] = {
    {arrays, false, {100'000, 1'000'000, 10'000}}, {text, false, {262'144, 4'194'304, 65'536}},
    {digits, false, {65'536, 1'048'576, 4'096}},   {objects, false, {100'000, 1'000'000, 10'000}},
    {mixed, false, {100'000, 1'000'000, 10'000}},  {unclosed, true, {100'000, 1'000'000, 10'000}},
    {elements, false, {65'536, 131'072, 16'384}},  {members, false, {16'384, 65'536, 4'096}},
};
constexpr std::size_t kWays = std::size(kGrowths);
constexpr std::size_t kSizes = std::size(kGrowths[0].sizes);

const Frame* only_frame(const Script& script) {
  return script.steps.size() == 1 ? std::get_if<Frame>(&script.steps.front()) : nullptr;
}

}  // namespace

Sizes::Sizes(const Vocabulary& vocabulary) : requests_(requests(vocabulary)) {
  // The n-th place of each request before the next one of any.
  std::vector<std::vector<Place>> each;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Frame* frame = only_frame(requests_[i]);
    Tree tree;
    if (frame == nullptr || !tree.read(frame->bytes)) continue;
    std::vector<Place>& mine = each.emplace_back();
    for (const Node& node : tree.nodes()) {
      const std::string_view name =
          node.is_member()
              ? std::string_view(frame->bytes).substr(node.name, node.name_end - node.name)
              : std::string_view();
      if (name != "\"jsonrpc\"" && node.begin != 0) mine.push_back({i, node.begin, node.end});
    }
    // What is inside of params comes before the id and the method.
    std::stable_sort(mine.begin(), mine.end(), [](const Place& a, const Place& b) {
      return a.end - a.begin > b.end - b.begin;
    });
  }
  for (std::size_t nth = 0; places_.size() < kMostPlaces; ++nth) {
    bool any = false;
    for (const std::vector<Place>& mine : each)
      if (nth < mine.size() && places_.size() < kMostPlaces) {
        places_.push_back(mine[nth]);
        any = true;
      }
    if (!any) break;
  }
}

std::size_t Sizes::count() const { return places_.size() * kWays * kSizes; }

std::optional<Script> Sizes::next() {
  if (next_ >= count()) return std::nullopt;
  const std::size_t at = next_++;
  const Growth& growth = kGrowths[at % kWays];
  const Place& place = places_[at / kWays % places_.size()];
  const std::size_t size = growth.sizes[at / kWays / places_.size()];
  Script out = requests_[place.request];
  std::string& bytes = std::get<Frame>(out.steps.front()).bytes;
  const std::string rest = growth.cut ? "" : bytes.substr(place.end);
  bytes = bytes.substr(0, place.begin) + growth.value(size) + rest;
  return out;
}

}  // namespace fuzz
