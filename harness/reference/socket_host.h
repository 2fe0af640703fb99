// SPDX-License-Identifier: Apache-2.0
// Serves over a stream socket, on 127.0.0.1 or in a folder. Each connection is a separate session
// in a separate process: the end of one does not end the others.
#pragma once

#include <string>

#include "harness/reference/session.h"
#include "harness/reference/stdio_host.h"

namespace harness::reference {

// Both print "listening on ..." on standard error and serve until killed; they return an exit
// status if they cannot listen. Port 0 chooses a free one.
int serve_tcp(Server& server, int port, Framing framing);
int serve_unix(Server& server, const std::string& path, Framing framing);

}  // namespace harness::reference
