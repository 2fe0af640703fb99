// SPDX-License-Identifier: Apache-2.0
// Words that tell two sessions apart. Pure.
#pragma once

#include <optional>
#include <string>

#include "harness/json/value.h"

namespace fuzz {

// The request with `word` in it: as the end of its first free text in params, or as a member or
// element of its own. Names, addresses and levels stay as they are, so that it means the same.
// Nothing where there is no place for it.
std::optional<harness::json::Value> with_word(harness::json::Value request,
                                              const std::string& word);

}  // namespace fuzz
