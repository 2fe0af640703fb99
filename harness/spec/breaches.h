// SPDX-License-Identifier: Apache-2.0
// Headlines for breaches: what a server does that breaks a clause. The lines of
// cases/breaches.yaml, packed into the program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace harness::spec {

// By clause.
const std::map<std::string, std::string, std::less<>>& breaches();

// "" if there is none.
std::string breach_of(std::string_view clause);

}  // namespace harness::spec
