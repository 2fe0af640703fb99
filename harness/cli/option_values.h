// SPDX-License-Identifier: Apache-2.0
// Values of options, held to bounds before anything is started: what is none is told in a sentence.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/cli/options.h"

namespace harness::cli {

// A whole number within bounds, inclusive.
struct Counts {
  std::uint64_t least = 0, most = UINT64_MAX;
  Result<std::uint64_t> read(const std::string& option, const std::string& text) const;
};
inline constexpr std::uint64_t kMostExecs = 1'000'000'000'000;

// A duration within bounds, inclusive: "500ms", "10s", "1.5m", "2h", "1d"; a number without a unit
// means seconds.
struct Durations {
  std::chrono::milliseconds least, most;
  Result<std::chrono::milliseconds> read(const std::string& option, const std::string& text) const;
};
inline constexpr Durations kTimeouts{std::chrono::milliseconds(10), std::chrono::hours(1)};

// The shortest text that reads as it: "500ms", "90s", "10m".
std::string duration_words(std::chrono::milliseconds time);

// --timeout, the same for all commands; `timeout` is its default.
Option timeout_option(std::chrono::milliseconds& timeout);

// " --timeout 3s", or "" if that is the default: for a command line that judges alike.
std::string again(std::chrono::milliseconds timeout, std::chrono::milliseconds usual);

}  // namespace harness::cli
