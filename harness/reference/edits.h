// SPDX-License-Identifier: Apache-2.0
// Edits: Faults that are one wrong place in something the server reads or says are rows of faults/
// and no code. One function walks to the place and changes it.
#pragma once

#include <string_view>

#include "harness/json/value.h"
#include "harness/reference/faults.h"

namespace harness::reference {

// A message on its way out, as far as rows can change it. `body` is what paths begin at, null where
// there is none.
struct EditedMessage {
  Sent sent;
  std::string_view of;
  std::string_view version;  // spoken with this client
  json::Value& body;
};

// Does what the row says, if it is about such a message; true when something was changed.
bool apply(const FaultRow& fault, EditedMessage message);

// What the Faults do to a part of what is read or said, wherever it is on its way; true when
// something was changed. Parts have names: fault_row.cc lists them.
bool edit(const Faults& faults, std::string_view part, json::Value& value);
std::string edited(const Faults& faults, std::string_view part, std::string_view text);

}  // namespace harness::reference
