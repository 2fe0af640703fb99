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

  // Whether this check may have a script that was just played. `fresh`: the script showed new
  // behaviour, so it is likely to enter the corpus; any other one has to wait longer.
  bool due(std::size_t check, std::uint64_t executions, bool fresh) const;
  // It took `price` executions.
  void spent(std::size_t check, std::uint64_t executions, std::size_t price);
  // The check was due, but the script had nothing for it; it does not examine every script.
  void passed(std::size_t check, std::uint64_t executions);
  // True the first time this is asked for a suspect, given by its fingerprint.
  bool first_sight(std::uint64_t suspect);

  // All checks together get one execution in this many.
  static constexpr std::size_t kShare = 10;
  // How many executions to wait for new behaviour before anything else is checked.
  static constexpr std::uint64_t kPatience = 64;
  // Executions between two scripts that are offered to a check without a suspect.
  static constexpr std::uint64_t kStride = 16;

 private:
  std::vector<std::uint64_t> next_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace fuzz
