// SPDX-License-Identifier: Apache-2.0
// Random: a small generator of our own, so that one seed means the same scripts with every compiler
// and library. SplitMix64: one addition and a few shifts per number; any seed is good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // 0 to bound - 1; 0 when the bound is 0. For bounds below 2^32, all numbers are equally likely to
  // within one in 2^32.
  std::size_t below(std::size_t bound) {
    if (bound <= 1) return 0;
    if (bound >> 32) return static_cast<std::size_t>(next() % bound);
    return static_cast<std::size_t>(((next() >> 32) * bound) >> 32);
  }
  // From first to last, inclusive.
  std::size_t between(std::size_t first, std::size_t last) {
    return first + below(last - first + 1);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  // A length: mostly small, sometimes up to `most`.
  std::size_t length(std::size_t most) { return below((most >> below(16)) + 1); }

  // An element; the range must not be empty.
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  template <class T, std::size_t kSize>
  const T& pick(const T (&from)[kSize]) {
    return from[below(kSize)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace fuzz
