// SPDX-License-Identifier: Apache-2.0
// The checks; see the table in stateful_check.cc.
#pragma once

#include "fuzz/stateful/stateful_check.h"

namespace fuzz {

using Suspects = std::optional<Script>(const Script&, const Execution&, const CheckTarget&,
                                       Random&);
Suspects suspect_spelling, suspect_lists, suspect_growth, suspect_renewal, suspect_streams,
    suspect_cost, suspect_isolation;

using Looks = harness::session::awaitable<std::optional<CheckResult>>(CheckContext&, const Script&);
Looks look_at_spelling, look_at_lists, look_at_growth, look_at_renewal, look_at_streams,
    look_at_cost, look_at_isolation;

}  // namespace fuzz
