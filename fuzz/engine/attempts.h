// SPDX-License-Identifier: Apache-2.0
// Attempts: what came to nothing a few times is tried ever more seldom, by its signature. Pure.
#pragma once

#include <bit>
#include <map>
#include <string>

namespace fuzz {

class Attempts {
 public:
  static constexpr unsigned kEach = 6;  // of the first ones; then the 8th, the 16th, the 32nd …

  // Counts one more. Whether it is worth it.
  bool another(const std::string& signature) {
    const unsigned times = ++times_[signature];
    return times <= kEach || std::has_single_bit(times);
  }
  // It came to something: it begins anew.
  void succeeded(const std::string& signature) { times_.erase(signature); }

 private:
  std::map<std::string, unsigned> times_;
};

}  // namespace fuzz
