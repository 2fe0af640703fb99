// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/source_link.h"

#include <gtest/gtest.h>

#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

std::string url(const std::string& source) {
  const auto links = links_of(source);
  return links.size() == 1 ? links.front().url : "?";
}

const std::string kMcp = "https://modelcontextprotocol.io/specification/";

TEST(SourceLink, IsMadeOfWhatIsCertain) {
  EXPECT_EQ(url("JSON-RPC 2.0 §5.1"), "https://www.jsonrpc.org/specification#error_object");
  EXPECT_EQ(url("JSON-RPC 2.0 §4, §5.1"), "https://www.jsonrpc.org/specification#request_object");
  EXPECT_EQ(url("LSP 3.17 #headerPart (derived)"),
            "https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/"
            "specification/#headerPart");
  EXPECT_EQ(url("ACP 1 session-setup#session-id (derived)"),
            "https://agentclientprotocol.com/protocol/v1/session-setup#session-id");
  EXPECT_EQ(url("ACP 1 schema NewSessionResponse"),
            "https://agentclientprotocol.com/protocol/v1/schema");
  EXPECT_EQ(url("RFC 8259 §8.1"), "https://www.rfc-editor.org/rfc/rfc8259#section-8.1");
  EXPECT_EQ(url("2025-06-18 server/tools#error-handling"),
            kMcp + "2025-06-18/server/tools#error-handling");
  EXPECT_EQ(url("2026-07-28 basic/index#_meta"), kMcp + "2026-07-28/basic/index#meta");
  EXPECT_EQ(url("2025-03-26 basic/transports#session-management (derived)"),
            kMcp + "2025-03-26/basic/transports#session-management");
  EXPECT_EQ(url("2025-11-25 schema#Tool"), kMcp + "2025-11-25/schema#tool");
  EXPECT_EQ(url("2024-11-05..2025-11-25 schema ServerRequest"),
            kMcp + "2025-11-25/schema#serverrequest");
  EXPECT_EQ(url("2024-11-05..2025-11-25 schema error constants"), kMcp + "2025-11-25/schema");
  EXPECT_EQ(url("2024-11-05 schema#Tool"),
            "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/"
            "2024-11-05/schema.ts");
  EXPECT_EQ(url("2025-03-26..2026-07-28 tutorials/security/security_best_practices#a-b"),
            "https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/"
            "security_best_practices#a-b");
}

TEST(SourceLink, IsMissingWhereNothingIsCertain) {
  for (const char* source :
       {"2026-07-28 ext-tasks#task-polling", "2026-07-28 SEP-2663#x", "CWE-209",
        "002_04e065f420b4dd8c.txt#2 HTTP transport", "2024-11-05..2026-07-28 (no rule)", "rpcspec"})
    EXPECT_EQ(url(source), "") << source;
}

TEST(SourceLink, ThereIsOneForEachText) {
  const auto links = links_of("RFC 8259 §6; JSON-RPC 2.0 §5.1");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].text, "RFC 8259 §6");
  EXPECT_EQ(links[1].url, "https://www.jsonrpc.org/specification#error_object");
}

TEST(SourceLink, OfARevisionIsWhatItsReaderLooksUp) {
  const std::string source =
      "2024-11-05 basic/messages#responses; 2025-03-26..2026-07-28 basic/index#responses; RFC 8259 "
      "§6";
  EXPECT_EQ(source_in(source, "2024-11-05"), "2024-11-05 basic/messages#responses; RFC 8259 §6");
  EXPECT_EQ(source_in(source, "2025-11-25"), "2025-11-25 basic/index#responses; RFC 8259 §6");
  EXPECT_EQ(source_in(source, ""), source) << "plain JSON-RPC has no revision";
  EXPECT_EQ(source_in("JSON-RPC 2.0 §5", "2025-11-25"), "JSON-RPC 2.0 §5");
}

TEST(SourceLink, HasEverySectionOfJsonRpcThatClausesName) {
  for (const Requirement& requirement : own_registry().all()) {
    for (const SourceLink& link : links_of(requirement.source)) {
      if (!link.text.starts_with("JSON-RPC 2.0 §")) continue;
      EXPECT_NE(link.url.find('#'), std::string::npos) << requirement.id << ": " << link.text;
    }
  }
}

}  // namespace
}  // namespace harness::spec
