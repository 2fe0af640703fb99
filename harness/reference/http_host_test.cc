// SPDX-License-Identifier: Apache-2.0
// The HTTP host over real sockets: what it answers, refuses and outlives, byte by byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/reference/hosts.h"
#include "harness/reference/http_conversation_testing.h"

namespace harness::reference {
namespace {

using ::testing::HasSubstr;

// The Fault alone, or none.
std::vector<std::string> only(bool faulty, const std::string& fault) {
  return faulty ? std::vector<std::string>{fault} : std::vector<std::string>{};
}

std::string request(const std::string& line, const std::string& headers, const std::string& body) {
  return line + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         "Accept: application/json, text/event-stream\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string post(const std::string& body, const std::string& session = "") {
  return request("POST /mcp", session.empty() ? "" : "Mcp-Session-Id: " + session + "\r\n", body);
}

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})";
const std::string kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
const std::string kPing = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
std::string slow_call(int id, int milliseconds) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"slow_operation","arguments":{"durationMs":)" +
         std::to_string(milliseconds) + "}}}";
}

const std::string kProgress = R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                              R"({"name":"test_tool_with_progress","_meta":{"progressToken":7}}})";

// The handshake; returns the session id.
std::string open_session(Client& client) {
  const HttpAnswer answer = client.ask(post(kInitialize));
  const std::string id = answer.header("Mcp-Session-Id");
  EXPECT_EQ(client.ask(post(kInitialized, id)).status, 202);
  return id;
}

TEST(HttpHost, AnswersARequestWithOneJsonMessage) {
  const Served served("jsonrpc-2.0");
  Client client(served);
  const HttpAnswer answer =
      client.ask(post(R"({"jsonrpc":"2.0","id":"a","method":"subtract","params":[42,23]})"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("Content-Type"), "application/json");
  EXPECT_EQ(answer.body, R"({"jsonrpc":"2.0","id":"a","result":19})");
}

TEST(HttpHost, AcceptsANotificationWithoutABody) {
  const Served plain("jsonrpc-2.0");
  Client stranger(plain);
  const HttpAnswer nothing = stranger.ask(post(R"({"jsonrpc":"2.0","method":"sum","params":[1]})"));
  EXPECT_EQ(nothing.status, 204);
  EXPECT_EQ(nothing.body, "");

  const Served mcp("mcp-2025-11-25");
  Client client(mcp);
  const std::string session = client.ask(post(kInitialize)).header("Mcp-Session-Id");
  const HttpAnswer accepted = client.ask(post(kInitialized, session));
  EXPECT_EQ(accepted.status, 202);
  EXPECT_EQ(accepted.body, "");
}

TEST(HttpHost, RefusesWhatItDoesNotServeAndKeepsTheConnection) {
  struct Row {
    std::string bytes;
    int status;
  };
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  const std::vector<Row> rows = {
      {request("POST /elsewhere", "", kPing), 404},
      {request("GET /mcp", "", ""), 400},
      {request("PUT /mcp", "", kPing), 405},
      {request("POST /mcp", "Origin: https://evil.example\r\n", kPing), 403},
      {post(kPing), 400},
      {post(kPing, "nobody"), 404},
      {post("{", session), 400},
      {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: "
       "0\r\n\r\n",
       415},
      {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
       "image/png\r\n"
       "Content-Length: 0\r\n\r\n",
       406},
      {post(kPing, session), 200},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.bytes);
    EXPECT_EQ(client.ask(row.bytes).status, row.status);
  }
  EXPECT_EQ(client.ask(request("PUT /mcp", "", "")).header("Allow"), "GET, POST, DELETE");
}

TEST(HttpHost, RefusesABodyBeyondItsLimitUnread) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const HttpAnswer answer = client.ask(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: 67108865\r\n\r\n");
  EXPECT_EQ(answer.status, 413);
  EXPECT_TRUE(client.ends_silently());
}

TEST(HttpHost, AnswersBadHttpAndHangsUp) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  EXPECT_EQ(client.ask("This is no HTTP\r\n\r\n").status, 400);
  EXPECT_TRUE(client.ends_silently());
}

TEST(HttpHost, ReadsARequestThatComesInPieces) {
  const Served served("jsonrpc-2.0");
  Client client(served);
  const std::string bytes = post(R"({"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]})");
  for (const char byte : bytes) client.say(std::string(1, byte));
  EXPECT_THAT(client.hear().body, HasSubstr(R"("result":3)"));
}

TEST(HttpHost, AnswersPipelinedRequestsInTheirOrder) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  client.say(post(slow_call(3, 50), session) + post(kPing, session));
  EXPECT_THAT(client.hear().body, HasSubstr(R"("id":3,"result")"));
  EXPECT_THAT(client.hear().body, HasSubstr(R"("id":2,"result")"));
}

TEST(HttpHost, ClosesTheConnectionWhenAskedTo) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  EXPECT_EQ(client.ask(request("POST /mcp", "Connection: close\r\n", kInitialize)).status, 200);
  EXPECT_TRUE(client.ends_silently());
}

TEST(HttpHost, StreamsWhatComesBeforeTheReply) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  const HttpAnswer answer = client.ask(post(kProgress, session));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("Content-Type"), "text/event-stream");
  const auto progress = answer.body.find(R"(data: {"jsonrpc":"2.0","method":"notifications/)");
  const auto reply = answer.body.find(R"(data: {"jsonrpc":"2.0","id":4,"result")");
  ASSERT_NE(reply, std::string::npos);
  EXPECT_LT(progress, reply);
  EXPECT_EQ(client.ask(post(kPing, session)).status, 200);
}

TEST(HttpHost, EndsASessionThatIsDeleted) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  EXPECT_EQ(client.ask(request("DELETE /mcp", "Mcp-Session-Id: " + session + "\r\n", "")).status,
            200);
  EXPECT_EQ(client.ask(post(kPing, session)).status, 404);
}

std::string get(const std::string& session, const std::string& headers = "") {
  return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: " +
         session + "\r\n" + headers + "\r\n";
}

TEST(HttpHost, EndsTheStandingStreamsOfASessionThatIsDeleted) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  Client listening(served);
  const std::string session = open_session(client);
  listening.say(get(session));
  client.ask(post(kPing, session));  // the stream is there now
  client.ask(request("DELETE /mcp", "Mcp-Session-Id: " + session + "\r\n", ""));
  const HttpAnswer stream = listening.hear();
  EXPECT_EQ(stream.status, 200);
  EXPECT_EQ(stream.header("Content-Type"), "text/event-stream");
  EXPECT_THAT(stream.body, HasSubstr("id: 1_1\ndata: \n\n"));  // the priming event
}

TEST(HttpHost, SendsWhatFollowedOnAStreamThatIsResumed) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  const std::string whole = client.ask(post(kProgress, session)).body;
  EXPECT_THAT(whole, HasSubstr("id: 1_1\ndata: \n\n"));
  const std::string rest = client.ask(get(session, "Last-Event-ID: 1_4\r\n")).body;
  EXPECT_THAT(rest, HasSubstr("id: 1_5\ndata: {\"jsonrpc\":\"2.0\",\"id\":4,\"result\""));
  EXPECT_EQ(rest.find("1_4"), std::string::npos);
  EXPECT_EQ(client.ask(get(session, "Last-Event-ID: 7_1\r\n")).status, 400);
  Client other(served);
  EXPECT_EQ(other.ask(get(open_session(other), "Last-Event-ID: 1_1\r\n")).status, 400);
}

TEST(HttpHost, ClosesAConnectionEarlyAndAnswersOnTheResumedStream) {
  const Served served("mcp-2025-11-25");
  Client client(served);
  const std::string session = open_session(client);
  const HttpAnswer first = client.ask(post(
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"test_reconnection"}})",
      session));
  EXPECT_THAT(first.body, HasSubstr("retry: 100\n"));
  EXPECT_EQ(first.body.find("result"), std::string::npos);
  EXPECT_THAT(client.ask(get(session, "Last-Event-ID: 1_1\r\n")).body,
              HasSubstr("Reconnection is done."));
}

TEST(HttpHost, RefusesHostsOfOtherNamesAndCountsThem) {
  const Served served("mcp-2025-11-25");
  const std::string rest =
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(kInitialize.size()) +
      "\r\n\r\n" + kInitialize;
  EXPECT_EQ(Client(served).ask("POST /mcp HTTP/1.1\r\nHost: evil.example\r\n" + rest).status, 403);
  EXPECT_EQ(Client(served).ask("POST /mcp HTTP/1.1\r\n" + rest).status, 400);
  EXPECT_EQ(Client(served).ask("POST /mcp HTTP/1.1\r\nHost: [::1]:80\r\n" + rest).status, 200);
}

TEST(HttpHost, TellsAClientThatWaitsToGoOn) {
  const Served served("jsonrpc-2.0");
  Client client(served);
  client.say(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: "
      "1\r\n\r\n");
  EXPECT_EQ(client.hear().status, 100);
  EXPECT_THAT(client.ask("{").body, HasSubstr("-32700"));
}

// Leaves in the middle of a call, and stays until that call is over.
int status_after_leaving(const Served& served) {
  Client staying(served);
  std::string session;
  {
    Client leaving(served);
    session = open_session(leaving);
    leaving.say(post(slow_call(3, 200), session));
    staying.ask(post(kPing, session));  // what was said before it is being worked on now
  }
  staying.ask(post(slow_call(4, 200), session));
  return staying.ask(post(kPing, session)).status;
}

TEST(HttpHost, OutlivesAClientThatLeavesDuringACall) {
  EXPECT_EQ(status_after_leaving(Served("mcp-2025-11-25")), 200);
  EXPECT_EQ(status_after_leaving(Served("mcp-2025-11-25", {"undeliverable-reply-kills"})), 0);
}

TEST(HttpHost, CountsClosedConnectionsOnlyWithTheFault) {
  for (const bool faulty : {false, true}) {
    const Served served("jsonrpc-2.0", only(faulty, "dropped-connections-exhaust"));
    int refused = 0;
    for (int i = 0; i < 22; ++i) {
      refused +=
          Client(served).ask(post(R"({"jsonrpc":"2.0","id":1,"method":"sum"})")).status == 503;
    }
    EXPECT_EQ(refused > 0, faulty);
  }
}

TEST(HttpHost, KeepsClientsWithEqualIdsApartOnlyWithoutTheFault) {
  for (const bool faulty : {false, true}) {
    const Served served("mcp-2025-11-25", only(faulty, "replies-keyed-by-bare-id"));
    Client ours(served);
    Client theirs(served);
    const std::string session = open_session(ours);
    const std::string other = open_session(theirs);
    ours.say(post(slow_call(3, 300), session));
    EXPECT_EQ(theirs.ask(post(R"({"jsonrpc":"2.0","id":3,"method":"ping"})", other)).status, 200);
    if (!faulty) {
      EXPECT_THAT(ours.hear().body, HasSubstr("slow operation is done"));
      continue;
    }
    // Our call is over before this one, and still nobody has told us.
    theirs.ask(post(slow_call(4, 600), other));
    EXPECT_FALSE(ours.has_more());
  }
}

TEST(HttpHost, TiesTheTutorialHandshakeToAConnectionOnlyWithTheFault) {
  for (const bool faulty : {false, true}) {
    const Served served("mcp-tutorial", only(faulty, "request-before-initialize-silent"));
    Client client(served);
    EXPECT_EQ(client.ask(post(kPing)).status, faulty ? 202 : 200);
    EXPECT_EQ(client.ask(post(kInitialize)).status, 200);
    EXPECT_EQ(client.ask(post(kPing)).status, 200);
    EXPECT_EQ(Client(served).ask(post(kPing)).status, faulty ? 202 : 200);
  }
}

}  // namespace
}  // namespace harness::reference
