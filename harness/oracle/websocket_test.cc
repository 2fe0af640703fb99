// SPDX-License-Identifier: Apache-2.0
// How messages come over WebSocket.
#include "harness/oracle/played_testing.h"

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

TEST(Websocket, AMessageHoldsOneText) {
  const auto message = [](const char* profile, const std::string& text) {
    Played played(profile, "websocket");
    return breaches(played.sent(1, "ping").received(text).marked({"note", ""}), "websocket");
  };
  const std::string twice = result("1") + " " + result("1");
  EXPECT_THAT(message("mcp-tutorial", result("1") + "\n"), IsEmpty());
  EXPECT_THAT(message("mcp-tutorial", twice),
              ElementsAre("fail tutorial.websocket.one-message-per-frame"));
  EXPECT_THAT(message("jsonrpc-2.0", twice), ElementsAre("warn ws.message.json-text"));
  EXPECT_THAT(message("mcp-tutorial", "welcome"),
              ElementsAre("fail tutorial.websocket.one-message-per-frame"));
  EXPECT_THAT(message("jsonrpc-2.0", "welcome"), IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
