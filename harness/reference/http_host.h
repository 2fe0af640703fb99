// SPDX-License-Identifier: Apache-2.0
// Serves over HTTP on 127.0.0.1, path /mcp: plain JSON-RPC by POST, or MCP's Streamable HTTP with
// sessions (handshake revisions) and without (2026-07-28).
#pragma once

#include "harness/reference/acceptor.h"
#include "harness/reference/session.h"

namespace harness::reference {

// Prints "listening on http://127.0.0.1:PORT/mcp" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_http(Server& server, const AcceptorOptions& options);

}  // namespace harness::reference
