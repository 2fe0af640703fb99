// SPDX-License-Identifier: Apache-2.0
// Stack traces that a server tells its clients: what was wrong inside, file by file. The path of a
// file is not enough.
#pragma once

#include <string_view>
#include <vector>

#include "harness/oracle/oracle.h"

namespace fuzz {

struct StackTrace {
  std::string_view language;  // "Python", "Node", …; "" when there is none
  std::string_view line;      // of the text: one that only a trace has
};

// The stack trace in a text of several lines: of Python, Node, Java, .NET, Go, Rust, C and C++. One
// line that looks like a trace is not enough.
StackTrace stack_trace_in(std::string_view text);

// Looks where a server reports failures: errors, results with isError, log notifications, HTTP
// errors. Ignores text that we sent on this connection.
void judge_stack_traces(const harness::oracle::Evidence& evidence,
                        std::vector<harness::oracle::Finding>& out);

}  // namespace fuzz
