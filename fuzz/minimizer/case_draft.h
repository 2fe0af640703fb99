// SPDX-License-Identifier: Apache-2.0
// case_draft(): a reduced script as a case of the suite, so that a gate can watch over what a
// campaign has found.
#pragma once

#include <string>

#include "fuzz/minimizer/minimizer.h"
#include "harness/spec/profile.h"
#include "harness/target/target.h"

namespace fuzz {

// YAML for `rpcspec run --cases DIR`; "" where no case can be written. Frames go out together, in
// pieces and with whatever is odd about them, as the script says; what was filled in of earlier
// replies when it was played is captured. What the case language has no words for is not there, so
// whether the case shows what the script shows has to be tried (case_trial.h).
std::string case_draft(const Reduced& reduced, const harness::spec::Profile& profile,
                       const harness::target::Target& target);

}  // namespace fuzz
