// SPDX-License-Identifier: Apache-2.0
// The pages of `explain` about words that reports use: verdicts and affordances.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/builtin.h"

namespace harness::cli {

// "" for a word that is neither.
std::string page_of_word(const std::string& word, const Library& library);
// All that have one.
std::vector<std::string> report_words(const Library& library);

}  // namespace harness::cli
