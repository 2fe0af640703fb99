// SPDX-License-Identifier: Apache-2.0
// Faults of one spelling: a text read as another, a name served as another, an id that comes back as
// another. Each is a row of a table.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

// The message as a reader takes it that is lenient in one place.
std::string read_oddly(const Faults& faults, std::string_view text);
void respell_method(const Faults& faults, std::string& method);
// The id of a reply.
void respell_id(const Faults& faults, json::Value& id);

}  // namespace harness::reference
