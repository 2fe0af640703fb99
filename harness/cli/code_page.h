// SPDX-License-Identifier: Apache-2.0
// An error code for people: who uses it for what, and which clauses speak of it.
#pragma once

#include <optional>
#include <string>

#include "harness/spec/requirement.h"

namespace harness::cli {

// The code that `word` names: "-32602", or "32602" for the same with its sign. Null if it names
// none.
std::optional<int> error_code_in(const std::string& word);

std::string page_of_code(int code, const spec::Registry& registry);

}  // namespace harness::cli
