// SPDX-License-Identifier: Apache-2.0
// Edits: Faults that are one wrong value in something the server says: where, and the JSON that
// stands there instead.
#pragma once

#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

struct Edit {
  FaultName fault;
  const char* pointer;  // "/resources/0/size"; of an array the first ten elements can be named
  const char* json;     // null: the member is left out
};

// Puts `json` at the place. What does not lead there stays as it is.
void set_at(json::Value& value, std::string_view pointer, const char* json);

template <class Edits>
void edit(json::Value& value, const Edits& edits, const Faults& faults) {
  for (const Edit& one : edits)
    if (faults.has(one.fault)) set_at(value, one.pointer, one.json);
}

}  // namespace harness::reference
