// SPDX-License-Identifier: Apache-2.0
// Calls of described methods, and chains of them: a call whose argument is taken out of the reply
// to another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

// Arguments of the second call, in which the chained argument is a reference to the reply to this
// frame; nothing if they have no such argument. A reference to a value that is not a string has no
// quotes, so the text becomes JSON only when it is filled in.
std::optional<std::string> with_reference(std::string_view arguments, const Chain& chain,
                                          std::size_t frame);

// What a contract names, for the beginning of a campaign: each described method with all its known
// arguments; then each chain: the first call and, after its reply, the second with all its
// arguments. Always the same ones.
std::vector<Script> contract_scripts(const Vocabulary& vocabulary);

}  // namespace fuzz
