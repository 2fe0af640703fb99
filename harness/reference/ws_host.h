// SPDX-License-Identifier: Apache-2.0
// Serves over WebSocket on 127.0.0.1, path /mcp: a connection is a Session, a text message one
// JSON-RPC message. The rules of RFC 6455 are implemented by hand, so that Faults can break each of
// them.
#pragma once

#include "harness/reference/acceptor.h"
#include "harness/reference/session.h"

namespace harness::reference {

// Prints "listening on ws://127.0.0.1:PORT/mcp" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_websocket(Server& server, const AcceptorOptions& options);

}  // namespace harness::reference
