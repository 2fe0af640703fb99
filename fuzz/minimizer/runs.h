// SPDX-License-Identifier: Apache-2.0
// Runs: one piece of a text over and over, as in deep nesting, long numbers and long lists. How
// often it has to stand there is found by bisection. Pure.
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
  // Where the brackets that it opens are closed, once for each; npos where they are not.
  std::size_t closing = std::string::npos;
  std::string closing_unit;
};

// That which takes most of the text, at least kLeastRun times; of those whose unit is in `done`
// none.
inline constexpr std::size_t kLeastRun = 32;
std::optional<Run> longest_run(std::string_view text, const std::set<std::string>& done);

// The text with the unit so many times, and closed as often.
std::string with_times(std::string_view text, const Run& run, std::size_t times);

}  // namespace fuzz
