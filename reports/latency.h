// SPDX-License-Identifier: Apache-2.0
// How long round trips took, by method. Only those count that were answered with a result: what is
// refused says nothing of what a method costs, and names that nobody knows are no methods.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/wire/frame.h"

namespace reports {

struct RoundTrips {
  std::uint64_t count = 0;
  std::vector<std::int64_t> times_us;  // all, or some that stand for all: see thinned()
};
using Latencies = std::map<std::string, RoundTrips>;  // by method

// Adds the round trips of one conversation.
void add_round_trips(Latencies& latencies, const harness::wire::Transcript& transcript);

// In order; of many, a few at even distances, the quickest and the slowest among them.
std::vector<std::int64_t> thinned(std::vector<std::int64_t> times_us);

}  // namespace reports
