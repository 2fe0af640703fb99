// SPDX-License-Identifier: Apache-2.0
// Serves over HTTP+SSE, the transport of 2024-11-05, on 127.0.0.1: GET /sse opens an event stream
// and a Session, POST /message?session=ID is one message for it.
#pragma once

#include "harness/reference/acceptor.h"
#include "harness/reference/session.h"

namespace harness::reference {

// Prints "listening on http://127.0.0.1:PORT/sse" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_sse(Server& server, const AcceptorOptions& options);

}  // namespace harness::reference
