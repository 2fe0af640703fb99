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

// What counts. Which script plays when a line of stderr, a message that nobody asked for, or the end
// of a pipe arrives is a matter of time, and so is the order of replies over HTTP.
enum class Counted { kAll, kTimeless };

// Hashes: equal behaviour has equal hashes in every process. Only the kinds of texts, numbers and
// ids count, not their values. Appends to `out`.
void behaviours_of(const harness::oracle::Evidence& evidence, std::vector<std::uint64_t>& out,
                   Counted counted = Counted::kAll);
// How the whole ended.
void endings_of(const Execution& execution, std::vector<std::uint64_t>& out);

}  // namespace fuzz
