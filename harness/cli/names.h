// SPDX-License-Identifier: Apache-2.0
// Names on the command line that are almost right.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/target/target.h"

namespace harness::cli {

// "did you mean `run`?" of the nearest of `known`; else up to three that contain the word ("names
// with it are `a`, `b`"); else `otherwise`.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise);

// The remedy for a profile that is none.
std::string profile_remedy(const std::string& word);

// A profile, or auto, in its full name: a revision alone ("2025-06-18") is that of MCP. What is
// wrong with the word, or "".
std::string check_profile(std::string& word);
// Several of them, with commas between, or `all`; behind @ may stand a frozen set.
std::string check_profiles(std::string& words);
// The profiles that such a word names; what is wrong with it is an Error of that option or file.
Result<std::vector<std::string>> profiles_in(const std::string& words, const std::string& where);

// An Error at an affordance of the description that no case has a use for and that is almost one of
// those that cases use. Others may be there for cases that are not played now.
Status check_affordances(const target::Target& target, const Library& library);

}  // namespace harness::cli
