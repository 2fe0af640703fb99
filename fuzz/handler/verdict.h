// SPDX-License-Identifier: Apache-2.0
// What was wrong in what a handler said: all oracles of the conformance half, stack traces, text
// that is no message, and silence; and how it is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/handler/conversation.h"
#include "harness/oracle/finding.h"
#include "harness/spec/requirement.h"

namespace fuzz {

// Breaches of at least this severity, the worst first.
std::vector<harness::oracle::Finding> judge_slice(const HandlerSlice& slice,
                                                  const harness::spec::Profile& profile,
                                                  const harness::spec::Registry& registry,
                                                  harness::oracle::Severity at_least);

// For people: of each finding the clause and its statement, expected and seen; then the transcript.
// Escaped, so that a terminal can show it.
std::string told(const std::vector<harness::oracle::Finding>& findings, const HandlerSlice& slice,
                 const harness::spec::Profile& profile, const harness::spec::Registry& registry);

// The transcript, one message per line, with those of `proof` marked; long ones are shortened.
std::string listed(const HandlerSlice& slice, const std::vector<std::uint64_t>& proof = {});

// The lines of a script, escaped and indented.
std::string listed(std::string_view script);

}  // namespace fuzz
