// SPDX-License-Identifier: Apache-2.0
// Affordances that nobody had to name: the candidates of cases/fixtures.yaml and cases/languages/.
#pragma once

#include <optional>
#include <string>

#include "harness/contact/offer.h"
#include "harness/target/target.h"

namespace harness::run {

// Affordances the operator did not give, recognised by the names of well-known fixtures: the first
// whose tool may be called, or else the first, so that a case can say what it was not allowed to
// do. `server`: of a language server the name that it gives, or "".
void recognise(const json::Value& fixtures, const target::Target& target,
               const std::optional<std::string>& server, Offer& offer);

}  // namespace harness::run
