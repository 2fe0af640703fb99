// SPDX-License-Identifier: Apache-2.0
// A JSON reader that forgives what its Faults name, and nothing else. It writes what it understood
// as strict JSON text, so the rest of the server is unaware of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/faults.h"

namespace harness::reference {

// The values in `text`, each as strict JSON: usually one, two under lenient-two-values. Nothing if
// the text has an error that no Fault tolerates.
std::optional<std::vector<std::string>> forgiven(std::string_view text, const Faults& faults);

}  // namespace harness::reference
