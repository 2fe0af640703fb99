// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_admission.h"

#include <gtest/gtest.h>

#include "harness/reference/conversation_testing.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {
namespace {

constexpr const char* kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";

// What stands before the sessions of a server that knows the session "known".
struct Gate {
  explicit Gate(const char* profile, const std::vector<std::string>& faults = {})
      : conversation(profile, faults) {
    sessions.add("known", known);
  }
  // 0: it is let in.
  int status(HttpRequest request) {
    int closed = 0;
    std::optional<HttpReply> reply = admission.refuse(request, closed);
    std::shared_ptr<Session> remembered;
    if (!reply && request.method == "POST")
      reply = admission.receive(request, remembered, reception);
    if (!reply && request.method == "GET") {
      reception.session = nullptr;
      reply = admission.refuse_stream(request, reception.session);
    }
    if (!reply && request.method == "DELETE") reply = admission.end_session(request);
    return reply ? reply->status : 0;
  }

  Conversation conversation;
  HttpFaultInjector injector{conversation.server()};
  AuthGuard guard{{}, conversation.server().faults};
  HttpSessions sessions{conversation.server().faults};
  std::shared_ptr<Session> known = std::make_shared<Session>(conversation.server());
  HttpAdmission admission{conversation.server(), injector, guard, sessions};
  Reception reception;
};

// A sound request with these headers in place of, or beside, its own; an empty value leaves one
// out.
HttpRequest request(const char* method, const HttpHeaders& changes, const char* body = kPing) {
  HttpRequest out{method,
                  "/mcp",
                  {{"Host", "localhost:1"},
                   {"Content-Type", "application/json"},
                   {"Accept", "application/json, text/event-stream"},
                   {"Mcp-Session-Id", "known"}},
                  body};
  for (const auto& change : changes)
    std::erase_if(out.headers, [&](const auto& own) { return own.first == change.first; });
  for (const auto& change : changes)
    if (!change.second.empty()) out.headers.push_back(change);
  return out;
}

TEST(HttpAdmission, RefusesWithTheStatusOfTheRule) {
  const struct {
    const char* method;
    HttpHeaders changes;
    int status;
  } table[] = {
      {"POST", {}, 0},
      {"POST", {{"Origin", "http://localhost:3000"}}, 0},
      {"POST", {{"Origin", "http://evil.example"}}, 403},
      {"POST", {{"Host", "evil.example"}}, 403},
      {"POST", {{"Host", ""}}, 400},
      {"POST", {{"Host", "localhost"}, {"Host", "localhost"}}, 400},
      {"POST", {{"Content-Type", ""}}, 415},
      {"POST", {{"Content-Type", "text/plain"}}, 415},
      {"POST", {{"Content-Type", "APPLICATION/json ; charset=utf-8"}}, 0},
      {"POST", {{"Accept", ""}}, 0},
      {"POST", {{"Accept", "text/html"}}, 406},
      {"POST", {{"Mcp-Session-Id", ""}}, 400},
      {"POST", {{"Mcp-Session-Id", "gone"}}, 404},
      {"POST", {{"MCP-Protocol-Version", "2025-11-25"}}, 0},
      {"POST", {{"MCP-Protocol-Version", "1999-01-01"}}, 400},
      {"GET", {}, 0},
      {"GET", {{"Accept", "application/json"}}, 406},
      {"GET", {{"Mcp-Session-Id", "gone"}}, 404},
      {"DELETE", {{"Mcp-Session-Id", ""}}, 400},
      {"DELETE", {{"Mcp-Session-Id", "gone"}}, 404},
      {"DELETE", {}, 200},
  };
  for (const auto& row : table) {
    Gate gate("mcp-2025-11-25");
    EXPECT_EQ(gate.status(request(row.method, row.changes)), row.status)
        << row.method << (row.changes.empty() ? "" : " " + row.changes[0].second);
  }
}

TEST(HttpAdmission, ServesOnePathOnly) {
  Gate gate("mcp-2025-11-25");
  HttpRequest elsewhere = request("POST", {});
  elsewhere.target = "/other";
  EXPECT_EQ(gate.status(elsewhere), 404);
  elsewhere.target = "/mcp?query";
  EXPECT_EQ(gate.status(elsewhere), 0);
}

TEST(HttpAdmission, FindsTheSessionOrOpensOne) {
  Gate gate("mcp-2025-11-25");
  EXPECT_EQ(gate.status(request("POST", {})), 0);
  EXPECT_EQ(gate.reception.session, gate.known);
  EXPECT_FALSE(gate.reception.opening);
  EXPECT_EQ(gate.status(request("POST", {{"Mcp-Session-Id", ""}}, kInitialize)), 0);
  EXPECT_TRUE(gate.reception.opening);
  EXPECT_NE(gate.reception.session, gate.known);
  EXPECT_EQ(gate.status(request("GET", {})), 0);
  EXPECT_EQ(gate.reception.session, gate.known);
}

TEST(HttpAdmission, EndsTheSessionOfADeleteAndNoOther) {
  Gate gate("mcp-2025-11-25");
  const auto other = std::make_shared<Session>(gate.conversation.server());
  gate.sessions.add("other", other);
  EXPECT_EQ(gate.status(request("DELETE", {})), 200);
  EXPECT_EQ(gate.status(request("POST", {})), 404);
  EXPECT_EQ(gate.sessions.find("other"), other);
}

TEST(HttpAdmission, AnswersInTheNameOfAMessageWhoseMirroredHeadersAreWrong) {
  constexpr const char* kCall =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})";
  const auto call = [&](const char* method, const char* name) {
    return request("POST",
                   {{"Mcp-Session-Id", ""},
                    {"MCP-Protocol-Version", "2026-07-28"},
                    {"Mcp-Method", method},
                    {"Mcp-Name", name}},
                   kCall);
  };
  Gate sound("mcp-2026-07-28");
  EXPECT_EQ(sound.status(call("tools/call", "echo")), 0);
  EXPECT_TRUE(sound.reception.stateless);
  EXPECT_FALSE(sound.reception.instead);
  Gate wrong("mcp-2026-07-28");
  EXPECT_EQ(wrong.status(call("tools/call", "other")), 0);
  ASSERT_TRUE(wrong.reception.instead);
  EXPECT_EQ(wrong.reception.instead->code, kHeaderMismatch);
}

TEST(HttpAdmission, StatusesOfFaultsAreNotThoseOfASoundServer) {
  const struct {
    const char* fault;
    const char* method;
    HttpHeaders changes;
    int status;
  } table[] = {
      {"odd-session-id-500", "POST", {{"Mcp-Session-Id", "a b"}}, 500},
      {"host-header-odd-500", "POST", {{"Host", ""}}, 500},
      {"origin-same-as-host-served",
       "POST",
       {{"Host", "evil.example"}, {"Origin", "http://evil.example"}},
       0},
      {"content-type-parameters-refused",
       "POST",
       {{"Content-Type", "application/json; charset=utf-8"}},
       415},
      {"version-header-required", "POST", {}, 400},
      {"version-header-refused-406", "POST", {{"MCP-Protocol-Version", "1999-01-01"}}, 406},
      {"get-accept-missing-500", "GET", {{"Accept", "application/json"}}, 500},
      {"delete-500", "DELETE", {}, 500},
  };
  for (const auto& row : table) {
    Gate faulty("mcp-2025-11-25", {row.fault});
    EXPECT_EQ(faulty.status(request(row.method, row.changes)), row.status) << row.fault;
    Gate sound("mcp-2025-11-25");
    EXPECT_NE(sound.status(request(row.method, row.changes)), row.status) << row.fault;
  }
}

}  // namespace
}  // namespace harness::reference
