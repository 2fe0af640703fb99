// SPDX-License-Identifier: Apache-2.0
// Behaviour: what a Target did, cut into features that a guided search can count, whatever language
// it is written in: shapes of replies, error codes, what follows what, lines of stderr, how it
// ended and, where it is slow, how slow.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "harness/oracle/oracle.h"

namespace fuzz {

// Hashes; the same behaviour has the same, in every process. Texts, numbers and ids do not count,
// only their kinds. Appends to `out`.
void behaviours_of(const harness::oracle::Evidence& evidence, std::vector<std::uint64_t>& out);
// How the whole ended, and how slow it was.
void endings_of(const Execution& execution, std::vector<std::uint64_t>& out);

inline constexpr std::chrono::milliseconds kSlow{64};
// The class of a time: 0 below kSlow, then one for each doubling.
unsigned slowness(std::chrono::microseconds took);

}  // namespace fuzz
