// SPDX-License-Identifier: Apache-2.0
// The hosts: what carries the bytes of a client to a Session, and back.
#pragma once

#include <string>

#include "harness/reference/acceptor.h"
#include "harness/reference/session.h"

namespace harness::reference {

// Serves one session over standard input and output, or a socket that is both: one message a line,
// or each behind a Content-Length header as language servers do. Replies are written when no more
// input is waiting, so a flood of small requests needs few system calls.
enum class Framing { kLine, kContentLength };

// Returns the exit status. Ends at the end of input, after calls that will soon end by themselves.
int serve_stdio(Server& server, int in, int out, Framing framing = Framing::kLine);

// Serves over a stream socket, on 127.0.0.1 or in a folder. Each connection is a separate session
// in a separate process: the end of one does not end the others.

// Both print "listening on ..." on standard error and serve until killed; they return an exit
// status if they cannot listen. Port 0 chooses a free one.
int serve_tcp(Server& server, int port, Framing framing);
int serve_unix(Server& server, const std::string& path, Framing framing);

// Serves over HTTP on 127.0.0.1, path /mcp: plain JSON-RPC by POST, or MCP's Streamable HTTP with
// sessions (handshake revisions) and without (2026-07-28).

// Prints "listening on http://127.0.0.1:PORT/mcp" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_http(Server& server, const AcceptorOptions& options);

// Serves over HTTP+SSE, the transport of 2024-11-05, on 127.0.0.1: GET /sse opens an event stream
// and a Session, POST /message?session=ID is one message for it.

// Prints "listening on http://127.0.0.1:PORT/sse" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_sse(Server& server, const AcceptorOptions& options);

// Serves over WebSocket on 127.0.0.1, path /mcp: a connection is a Session, a text message one
// JSON-RPC message. The rules of RFC 6455 are implemented by hand, so that Faults can break each of
// them.

// Prints "listening on ws://127.0.0.1:PORT/mcp" on standard error and serves until killed.
// Port 0 chooses a free one. Returns an exit status if it cannot listen.
int serve_websocket(Server& server, const AcceptorOptions& options);

}  // namespace harness::reference
