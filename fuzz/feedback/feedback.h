// SPDX-License-Identifier: Apache-2.0
// Feedback: what a script did that none did before, told to the engine by its counters. Two kinds
// of observations: features of behaviour (behaviour.h), and places of an instrumented target
// (fuzz/coverage).
//
// A script that was pipelined with others counts only for us: it is played again alone, and then
// reported to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace fuzz {

class Feedback {
 public:
  using Features = std::vector<std::uint64_t>;
  // How often each place was reached; empty if the target is not instrumented.
  using PlaceCounts = std::span<const std::uint8_t>;
  // The engine's counters of places, and how many of them it reads from now on.
  using CountersOfPlaces = std::function<std::span<std::uint8_t>(std::size_t count)>;

  // `features`: the engine's counters of features, one for each class of features.
  Feedback(std::span<std::uint8_t> features, CountersOfPlaces places, std::size_t most_places);

  struct News {
    std::size_t features = 0;
    std::size_t places = 0;
    explicit operator bool() const { return features > 0 || places > 0; }
  };
  // For a script that was played alone: sets the counters. Returns what is new.
  News tell(const Features& features, PlaceCounts places);
  // For a pipelined script: whether any feature is new.
  bool note(const Features& features);
  // For all scripts that were pipelined together: likewise.
  bool note_places(PlaceCounts places);
  // Whether all of them have been reported.
  bool knows(const Features& features) const;

 private:
  std::span<std::uint8_t> counters_;
  CountersOfPlaces counters_of_places_;
  std::vector<bool> told_, noted_;  // by index into counters_
  std::vector<bool> told_places_, noted_places_;
};

}  // namespace fuzz
