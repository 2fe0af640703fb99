// SPDX-License-Identifier: Apache-2.0
// Scenarios: what the cases of the suite send, as scripts. References are filled in as far as a
// profile alone allows: fresh ids, the canary, columns of the table, the first tool that
// cases/fixtures.yaml knows for an affordance; captures become references to earlier replies.
#pragma once

#include <string>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace fuzz {

struct Scenario {
  std::string name;  // of the case and the row: "suite/jsonrpc/id/zero-echo" or "…/zero-echo-2"
  Script script;
};

// A Scenario for each row of each case that counts under the profile, in the order of the suite.
// Leaves out each step that needs a known session (its id, a reply of the server); a case with no
// step left has no Scenario.
std::vector<Scenario> scenarios(const harness::suite::Suite& suite,
                                const harness::spec::Registry& registry,
                                const harness::spec::Profile& profile);

}  // namespace fuzz
