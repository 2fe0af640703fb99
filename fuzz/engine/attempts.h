// SPDX-License-Identifier: Apache-2.0
// Attempts: what came to nothing a few times is tried ever more seldom, by its signature. Pure.
#pragma once

#include <bit>
#include <map>
#include <string>

namespace fuzz {

class Attempts {
 public:
  static constexpr unsigned kEach = 6;  // how many of the first attempts; then the 8th, the 16th,
                                        // the 32nd …

  // Counts one more. Whether an attempt is worth its cost.
  bool another(const std::string& signature) {
    const unsigned times = ++times_[signature];
    return times <= kEach || std::has_single_bit(times);
  }
  // The attempt had an effect: counting starts anew.
  void succeeded(const std::string& signature) { times_.erase(signature); }

 private:
  std::map<std::string, unsigned> times_;
};

}  // namespace fuzz
