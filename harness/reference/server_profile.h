// SPDX-License-Identifier: Apache-2.0
// What the reference server claims to be: plain JSON-RPC 2.0, the tutorial dialect, a language
// server, an agent, or MCP in some revisions. Revisions are compared as text, which works because
// they are dates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::reference {

struct ServerProfile {
  std::string name;
  bool plain = false;
  bool tutorial = false;
  bool lsp = false;
  bool acp = false;
  std::vector<std::string> handshake;  // revisions opened by initialize, oldest first
  std::vector<std::string> stateless;  // revisions carried by every request

  bool mcp() const { return !plain && !tutorial && !lsp && !acp; }
  bool knows_handshake(std::string_view revision) const;
  bool knows_stateless(std::string_view revision) const;
  // All revisions, newest first.
  std::vector<std::string> supported() const;
};

// jsonrpc-2.0, mcp-<revision>, mcp-all, mcp-tutorial (or tutorial), lsp, acp-1.
std::optional<ServerProfile> find_server_profile(std::string_view name);
std::vector<std::string> server_profile_names();

}  // namespace harness::reference
