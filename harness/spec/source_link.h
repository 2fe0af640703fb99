// SPDX-License-Identifier: Apache-2.0
// Where a clause can be read: addresses made of what its `source` says. Only what is certain gets
// one: pages of the revisions of MCP, JSON-RPC 2.0 and RFCs. A browser that does not find a heading
// shows the top of the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::spec {

struct SourceLink {
  std::string text;  // "2025-06-18 server/tools#error-handling", as the source has it
  std::string url;   // "" where no address is certain
};

// One for each text that the source names, in its order.
std::vector<SourceLink> links_of(std::string_view source);

}  // namespace harness::spec
