// SPDX-License-Identifier: Apache-2.0
// Affordances that nobody had to name: the candidates of cases/fixtures.yaml and cases/languages/.
#pragma once

#include <optional>
#include <string>

#include "harness/contact/offer.h"
#include "harness/target/target.h"

namespace harness::run {

// Affordances that the operator did not give, recognised by the names of well-known fixtures: the
// first whose tool may be called, otherwise the first, so that a case can name what it was not
// allowed to do. `server`: the name that a language server reports, or "".
void recognise(const json::Value& fixtures, const target::Target& target,
               const std::optional<std::string>& server, Offer& offer);

}  // namespace harness::run
