// SPDX-License-Identifier: Apache-2.0
// When to check, and for what: by counts of executions alone, so that the same seed checks the same
// scripts. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace fuzz {

class CheckSchedule {
 public:
  explicit CheckSchedule(std::size_t checks) : next_(checks, 0) {}

  // Whether this check may have a script that was played now. `fresh`: the script did something
  // new, so it is likely to be kept in the corpus; any other one has to wait longer.
  bool due(std::size_t check, std::uint64_t executions, bool fresh) const;
  // It took `price` executions.
  void spent(std::size_t check, std::uint64_t executions, std::size_t price);
  // It was due, and the script had nothing for it: it does not look at each one.
  void passed(std::size_t check, std::uint64_t executions);
  // True for the first time this is asked of a suspect, given as its fingerprint.
  bool first_sight(std::uint64_t suspect);

  // All checks together have one execution of so many.
  static constexpr std::size_t kShare = 10;
  // Executions that are waited for something new to be checked before anything is.
  static constexpr std::uint64_t kPatience = 64;
  // Executions between two scripts that a check without a suspect is offered.
  static constexpr std::uint64_t kStride = 16;

 private:
  std::vector<std::uint64_t> next_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace fuzz
