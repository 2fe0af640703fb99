// SPDX-License-Identifier: Apache-2.0
// Clauses that are broken together because of what they say of each other: `one_with:` and
// `follows:` of the entries in cases/requirements.
#pragma once

#include "harness/run/explainer.h"

namespace harness::run {

// Several clauses that say the same of different inputs.
void told_as_one(Explainer& open);
// Clauses that cannot hold where another is broken.
void consequences(Explainer& open);

}  // namespace harness::run
