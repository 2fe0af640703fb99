// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kMcp = "mcp-2025-06-18";
constexpr const char* kPlain = "jsonrpc-2.0";

std::vector<std::string> closed(Played played, const std::string& how = "eof") {
  return breaches(played.closed(0, how), "connection");
}

TEST(Connection, ClosedWithARequestUnansweredIsFound) {
  const auto found = ElementsAre("fail jsonrpc.request.reply-exactly-one");
  const auto under_mcp = ElementsAre("fail mcp.ping.result");
  for (const char* transport : {"tcp", "unix", "websocket"}) {
    const Played asked = Played(kPlain, transport).sent(1, "ping");
    EXPECT_THAT(closed(asked), found) << transport;
    EXPECT_THAT(closed(asked, "reset"), found) << transport;
    EXPECT_THAT(closed(Played(asked).received(result("1"))), IsEmpty()) << transport;
  }
  EXPECT_THAT(closed(Played(kPlain, "websocket").sent(1, "ping"), "close 1011 oops"), found);
  EXPECT_THAT(closed(Played(kPlain, "tcp").sent("[" + request(1, "ping") + "]").sent(2, "ping")),
              found);
  EXPECT_THAT(closed(Played(kMcp, "tcp").sent(1, "initialize").received(result("1")).sent(2, "x")),
              under_mcp);
  EXPECT_THAT(closed(Played(kMcp, "tcp").earlier("1").sent(2, "x")), under_mcp);
}

// How many messages a connection is good for is nobody's business but the server's.
TEST(Connection, ThatHasServedMayBeClosed) {
  Played told(kPlain, "tcp");
  EXPECT_THAT(closed(Played(told.sent(notification("x"))).sent(1, "ping")), Not(IsEmpty()));
  for (int i = 0; i < 30; ++i) told.sent(notification("x"));
  EXPECT_THAT(closed(told.sent(1, "ping")), IsEmpty());
  EXPECT_THAT(closed(Played(kPlain, "tcp").sent(1, "ping").sent(2, "ping").received(result("1"))),
              IsEmpty());
  EXPECT_THAT(
      closed(Played(kPlain, "tcp").sent(1, "x").received(error("1", -32601)).sent(2, "x"), "reset"),
      IsEmpty());
  EXPECT_THAT(closed(Played(kPlain, "tcp").sent(2, "ping").received(error("null", -32600))),
              IsEmpty());
}

TEST(Connection, MayBeClosedForAReason) {
  const auto asked = [] { return Played(kPlain, "tcp").sent(1, "ping"); };
  EXPECT_THAT(closed(asked().we_close("stdin")), IsEmpty());
  EXPECT_THAT(closed(asked(), "closed by rpcspec"), IsEmpty());
  EXPECT_THAT(closed(Played(kPlain, "websocket").sent(1, "ping"), "close 1001"), IsEmpty());
  EXPECT_THAT(closed(Played(kPlain, "websocket").sent(1, "ping"), "protocol error: x"), IsEmpty());
  for (const char* objectionable :
       {"{oops", "{}", "[]", "7", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":7})"}) {
    EXPECT_THAT(closed(Played(kPlain, "tcp").sent(objectionable).sent(2, "ping")), IsEmpty())
        << objectionable;
  }
  EXPECT_THAT(closed(asked().wrote_raw("half")), IsEmpty());
  EXPECT_THAT(closed(asked().sent(request(2, std::string(70000, 'a')))), IsEmpty());
  // MCP: a session is opened once, has no arrays, and a refusal to open one may end it.
  EXPECT_THAT(closed(Played(kMcp, "tcp").sent("[" + request(1, "ping") + "]").sent(2, "ping")),
              IsEmpty());
  EXPECT_THAT(closed(Played(kMcp, "tcp").sent(1, "initialize")), IsEmpty());
  EXPECT_THAT(closed(Played(kMcp, "tcp")
                         .sent(1, "initialize")
                         .received(result("1"))
                         .sent(2, "initialize")
                         .sent(3, "ping")),
              IsEmpty());
  // Nothing is asked before the session is open, and no id twice.
  EXPECT_THAT(closed(Played(kMcp, "tcp").sent(1, "ping")), IsEmpty());
  EXPECT_THAT(closed(Played(kMcp, "tcp").sent(1, "initialize").sent(2, "ping")), IsEmpty());
  EXPECT_THAT(
      closed(
          Played(kMcp, "tcp").sent(1, "initialize").received(error("1", -32602)).sent(2, "ping")),
      IsEmpty());
  EXPECT_THAT(closed(Played(kPlain, "tcp").sent(1, "ping").sent(1, "ping")), IsEmpty());
  EXPECT_THAT(closed(Played(kMcp, "tcp")
                         .earlier("1")
                         .sent(notification("notifications/initialized"))
                         .sent(2, "ping")),
              IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
