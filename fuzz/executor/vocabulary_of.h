// SPDX-License-Identifier: Apache-2.0
// What mutators know of a target that was met: what it offers, and the methods its operator named.
#pragma once

#include <map>
#include <string>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/mutate/vocabulary.h"

namespace fuzz {

// `fuzz_target` has met `target`. Leaves out tools that must not be called, and those in
// `also_forbidden`.
Vocabulary vocabulary_of(const FuzzTarget& fuzz_target, const harness::target::Target& target,
                         const std::map<std::string, std::string>& also_forbidden = {});

}  // namespace fuzz
