// SPDX-License-Identifier: Apache-2.0
// The address of a clause, made from its `source`. Addresses are made only for pages of the
// revisions of MCP, JSON-RPC 2.0 and RFCs. A browser that does not find a heading shows the top of
// the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::spec {

struct SourceLink {
  std::string text;  // "2025-06-18 server/tools#error-handling", as in the source
  std::string url;   // "" if no address is certain
};

// One for each text that the source names, in order.
std::vector<SourceLink> links_of(std::string_view source);

// The texts of a source for this revision, and those without a revision: "2025-06-18
// basic/index#responses" of "2024-11-05 basic/messages; 2025-03-26..2026-07-28
// basic/index#responses". All of it if none is for the revision.
std::string source_in(std::string_view source, std::string_view revision);

}  // namespace harness::spec
