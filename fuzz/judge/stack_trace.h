// SPDX-License-Identifier: Apache-2.0
// Stack traces that a server tells its clients: what was wrong inside, file by file. The path of a
// file alone is none.
#pragma once

#include <string_view>
#include <vector>

#include "harness/oracle/oracle.h"

namespace fuzz {

struct StackTrace {
  std::string_view language;  // "Python", "Node", …; "" when there is none
  std::string_view line;      // of the text: one that nothing but a trace has
};

// The trace of a failure in a text of several lines: of Python, Node, Java, .NET, Go, Rust, C and
// C++. It takes more than a line that looks like one.
StackTrace stack_trace_in(std::string_view text);

// Looks where a server tells of failures: errors, results with isError, log notifications, refusals
// of HTTP. What we sent ourselves on this connection counts for nothing.
void judge_stack_traces(const harness::oracle::Evidence& evidence,
                        std::vector<harness::oracle::Finding>& out);

}  // namespace fuzz
