// SPDX-License-Identifier: Apache-2.0
// judge(): what was wrong in a played Script. All oracles of the conformance half look at it, and
// the few that only a fuzzer has.
#pragma once

#include <string>
#include <vector>

#include "fuzz/drive/player.h"
#include "harness/oracle/finding.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"

namespace fuzz {

struct Problem {
  harness::oracle::Finding finding;
  std::string signature;  // of the bug: the same for every script that shows it, as far as is known
  std::size_t stretch = 0;  // of Played: what finding.frames count in
};

// The worst first. Remarks (severity info) are left out.
std::vector<Problem> judge(const Played& played, const harness::spec::Profile& profile,
                           const harness::spec::Registry& registry);

// The text without what varies between two sights of one bug: what is quoted, numbers, addresses,
// paths. Error codes stay.
std::string squeezed(std::string_view text);

// The kind of a crash that stands in what a process wrote before it died: sanitizer, kind of error
// and the names of the innermost functions; "" when there is none.
std::string crash_class(std::string_view stderr_text);

}  // namespace fuzz
