// SPDX-License-Identifier: Apache-2.0
// A JSON reader that forgives what its Faults name, and nothing else. It writes what it understood
// as strict JSON text, so that the rest of the server does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/faults.h"

namespace harness::reference {

// The values in `text`, each as strict JSON: one as a rule, two under lenient-two-values. Nothing
// when the text is broken in a way no Fault forgives.
std::optional<std::vector<std::string>> forgiven(std::string_view text, const Faults& faults);

}  // namespace harness::reference
