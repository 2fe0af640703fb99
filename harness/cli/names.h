// SPDX-License-Identifier: Apache-2.0
// Names on the command line that are almost right.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/target/target.h"

namespace harness::cli {

// "did you mean `run`?" for the nearest of `known`; else up to three that contain the word ("names
// with it are `a`, `b`"); else `otherwise`.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise);

// The remedy for an unknown profile.
std::string profile_remedy(const std::string& word);

// The full name of a profile, or auto: a revision alone ("2025-06-18") means that of MCP. What is
// wrong with the word, or "".
std::string check_profile(std::string& word);
// Several profiles, separated by commas, or `all`; a frozen set may follow after @.
std::string check_profiles(std::string& words);
// The profiles that such a word names; an Error names the option or file.
Result<std::vector<std::string>> profiles_in(const std::string& words, const std::string& where);

// An Error if an affordance of the description is unknown to all cases and almost equal to a known
// one. Others are allowed: cases that are not played now may use them.
Status check_affordances(const target::Target& target, const Library& library);

}  // namespace harness::cli
