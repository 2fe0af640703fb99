// SPDX-License-Identifier: Apache-2.0
// How long round trips took, by method. Only replies with a result count: an error says nothing
// about the cost of a method, and unknown names are not methods.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/wire/frame.h"

namespace reports {

struct RoundTrips {
  std::uint64_t count = 0;
  std::vector<std::int64_t> times_us;  // all, or a sample of them: see thinned()
};
using Latencies = std::map<std::string, RoundTrips>;  // by method

// Adds the round trips of one session.
void add_round_trips(Latencies& latencies, const harness::wire::Transcript& transcript);

// In order; of many, a few at even distances, including the quickest and the slowest.
std::vector<std::int64_t> thinned(std::vector<std::int64_t> times_us);

}  // namespace reports
