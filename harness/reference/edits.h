// SPDX-License-Identifier: Apache-2.0
// Edits: Faults that are one wrong place in something the server reads or says are rows of faults/
// and no code. One function finds the place and changes it.
#pragma once

#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

// An outgoing message, as far as rows can change it. `body` is where paths begin, null if there is
// none.
struct EditedMessage {
  Sent sent;
  std::string_view of;
  std::string_view version;  // spoken with this client
  json::Value& body;
};

// Applies the row, if it is about such a message; true if something was changed.
bool apply(const FaultRow& fault, EditedMessage message);

// Applies the Faults to a part of the input or output; true if something was changed. Parts have
// names: fault_row.cc lists them.
bool edit(const Faults& faults, std::string_view part, json::Value& value);
std::string edited(const Faults& faults, std::string_view part, std::string_view text);

}  // namespace harness::reference
