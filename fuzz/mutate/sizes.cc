// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/sizes.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "fuzz/mutate/deterministic.h"
#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostSizedPlaces = 96;

std::string times(std::string_view unit, std::size_t count) {
  std::string out;
  out.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

std::string members(std::string_view, std::size_t count) {
  std::string out = "{";
  for (std::size_t i = 0; i < count; ++i)
    out += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  return out + "}";
}

using Was = std::string_view;  // the value that stands there, as JSON text

std::string arrays(Was, std::size_t n) { return times("[", n) + times("]", n); }
std::string objects(Was, std::size_t n) { return times("{\"a\":", n) + "0" + times("}", n); }
std::string mixed(Was, std::size_t n) { return times("{\"a\":[", n / 2) + times("]}", n / 2); }
std::string unclosed(Was, std::size_t n) { return times("[", n); }
std::string text(Was, std::size_t n) { return "\"" + times("a", n) + "\""; }
std::string escapes(Was, std::size_t n) { return "\"" + times("\\n", n) + "\""; }
std::string marks(Was, std::size_t n) { return "\"" + times("é", n) + "\""; }
std::string digits(Was, std::size_t n) { return times("7", n); }
std::string fraction(Was, std::size_t n) { return "0." + times("7", n); }
std::string exponent(Was, std::size_t n) { return "1e-" + times("7", n); }
std::string elements(Was, std::size_t n) { return "[" + times("0,", n) + "0]"; }
std::string blanks(Was was, std::size_t n) { return times(" ", n) + std::string(was); }
std::string long_name(Was, std::size_t n) { return "{\"" + times("a", n) + "\":0}"; }
// What stands there, and more of what is usual in it: names, URIs, paths, cursors.
std::string behind(Was was, std::string_view unit, std::size_t n) {
  return std::string(was.substr(0, was.size() - 1)) + times(unit, n) + "\"";
}
std::string longer(Was was, std::size_t n) { return behind(was, "a", n); }
std::string segments(Was was, std::size_t n) { return behind(was, "/a", n); }
std::string upwards(Was was, std::size_t n) { return behind(was, "/..", n); }
std::string percents(Was was, std::size_t n) { return behind(was, "%41", n); }
std::string queries(Was was, std::size_t n) { return behind(was, "&a=a", n); }

// One way for a value to be large. What lies far apart is tried first where it is most often too
// much; 0: not tried.
constexpr std::size_t kSizes = 4;
struct Growth {
  std::string (*value)(Was, std::size_t);
  std::size_t sizes[kSizes];  // the likeliest first
  bool strings = false;       // only where a string stands
  bool cut = false;           // nothing follows
};
constexpr Growth kGrowths[] = {
    {arrays, {100'000, 1'000'000, 10'000, 0}},
    {text, {262'144, 4'194'304, 65'536, 16'777'216}},
    {digits, {65'536, 1'048'576, 4'096, 0}},
    {objects, {100'000, 1'000'000, 10'000, 0}},
    {longer, {65'536, 1'048'576, 8'192, 0}, true},
    {escapes, {65'536, 1'048'576, 16'384, 0}, true},
    {mixed, {100'000, 1'000'000, 10'000, 0}},
    {unclosed, {100'000, 1'000'000, 10'000, 0}, false, true},
    {segments, {32'768, 262'144, 4'096, 0}, true},
    {elements, {65'536, 131'072, 16'384, 0}},
    {members, {16'384, 65'536, 4'096, 0}},
    {marks, {131'072, 2'097'152, 32'768, 0}, true},
    {upwards, {16'384, 131'072, 1'024, 0}, true},
    {fraction, {65'536, 1'048'576, 4'096, 0}},
    {exponent, {32, 65'536, 1'024, 0}},
    {percents, {32'768, 262'144, 4'096, 0}, true},
    {queries, {16'384, 131'072, 1'024, 0}, true},
    {blanks, {65'536, 4'194'304, 1'048'576, 0}},
    {long_name, {65'536, 1'048'576, 16'384, 0}},
};
constexpr std::size_t kWays = std::size(kGrowths);
// A member of a new name has had so many ways when one of a name that was there has its first.
constexpr std::size_t kWaysAhead = 4;

// One way for a message as a whole to be large.
enum class Whole { kBatch, kBatchOfNothing, kDeepBatch, kBlanks, kHeader, kHeaders, kCookie };
struct WholeGrowth {
  Whole what;
  std::size_t sizes[kSizes];
};
constexpr WholeGrowth kWholes[] = {
    {Whole::kBatch, {4'096, 16'384, 65'536, 0}},
    {Whole::kBatchOfNothing, {16'384, 131'072, 4'096, 0}},
    {Whole::kDeepBatch, {100'000, 1'000'000, 10'000, 0}},
    {Whole::kBlanks, {65'536, 4'194'304, 1'048'576, 16'777'216}},
    {Whole::kHeader, {262'144, 1'048'576, 32'768, 4'194'304}},
    {Whole::kHeaders, {128, 1'024, 16'384, 0}},
    {Whole::kCookie, {65'536, 1'048'576, 4'096, 0}},
};

const Frame* only_frame(const Script& script) {
  return script.steps.size() == 1 ? std::get_if<Frame>(&script.steps.front()) : nullptr;
}

}  // namespace

Sizes::Sizes(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary), requests_(requests(vocabulary)) {
  // A member of each name first, then one of each name of each method, then the rest.
  std::set<std::string> seen;
  std::vector<Place> ranked[3];
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Frame* frame = only_frame(requests_[i]);
    Tree tree;
    if (frame == nullptr || !tree.read(frame->bytes)) continue;
    const std::size_t called = tree.member(frame->bytes, 0, "method");
    const std::string method(called == Tree::kNone ? "" : text_of(frame->bytes, tree[called]));
    for (const Node& node : tree.nodes()) {
      const std::string name =
          node.is_member() ? frame->bytes.substr(node.name, node.name_end - node.name) : "";
      if (name == "\"jsonrpc\"" || node.begin == 0) continue;
      const bool new_name = seen.insert(name).second;
      const bool new_of_method = seen.insert(method + name).second;
      ranked[new_name        ? 0
             : new_of_method ? 1
                             : 2]
          .push_back({i, node.begin, node.end, node.kind == Kind::kString});
    }
  }
  struct Turn {
    std::size_t when;
    Value value;
  };
  std::vector<Turn> turns;
  for (std::size_t rank = 0; rank < std::size(ranked); ++rank)
    for (const Place& place : ranked[rank]) {
      if (places_.size() >= kMostSizedPlaces) break;
      for (std::size_t way = 0; way < kWays; ++way)
        turns.push_back({way + rank * kWaysAhead, {way, places_.size()}});
      places_.push_back(place);
    }
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::make_pair(a.when, a.value.way) < std::make_pair(b.when, b.value.way);
  });
  for (const Turn& turn : turns) values_.push_back(turn.value);
}

std::size_t Sizes::count() const { return (values_.size() + std::size(kWholes)) * kSizes; }

// All of one size before the next; of each the messages as a whole first.
std::optional<Script> Sizes::next() {
  const std::size_t each = values_.size() + std::size(kWholes);
  std::optional<Script> out;
  while (!out && next_ < count()) {
    const std::size_t at = next_++ % each;
    const std::size_t size = (next_ - 1) / each;
    out = at < std::size(kWholes) ? of_whole(at, size)
                                  : of_value(values_[at - std::size(kWholes)], size);
  }
  return out;
}

std::optional<Script> Sizes::of_value(const Value& value, std::size_t number) const {
  const Growth& growth = kGrowths[value.way];
  const Place& place = places_[value.place];
  const std::size_t size = growth.sizes[number];
  if (size == 0 || (growth.strings && !place.is_string)) return std::nullopt;
  Script out = requests_[place.request];
  std::string& bytes = std::get<Frame>(out.steps.front()).bytes;
  const std::string was = bytes.substr(place.begin, place.end - place.begin);
  const std::string rest = growth.cut ? "" : bytes.substr(place.end);
  bytes = bytes.substr(0, place.begin) + growth.value(was, size) + rest;
  return out;
}

std::optional<Script> Sizes::of_whole(std::size_t way, std::size_t size) const {
  const Whole what = kWholes[way].what;
  const std::size_t n = kWholes[way].sizes[size];
  const bool http = harness::wire::traits_of(vocabulary_.transport()).http;
  const bool of_http = what == Whole::kHeader || what == Whole::kHeaders || what == Whole::kCookie;
  if (n == 0 || (of_http && !http)) return std::nullopt;
  Frame frame{canary_text(vocabulary_, "1"), {}};
  if (what == Whole::kBatch) {
    std::string batch = "[";
    for (std::size_t i = 0; i < n; ++i)
      batch += canary_text(vocabulary_, std::to_string(i + 1)) + ',';
    batch.back() = ']';
    frame.bytes = std::move(batch);
  } else if (what == Whole::kBatchOfNothing) {
    frame.bytes = "[" + times("{},", n) + "{}]";
  } else if (what == Whole::kDeepBatch) {
    frame.bytes = times("[", n) + times("]", n);
  } else if (what == Whole::kBlanks) {
    frame.bytes.insert(0, times(" ", n));
  } else if (what == Whole::kHeader) {
    frame.delivery.headers.push_back({"X-Rpcspec", times("a", n)});
  } else if (what == Whole::kHeaders) {
    for (std::size_t i = 0; i < n; ++i)
      frame.delivery.headers.push_back({"X-Rpcspec-" + std::to_string(i), "a"});
  } else {
    frame.delivery.headers.push_back({"Cookie", times("a=a; ", n) + "b=b"});
  }
  Script out;
  out.profile = vocabulary_.profile().name;
  out.steps.emplace_back(std::move(frame));
  return out;
}

}  // namespace fuzz
