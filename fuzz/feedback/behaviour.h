// SPDX-License-Identifier: Apache-2.0
// Behaviour: what a Target did, cut into features that a guided search can count, whatever language
// it is written in: shapes of messages, error codes, which reply follows which, lines of stderr,
// how it ended. Not when.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "harness/oracle/oracle.h"

namespace fuzz {

// Hashes; the same behaviour has the same, in every process. Texts, numbers and ids do not count,
// only their kinds. Appends to `out`.
void behaviours_of(const harness::oracle::Evidence& evidence, std::vector<std::uint64_t>& out);
// How the whole ended.
void endings_of(const Execution& execution, std::vector<std::uint64_t>& out);

}  // namespace fuzz
