// SPDX-License-Identifier: Apache-2.0
// What was wanted and what came as JSON: for programs that read reports, and for the page.
//
//   wanted  {result? error? silence? end? codes[]? id? value?}
//   came    {kind text? status?}; text: the code of an error, how something ended, the method of a
//           message of the server, the JSON of a value
#pragma once

#include "harness/json/value.h"
#include "harness/oracle/finding.h"

namespace harness::oracle {

// Adds `wanted` and `came` to an object that describes the finding, if they are known.
void write_values(const Finding& finding, json::Value& out);

// Takes them from there.
void read_values(const json::Value& from, Finding& finding);

}  // namespace harness::oracle
