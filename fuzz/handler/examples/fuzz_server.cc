// SPDX-License-Identifier: Apache-2.0
#include <rpcspec/fuzz_handler.h>

#include <cstdlib>
#include <memory>

#include "server.h"

RPCSPEC_FUZZ_HANDLER("mcp-2025-06-18") {
  const char* bug = std::getenv("EXAMPLE_BUG");
  auto server = std::make_shared<example::Server>(bug ? bug : "");
  return [server](std::string_view message) { return server->handle(message); };
}
