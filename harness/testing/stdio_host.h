// SPDX-License-Identifier: Apache-2.0
// Serves one session over standard input and output: one message a line. Replies are written when
// no more input is waiting, so a flood of small requests costs few system calls.
#pragma once

#include "harness/testing/session.h"

namespace harness::testing {

// Returns the exit status. Ends at the end of input, after calls that will soon end by themselves.
int serve_stdio(Server& server, int in, int out);

}  // namespace harness::testing
