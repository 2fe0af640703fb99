// SPDX-License-Identifier: Apache-2.0
// Values of options, held to bounds before anything is started: what is none is told in a sentence,
// as CLI::ParseError.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <string>

namespace harness::cli {

// A whole number within bounds, both of them included.
struct Counts {
  std::uint64_t least = 0, most = UINT64_MAX;
  std::uint64_t read(const std::string& option, const std::string& text) const;
};
inline constexpr std::uint64_t kMostExecs = 1'000'000'000'000;

// A duration within bounds, both of them included: "500ms", "10s", "1.5m", "2h", "1d"; without a
// unit it is seconds.
struct Durations {
  std::chrono::milliseconds least, most;
  std::chrono::milliseconds read(const std::string& option, const std::string& text) const;
};
inline constexpr Durations kTimeouts{std::chrono::milliseconds(10), std::chrono::hours(1)};

// The shortest text that is read as it: "500ms", "90s", "10m".
std::string duration_words(std::chrono::milliseconds time);

// Adds an option whose value goes to `slot`, once it is within the bounds.
template <class Bounds, class Slot>
CLI::Option* add_bounded(CLI::App& command, const std::string& option, Slot& slot, Bounds bounds,
                         const std::string& help) {
  return command.add_option_function<std::string>(
      option,
      [&slot, option, bounds](const std::string& text) { slot = bounds.read(option, text); }, help);
}

// --timeout, the same for all commands; `timeout` is what it is when left out.
void add_timeout(CLI::App& command, std::chrono::milliseconds& timeout);

// " --timeout 3s --suite DIR": those that are not as when left out, for a command line that judges
// alike.
std::string again(std::chrono::milliseconds timeout, std::chrono::milliseconds usual,
                  const std::string& suite);

// Refuses an option that was given without a name of something.
CLI::Option* named(CLI::Option* option);

}  // namespace harness::cli
