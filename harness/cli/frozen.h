// SPDX-License-Identifier: Apache-2.0
// What others agreed on to hold servers to: frozen sets of requirements, ours and those of the
// official suite, and its lists of expected failures. Both become part of a Baseline.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/results/baseline.h"
#include "harness/results/event.h"
#include "harness/spec/official.h"

namespace harness::cli {

// "mcp-2025-11-25@1.0" → profile and set; the set is "" if none is named.
struct ProfileAtSet {
  std::string profile, set;
};
ProfileAtSet split_profile(const std::string& word);

// Restricts the baseline to a frozen set: "1.0", of our cases, or a revision of the official suite
// ("2026-07-28"). An Error, at `option`, lists the existing sets. Returns the profile that belongs
// to it, "" if any does.
Result<std::string> freeze(const std::string& set, const std::string& option,
                           const std::string& suite_folder, const Library& library,
                           run::Baseline& baseline);

// Reads `server` of an `expected-failures` file: entries `scenario` and `scenario:check`. `client`
// is ignored: rpcspec tests servers only.
Status expect_failures(const std::string& file, const spec::Official& official,
                       run::Baseline& baseline);

// The scenarios that the official suite counts for a profile, as far as they are frozen.
std::vector<std::string> frozen_scenarios(const std::string& profile,
                                          const std::string& suite_folder);

// A file of this kind with which this run passes, as far as the official suite has checks for the
// failures. Clauses without such a check are listed in comments. If several scenarios have the same
// check, one of `usual` is named.
struct ExpectedFailures {
  std::string text;
  std::size_t entries = 0, without_check = 0;
};
ExpectedFailures expected_failures(const std::vector<run::CaseResult>& results, bool level_should,
                                   const spec::Official& official,
                                   const std::vector<std::string>& usual);

}  // namespace harness::cli
