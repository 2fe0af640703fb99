// SPDX-License-Identifier: Apache-2.0
// FaultRow: what faults/ says of one Fault: its name, what goes wrong, and, where it is one wrong
// place in something the server reads or says, that place. The rows are packed into the program;
// the build refuses one that is wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/packed.h"
#include "harness/json/value.h"

namespace harness::reference {

// Where a path begins.
enum class Sent {
  kResult,        // the result of this method
  kRequest,       // the params of this method, as a request or as one of `inputRequests`
  kNotification,  // the params of this notification
  kError,         // the error object of this code
  kPart,          // a part of what is read or said: fault_row.cc lists them
};

enum class Change {
  kRemove,   // the member
  kSet,      // the member has this value, whether it was there or not
  kAppend,   // one element more, this value; a string goes on with this text
  kInsert,   // this text in the middle of the string
  kWrap,     // the value in an array
  kReplace,  // in the string, each member's name by its value
  kSwap,     // the first of two values by the second
  kKeep,     // of the object, these members alone
};

struct Edit {
  Sent sent;
  std::string of;  // the method, code or part
  // Member names from there, `/` between them (`~1` is a slash of a name); a number is an element,
  // `*` any element or member, and `NAME{member=text}` one that has this member. The first place
  // that fits is changed, of each message. "": the whole.
  std::string path;
  Change change;
  json::Value value;  // null of kRemove and kWrap
};

// For the fuzzer to find: what to start the server with, and what shows the bug.
struct PlantedBug {
  std::string profile;
  std::string transport;  // stdio, http, tcp, websocket
  int frames = 1;         // messages that are needed at the least
  std::string shows;      // crash, exit, hang, wrong
};

struct FaultRow {
  std::string name;
  std::string help;    // one line
  std::string breaks;  // of a Fault of a shape: the requirement it breaks, and no other
  std::vector<Edit> edits;
  // First and last revision in which the edits act; "tutorial" is that dialect, "plain" the plain profile.
  std::string since, until;
  std::optional<PlantedBug> planted;
};

// The rows of such files. The first mistake ends it, with its place.
Result<std::vector<FaultRow>> read_fault_rows(const std::vector<json::DataFile>& files);

// "In results of tools/list, tools/*/name is 7": the help of a Fault that is one edit.
std::string help_of(const FaultRow& row);

// All rows of faults/, and one of them.
const std::vector<FaultRow>& fault_rows();
std::optional<FaultRow> fault_named(std::string_view name);
// Those that break a clause about the shape of a message.
const std::vector<const FaultRow*>& shape_faults();

}  // namespace harness::reference
