// SPDX-License-Identifier: Apache-2.0
// Coverage: requirement × case. What a run, or the suite alone, shows about each clause.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/results/event.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::run {

// One row per requirement that applies under the profile and transport, from the results of a run.
std::vector<CoverageRow> coverage_rows(const spec::Registry& registry, const spec::Profile& profile,
                                       wire::TransportKind transport,
                                       const std::vector<CaseResult>& results);

// The same without a run: status is "covered" or "not_covered". `profile` may be null: then every
// requirement of the registry.
std::vector<CoverageRow> suite_coverage(const spec::Registry& registry, const suite::Suite& suite,
                                        const spec::Profile* profile);

}  // namespace harness::run
