// SPDX-License-Identifier: Apache-2.0
#include "fuzz/feedback/feedback.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fuzz {
namespace {

// How many of the first bytes are known to be 0, quickly: few places are met by one input.
std::size_t zeros(std::span<const std::uint8_t> bytes) {
  std::size_t count = 1;
  for (std::uint64_t word = 0; count + sizeof word <= bytes.size(); count += sizeof word) {
    std::memcpy(&word, bytes.data() + count, sizeof word);
    if (word != 0) break;
  }
  return count;
}

template <class See>
void each_reached(Feedback::PlaceCounts places, std::size_t most, const See& see) {
  const std::size_t count = std::min(places.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    if (places[i] == 0)
      i += zeros(places.subspan(i)) - 1;
    else
      see(i, places[i]);
  }
}

}  // namespace

Feedback::Feedback(std::span<std::uint8_t> features, CountersOfPlaces places,
                   std::size_t most_places)
    : counters_(features), counters_of_places_(std::move(places)), told_(features.size()),
      noted_(features.size()), told_places_(most_places), noted_places_(most_places) {}

Feedback::News Feedback::tell(const Features& features, PlaceCounts places) {
  News news;
  for (const std::uint64_t feature : features) {
    const std::size_t index = feature % counters_.size();
    counters_[index] = 1;
    news.features += !told_[index];
    told_[index] = true;
  }
  std::span<std::uint8_t> counters;
  each_reached(places, told_places_.size(), [&](std::size_t place, std::uint8_t count) {
    if (counters.empty()) counters = counters_of_places_(places.size());
    counters[place] = count;
    news.places += !told_places_[place];
    told_places_[place] = true;
  });
  return news;
}

bool Feedback::note(const Features& features) {
  bool news = false;
  for (const std::uint64_t feature : features) {
    const std::size_t index = feature % counters_.size();
    if (told_[index] || noted_[index]) continue;
    noted_[index] = news = true;
  }
  return news;
}

bool Feedback::note_places(PlaceCounts places) {
  bool news = false;
  each_reached(places, told_places_.size(), [&](std::size_t place, std::uint8_t) {
    if (told_places_[place] || noted_places_[place]) return;
    noted_places_[place] = news = true;
  });
  return news;
}

bool Feedback::knows(const Features& features) const {
  return std::all_of(features.begin(), features.end(), [&](std::uint64_t feature) {
    return static_cast<bool>(told_[feature % told_.size()]);
  });
}

}  // namespace fuzz
