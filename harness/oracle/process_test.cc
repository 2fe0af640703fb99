// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kMcp = "mcp-2025-06-18";
constexpr const char* kPlain = "jsonrpc-2.0";

Played ping(const char* profile) { return Played(profile).sent(1, "ping"); }

TEST(Process, LeavingInIdleOrWhenToldIsSound) {
  EXPECT_THAT(breaches(ping(kMcp).received(result("1")).ended("exit 1")), IsEmpty());
  EXPECT_THAT(breaches(ping(kMcp).we_close("stdin").ended("exit 0")), IsEmpty());
  EXPECT_THAT(breaches(ping(kMcp).we_close("signal 9").ended("signal 9")), IsEmpty());
  EXPECT_THAT(breaches(Played(kMcp).sent("{oops").we_close("stdin").ended("exit 1")), IsEmpty());
  EXPECT_THAT(breaches(ping(kMcp)
                           .sent(notification("notifications/cancelled", R"({"requestId":1})"))
                           .ended("exit 0")),
              IsEmpty());
}

TEST(Process, LeavingARequestIsFound) {
  EXPECT_THAT(breaches(ping(kMcp).ended("exit 0")), ElementsAre("fail mcp.ping.result"));
  EXPECT_THAT(breaches(ping(kPlain).ended("exit 1")),
              ElementsAre("fail jsonrpc.request.reply-exactly-one"));
}

TEST(Process, MayEndWhereNobodyKnowsWhereTheNextMessageBegins) {
  const auto lied = [](const char* end) {
    return breaches(Played(kPlain)
                        .by_length()
                        .wrote_raw("Content-Length: 99\r\n\r\n{}")
                        .sent(1, "ping")
                        .sent("{\"id\":1,\"method\":0}")
                        .ended(end));
  };
  EXPECT_THAT(lied("exit 1"), IsEmpty());
  EXPECT_THAT(lied("signal 11"), Not(IsEmpty()));
  EXPECT_THAT(breaches(Played(kPlain).by_length().sent(1, "ping").ended("exit 1")), Not(IsEmpty()));
}

TEST(Process, ABadLineMustNotEndIt) {
  EXPECT_THAT(breaches(Played(kMcp).sent("{oops").ended("exit 1")),
              ElementsAre("fail mcp.stdio.invalid-line-survival"));
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent("{oops")
                           .received(error("null", -32700))
                           .sent("{}")
                           .ended("signal 6")),
              ElementsAre("fail jsonrpc.robust.survives-invalid-request"));
  EXPECT_THAT(breaches(Played(kPlain).sent("{oops").ended("signal 11")),
              ElementsAre("fail jsonrpc.robust.survives-parse-error"));
}

TEST(Process, ABatchIsBadInputByItsElements) {
  const auto clause = [](const std::string& batch) {
    return breaches(Played(kPlain).sent(batch).ended("exit 1"));
  };
  EXPECT_THAT(clause("[null]"), ElementsAre("fail jsonrpc.robust.survives-invalid-request"));
  EXPECT_THAT(clause("[" + request(1, "ping") + "]"),
              ElementsAre("fail jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(clause("[" + request(1, "ping") + ",0]"),
              ElementsAre("fail jsonrpc.robust.survives-invalid-request"));
}

TEST(Process, WhatARecordingSaysIsShownPrintable) {
  EXPECT_THAT(breaches(ping(kPlain).ended("exit \x1b[31m\xff")),
              ElementsAre("fail jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(breaches(Played(kPlain).sent("{oops").ended("exit \x1b[31m\xff")),
              ElementsAre("fail jsonrpc.robust.survives-parse-error"));
}

TEST(Process, ACrashIsNoWayToLeave) {
  const auto crashed = ElementsAre("fail mcp.ping.result");
  EXPECT_THAT(breaches(ping(kMcp).received(result("1")).we_close("stdin").ended("signal 11")),
              crashed);
  EXPECT_THAT(breaches(ping(kMcp).ended("signal 6")), crashed);
}

TEST(Process, TheFirstOfThoseThatWaitIsNamed) {
  const auto findings = ping(kPlain).sent(2, "ping").ended("signal 6").judged();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].expected, "a reply to id 1");
}

}  // namespace
}  // namespace harness::oracle
