// SPDX-License-Identifier: Apache-2.0
// The words of findings, for people: what came and what was wanted, as sentences. No code parses
// them.
#pragma once

#include <string>

#include "harness/oracle/finding.h"

namespace harness::oracle {

// "error -32601 …", "no reply at all", "HTTP 400 without a message".
std::string words(const Observation& came);

// The finding in one line, without the long numbers that differ from run to run: entries of
// baseline files that are older than classes begin with it.
std::string one_line(const Finding& finding);

}  // namespace harness::oracle
