// SPDX-License-Identifier: Apache-2.0
// The rule about ids that servers take for none, or cannot keep: 0, an empty string, a negative
// number.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

void ids_of_one_value(Explainer& open);

}  // namespace harness::run
