// SPDX-License-Identifier: Apache-2.0
// case_draft(): a reduced script as a case of the suite, so that a gate can watch over what a
// campaign has found.
#pragma once

#include <string>

#include "fuzz/script/script.h"
#include "harness/spec/profile.h"

namespace fuzz {

// YAML for `rpcspec run --cases DIR`. `title`: one sentence. Delivery that only a script can say
// (chunks, other line ends) is left out; frames and raw bytes are there byte for byte.
std::string case_draft(const Script& script, const std::string& title,
                       const std::string& requirement, const harness::spec::Profile& profile,
                       const std::string& transport);

}  // namespace fuzz
