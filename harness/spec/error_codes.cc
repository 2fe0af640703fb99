// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/error_codes.h"

namespace harness::spec {

const std::vector<ErrorCode>& error_codes() {
  static const std::vector<ErrorCode> kCodes = {
      {-32700, "Parse error", "JSON-RPC 2.0: the text is not JSON; the id of the reply is null."},
      {-32600, "Invalid Request", "JSON-RPC 2.0: JSON, but not a request object."},
      {-32601, "Method not found",
       "JSON-RPC 2.0: no such method; in MCP also a method of an undeclared capability."},
      {-32602, "Invalid params",
       "JSON-RPC 2.0: the parameters do not fit the method; in MCP also "
       "unknown tools, prompts and cursors, from 2026-07-28 resources."},
      {-32603, "Internal error",
       "JSON-RPC 2.0: the server failed; not for an error of the client."},
      {-32000, "Tool not found", "mcp-tutorial; otherwise a server error of the implementation."},
      {-32000, "Connection closed",
       "MCP's SDK for TypeScript, to its own caller; its HTTP transport also refuses bad requests "
       "with it."},
      {-32000, "Invalid input", "Ethereum (EIP-1474): missing or invalid parameters."},
      {-32001, "Resource not found",
       "mcp-tutorial; otherwise a server error of the implementation."},
      {-32001, "Request timeout",
       "MCP's SDK for TypeScript, to its own caller; its HTTP transport also uses it for Session "
       "not found."},
      {-32001, "Resource not found", "Ethereum (EIP-1474): the requested item does not exist."},
      {-32001, "UnknownErrorCode", "LSP: a failure without its own code."},
      {-32002, "Permission denied",
       "mcp-tutorial: data names resource, required_permission and "
       "user_permissions."},
      {-32002, "Resource not found",
       "MCP up to 2025-11-25 (SHOULD); must not be sent in 2026-07-28."},
      {-32002, "Resource unavailable", "Ethereum (EIP-1474): it exists, but is not available now."},
      {-32002, "ServerNotInitialized", "LSP: a request before initialize."},
      {-32003, "Rate limited", "mcp-tutorial; otherwise a server error of the implementation."},
      {-32003, "Transaction rejected", "Ethereum (EIP-1474): it could not be created."},
      {-32004, "Timeout", "mcp-tutorial; otherwise a server error of the implementation."},
      {-32004, "Method not supported", "Ethereum (EIP-1474): known, but not implemented."},
      {-32005, "Invalid tool input",
       "mcp-tutorial: data names the tool and its validation_errors."},
      {-32005, "Limit exceeded", "Ethereum (EIP-1474): more requests than are allowed."},
      {-32020, "Header mismatch",
       "MCP 2026-07-28 over HTTP: a header differs from the body; status 400."},
      {-32021, "Missing client capability",
       "MCP 2026-07-28: data.requiredCapabilities names it; "
       "status 400."},
      {-32022, "Unsupported protocol version",
       "MCP 2026-07-28: data has supported and requested; "
       "status 400."},
      {-32042, "URL elicitation required", "MCP 2025-11-25; must not be sent in 2026-07-28."},
      {-32800, "RequestCancelled", "LSP: the client cancelled the request."},
      {-32801, "ContentModified",
       "LSP: the document changed, and the result would be out of date."},
      {-32802, "ServerCancelled", "LSP: the server cancelled the request; it may be sent again."},
      {-32803, "RequestFailed", "LSP: a valid request that failed anyway."},
  };
  return kCodes;
}

}  // namespace harness::spec
