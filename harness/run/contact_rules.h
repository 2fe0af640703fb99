// SPDX-License-Identifier: Apache-2.0
// The rule about what is wrong with the first contact: it takes what cases see of the same.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

void apply_contact_rules(Explainer& open);

}  // namespace harness::run
