// SPDX-License-Identifier: Apache-2.0
// Words that tell two sessions apart. Pure.
#pragma once

#include <optional>
#include <string>

#include "harness/json/value.h"

namespace fuzz {

// The request with `word` in it: at the end of its first free text in params, or as a member or
// element of its own. Names, addresses and levels stay unchanged, so that its meaning is the same.
// Nothing if there is no place for it.
std::optional<harness::json::Value> with_word(harness::json::Value request,
                                              const std::string& word);

}  // namespace fuzz
