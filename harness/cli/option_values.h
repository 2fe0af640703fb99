// SPDX-License-Identifier: Apache-2.0
// Values of options, held to bounds before anything is started: what is none is told in a sentence.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "harness/cli/options.h"

namespace harness::cli {

// A whole number within bounds, both of them included.
struct Counts {
  std::uint64_t least = 0, most = UINT64_MAX;
  Result<std::uint64_t> read(const std::string& option, const std::string& text) const;
};
inline constexpr std::uint64_t kMostExecs = 1'000'000'000'000;

// A duration within bounds, both of them included: "500ms", "10s", "1.5m", "2h", "1d"; without a
// unit it is seconds.
struct Durations {
  std::chrono::milliseconds least, most;
  Result<std::chrono::milliseconds> read(const std::string& option, const std::string& text) const;
};
inline constexpr Durations kTimeouts{std::chrono::milliseconds(10), std::chrono::hours(1)};

// The shortest text that is read as it: "500ms", "90s", "10m".
std::string duration_words(std::chrono::milliseconds time);

// --timeout, the same for all commands; `timeout` is what it is when left out.
Option timeout_option(std::chrono::milliseconds& timeout);

// " --timeout 3s --suite DIR": those that are not as when left out, for a command line that judges
// alike.
std::string again(std::chrono::milliseconds timeout, std::chrono::milliseconds usual,
                  const std::string& suite);

}  // namespace harness::cli
