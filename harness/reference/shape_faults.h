// SPDX-License-Identifier: Apache-2.0
// Faults of the shape of one message, which are data: a row of shape_fault_table.h names the
// message, the place in it and what is wrong there, and one function does it. Nothing else has to
// be written for such a Fault; which clause it breaks stands in the row, too.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::reference {

// Where a path begins.
enum class Sent {
  kResult,        // the result of this method
  kRequest,       // the params of this method, as a request or as one of `inputRequests`
  kNotification,  // the params of this notification
  kError,         // the error object of this code
};

enum class Change {
  kRemove,  // the member
  kSet,     // the member has this JSON value, whether it was there or not
  kAppend,  // one element more, this JSON value
  kInsert,  // this text in the middle of the string
  kWrap,    // the value in an array
};

struct ShapeFault {
  std::string_view name;
  std::string_view clause;  // the requirement it breaks, and no other
  Sent sent;
  std::string_view of;  // the method or code
  // Member names from there, `/` between them (`~1` is a slash of a name); `*` is any element or
  // member, and `NAME{member=text}` one that has this member. The first place that fits is changed,
  // of each message. "": the whole.
  std::string_view path;
  Change change;
  std::string_view value;  // JSON or text; "" of kRemove and kWrap
  std::string_view since;  // first and last revision in which it acts; "tutorial" is that dialect
  std::string_view until;
};

std::span<const ShapeFault> shape_faults();

// One line for lists, made of the row: "In results of tools/list, tools/*/name is 7".
std::string help_of(const ShapeFault& fault);

// A message on its way out, as far as rows of the table can change it. `body` is what paths begin
// at, null where there is none.
struct ShapedMessage {
  Sent sent;
  std::string_view of;
  std::string_view version;  // spoken with this client
  json::Value& body;
};

// Does what the row says, if it is about such a message; true when something was changed.
bool apply(const ShapeFault& fault, ShapedMessage message);

}  // namespace harness::reference
