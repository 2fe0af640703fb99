// SPDX-License-Identifier: Apache-2.0
// The rules by which several findings are laid to one thing, the surest first.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

void apply_rules(Explainer& open);

}  // namespace harness::run
