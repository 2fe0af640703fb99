// SPDX-License-Identifier: Apache-2.0
// case_draft(): a reduced script as a case of the suite, so that a gate can watch over what a
// campaign has found.
#pragma once

#include <string>

#include "fuzz/minimizer/minimizer.h"
#include "harness/spec/profile.h"
#include "harness/target/target.h"

namespace fuzz {

// YAML for `rpcspec run --cases DIR`; "" if no case can be written. Frames go out together, in
// pieces and with their oddities, as the script says. Values of earlier replies that were filled in
// are captured. What the case language cannot express is missing, so a trial must show whether the
// case shows what the script shows (case_trial.h).
std::string case_draft(const Reduced& reduced, const harness::spec::Profile& profile,
                       const harness::target::Target& target);

}  // namespace fuzz
