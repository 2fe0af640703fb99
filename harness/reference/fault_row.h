// SPDX-License-Identifier: Apache-2.0
// FaultRow: what faults/ says of one Fault: its name, what goes wrong, and, where it is one wrong
// place in something the server reads or says, that place. The rows are packed into the program;
// the build rejects a wrong one.
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
  kError,         // the error object with this code
  kPart,          // a part of the input or output: fault_row.cc lists them
};

enum class Change {
  kRemove,   // the member
  kSet,      // the member has this value, whether it existed or not
  kAppend,   // one more element with this value; a string gets this text at its end
  kInsert,   // this text in the middle of the string
  kWrap,     // the value in an array
  kReplace,  // in the string, replace each member's name by its value
  kSwap,     // replace the first of two values by the second
  kKeep,     // of the object, keep only these members
};

struct Edit {
  Sent sent;
  std::string of;  // the method, code or part
  // Member names from there, `/` between them (`~1` is a slash of a name); a number is an element,
  // `*` any element or member, and `NAME{member=text}` one that has this member. In each message,
  // the first place that matches is changed. "": the whole.
  std::string path;
  Change change;
  json::Value value;  // null for kRemove and kWrap
};

// What the server answers in place of what it would.
struct Reaction {
  std::vector<std::string> methods;  // a `*` at the end or the beginning stands for anything
  // Only in place of an error with one of these in its message; empty: in place of anything.
  std::vector<std::string> refused;
  // By a path in the params: missing, present, string, number, object, other (no string), lacking
  // (no string, or missing), or a regular expression that is found in the string.
  std::vector<std::pair<std::string, std::string>> when;
  // "silent"; "exit": the process ends with 1; a code: only that of the error changes; {error:
  // CODE, message: TEXT} or {result: VALUE}, in which "$/PATH" stands for a value of the params.
  json::Value answer;
};

// For the fuzzer to find: how to start the server, and what shows the bug.
struct PlantedBug {
  std::string profile;
  std::string transport;  // stdio, http, tcp, websocket
  int frames = 1;         // the least number of messages needed
  std::string shows;      // crash, exit, hang, wrong
};

struct FaultRow {
  std::string name;
  std::string help;    // one line
  std::string breaks;  // for a Fault of a shape: the requirement it breaks, and no other
  std::vector<Edit> edits;
  std::optional<Reaction> reaction;
  // First and last revision in which the edits apply; "tutorial" is that dialect, "plain" the plain
  // profile.
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
