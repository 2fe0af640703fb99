// SPDX-License-Identifier: Apache-2.0
// Texts that mutators put into messages: rows of values.json. All of them are harmless: commands
// print, paths are read, hosts are this one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/script/script.h"

namespace fuzz {

using Texts = std::vector<std::string>;

// JSON text:
//   numbers, strings, others   at the edges of their kinds
//   ids                        valid ones, in spellings that implementations lose
//   kinds                      of each kind, to replace any value
// As they stand in a JSON string:
//   specials                   end, begin or escape something for a program that passes it on
//   behind names               suffixes for a name or URI that is looked up
//   meanings                   something behind a server gives them a meaning
//   apart                      names of members, and of things called by name
// Others:
//   versions                   of MCP-Protocol-Version: $ is the agreed revision, @ another one
const Texts& texts(std::string_view name);

// The unit of a run, and what follows the run: a regular expression that could divide the run in
// many ways tries all of them before it rejects. It does so only if nothing else is around.
struct Run {
  std::string unit, end;
};
const std::vector<Run>& runs();

const std::vector<HeaderChange>& odd_headers();

}  // namespace fuzz
