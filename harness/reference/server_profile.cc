// SPDX-License-Identifier: Apache-2.0
// The profile names the reference server knows.
#include "harness/reference/server_profile.h"

#include <algorithm>

namespace harness::reference {
namespace {

const char* const kHandshake[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
const char* const kStateless[] = {"2026-07-28"};

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

}  // namespace

bool ServerProfile::knows_handshake(std::string_view revision) const {
  return contains(handshake, revision);
}
bool ServerProfile::knows_stateless(std::string_view revision) const {
  return contains(stateless, revision);
}

std::vector<std::string> ServerProfile::supported() const {
  std::vector<std::string> all = stateless;
  all.insert(all.end(), handshake.rbegin(), handshake.rend());
  return all;
}

std::optional<ServerProfile> find_server_profile(std::string_view name) {
  ServerProfile profile;
  profile.name = name;
  if (name == "jsonrpc-2.0") {
    profile.plain = true;
  } else if (name == "mcp-tutorial" || name == "tutorial") {
    profile.name = "mcp-tutorial";
    profile.tutorial = true;
  } else if (name == "lsp") {
    profile.lsp = true;
  } else if (name == "acp-1") {
    profile.acp = true;
  } else {
    for (const char* revision : kHandshake)
      if (name == "mcp-all" || name == std::string("mcp-") + revision)
        profile.handshake.emplace_back(revision);
    for (const char* revision : kStateless)
      if (name == "mcp-all" || name == std::string("mcp-") + revision)
        profile.stateless.emplace_back(revision);
    if (profile.handshake.empty() && profile.stateless.empty()) return std::nullopt;
  }
  return profile;
}

std::vector<std::string> server_profile_names() {
  std::vector<std::string> names = {"jsonrpc-2.0"};
  for (const char* revision : kHandshake) names.push_back(std::string("mcp-") + revision);
  for (const char* revision : kStateless) names.push_back(std::string("mcp-") + revision);
  names.push_back("mcp-all");
  names.push_back("mcp-tutorial");
  names.push_back("lsp");
  names.push_back("acp-1");
  return names;
}

}  // namespace harness::reference
