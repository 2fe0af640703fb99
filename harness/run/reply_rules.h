// SPDX-License-Identifier: Apache-2.0
// The rules about what comes where it should not, or not as it should: answers to notifications,
// answers without a response, batches in pieces, requests nobody may send; and clauses that say the
// same of different inputs.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

// Before those about the end and the silence of a target.
void requests_only_accepted(Explainer& open);

void apply_reply_rules(Explainer& open);

}  // namespace harness::run
