// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/error_codes.h"

namespace harness::spec {

const std::vector<ErrorCode>& error_codes() {
  static const std::vector<ErrorCode> kCodes = {
      {-32700, "Parse error", "JSON-RPC 2.0: the text is not JSON; the id of the reply is null."},
      {-32600, "Invalid Request", "JSON-RPC 2.0: JSON, but not a request object."},
      {-32601, "Method not found",
       "JSON-RPC 2.0: nobody serves this method; in MCP also one behind "
       "a capability that was not declared."},
      {-32602, "Invalid params",
       "JSON-RPC 2.0: the parameters do not fit the method; in MCP also "
       "unknown tools, prompts and cursors, from 2026-07-28 resources."},
      {-32603, "Internal error",
       "JSON-RPC 2.0: the server failed; never for a mistake of the client."},
      {-32000, "Tool not found", "mcp-tutorial; elsewhere a server error of the implementation."},
      {-32001, "Resource not found",
       "mcp-tutorial; elsewhere a server error of the implementation."},
      {-32002, "Permission denied",
       "mcp-tutorial: data names resource, required_permission and "
       "user_permissions."},
      {-32002, "Resource not found",
       "MCP up to 2025-11-25 (SHOULD); must not be sent in 2026-07-28."},
      {-32003, "Rate limited", "mcp-tutorial; elsewhere a server error of the implementation."},
      {-32004, "Timeout", "mcp-tutorial; elsewhere a server error of the implementation."},
      {-32005, "Invalid tool input",
       "mcp-tutorial: data names the tool and its validation_errors."},
      {-32020, "Header mismatch",
       "MCP 2026-07-28 over HTTP: a header does not equal the body; "
       "status 400."},
      {-32021, "Missing client capability",
       "MCP 2026-07-28: data.requiredCapabilities names it; "
       "status 400."},
      {-32022, "Unsupported protocol version",
       "MCP 2026-07-28: data has supported and requested; "
       "status 400."},
      {-32042, "URL elicitation required", "MCP 2025-11-25; must not be sent in 2026-07-28."},
  };
  return kCodes;
}

}  // namespace harness::spec
