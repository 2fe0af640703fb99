// SPDX-License-Identifier: Apache-2.0
// Runs: one piece of a text over and over, as in deep nesting, long numbers and long lists.
// Bisection finds how often it must stand there. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fuzz {

struct Run {
  std::size_t begin = 0;  // in bytes
  std::string unit;       // "[", "{\"a\":", "7", "0,"
  std::size_t times = 0;
  // Where the brackets that it opens are closed, once for each; npos if they are not.
  std::size_t closing = std::string::npos;
  std::string closing_unit;
};

// The one that takes up most of the text, repeated at least kLeastRun times; none whose unit is in
// `done`.
inline constexpr std::size_t kLeastRun = 32;
std::optional<Run> longest_run(std::string_view text, const std::set<std::string>& done);

// The text with the unit repeated this often, and its brackets closed as often.
std::string with_times(std::string_view text, const Run& run, std::size_t times);

}  // namespace fuzz
