// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/corpus_merge.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "fuzz/feedback/behaviour.h"
#include "fuzz/script/script.h"

namespace fuzz {
namespace {

// Of an instrumented target: a place and about how often it was reached.
std::uint64_t place_feature(std::size_t place, std::uint8_t count) {
  constexpr std::uint64_t kPlace = std::uint64_t{1} << 63;
  return kPlace | (place << 4) | static_cast<std::uint64_t>(std::bit_width(count));
}

}  // namespace

std::vector<std::size_t> least_set(const std::vector<Showing>& shown) {
  std::vector<std::size_t> order(shown.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return shown[one].bytes < shown[other].bytes;
  });
  std::unordered_map<std::uint64_t, std::size_t> times;  // how many of those taken show a feature
  std::vector<std::size_t> taken;
  for (const std::size_t i : order) {
    const auto& features = shown[i].features;
    if (std::all_of(features.begin(), features.end(),
                    [&](std::uint64_t one) { return times.contains(one); }))
      continue;
    for (const std::uint64_t one : features) ++times[one];
    taken.push_back(i);
  }
  std::vector<std::size_t> kept;
  for (auto i = taken.rbegin(); i != taken.rend(); ++i) {
    std::unordered_map<std::uint64_t, std::size_t> own;
    for (const std::uint64_t one : shown[*i].features) ++own[one];
    const bool needed = std::any_of(
        own.begin(), own.end(), [&](const auto& one) { return times[one.first] == one.second; });
    if (needed)
      kept.push_back(*i);
    else
      for (const auto& [feature, count] : own) times[feature] -= count;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

CorpusMerge merge_corpus(WorkerTarget& target, const std::vector<std::string>& scripts,
                         const std::function<void(std::size_t played)>& tell) {
  std::vector<Showing> shown;
  std::unordered_set<std::uint64_t> all;
  for (const std::string& text : scripts) {
    Showing one;
    one.bytes = text.size();
    const Execution execution = target.play(read_script(text));
    target.judge(execution, [&](const harness::oracle::Evidence& evidence) {
      behaviours_of(evidence, one.features);
    });
    endings_of(execution, one.features);
    const auto places = target.places();
    for (std::size_t place = 0; place < places.size(); ++place)
      if (places[place] > 0) one.features.push_back(place_feature(place, places[place]));
    all.insert(one.features.begin(), one.features.end());
    shown.push_back(std::move(one));
    tell(shown.size());
  }
  return {least_set(shown), all.size()};
}

}  // namespace fuzz
