// SPDX-License-Identifier: Apache-2.0
// Serves one session over standard input and output, or a socket that is both: one message a line,
// or each behind a Content-Length header as language servers do. Replies are written when no more
// input is waiting, so a flood of small requests needs few system calls.
#pragma once

#include "harness/reference/session.h"

namespace harness::reference {

enum class Framing { kLine, kContentLength };

// Returns the exit status. Ends at the end of input, after calls that will soon end by themselves.
int serve_stdio(Server& server, int in, int out, Framing framing = Framing::kLine);

}  // namespace harness::reference
