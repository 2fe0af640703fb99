// SPDX-License-Identifier: Apache-2.0
// How messages come over WebSocket.
#include "harness/oracle/played.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> over_websocket(const char* profile, const wire::Header& mark) {
  Played played(profile, "websocket");
  played.sent(1, "ping").received(result("1"));
  if (!mark.name.empty()) played.marked(mark);
  return breaches(played);
}

TEST(Websocket, MessagesAreTextAndNotMasked) {
  EXPECT_THAT(over_websocket("jsonrpc-2.0", {}), IsEmpty());
  EXPECT_THAT(over_websocket("jsonrpc-2.0", {"opcode", "binary"}),
              ElementsAre("warn ws.message.json-text"));
  EXPECT_THAT(over_websocket("mcp-tutorial", {"opcode", "binary"}),
              ElementsAre("warn tutorial.websocket.one-message-per-frame"));
  EXPECT_THAT(over_websocket("jsonrpc-2.0", {"reason", "the server's frame was masked"}),
              ElementsAre("fail ws.frame.server-unmasked"));
}

TEST(Websocket, AMessageHoldsOneTextInTheTutorial) {
  Played twice("mcp-tutorial", "websocket");
  twice.sent(1, "ping").received(result("1") + result("1")).marked({"note", ""});
  EXPECT_THAT(breaches(twice, "json-output"),
              ElementsAre("fail tutorial.websocket.one-message-per-frame"));
}

}  // namespace
}  // namespace harness::oracle
