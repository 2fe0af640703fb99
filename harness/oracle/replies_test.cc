// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const char* const kPlain = "jsonrpc-2.0";
const char* const kMcp = "mcp-2025-06-18";

TEST(Replies, OnePerRequestInAnyOrderIsSound) {
  for (const char* profile : {kPlain, kMcp, "mcp-tutorial", "mcp-2024-11-05"}) {
    EXPECT_THAT(breaches(Played(profile)
                             .sent(1, "ping")
                             .sent(R"({"jsonrpc":"2.0","id":"1","method":"ping"})")
                             .received(result("\"1\""))
                             .received(error("1", -32601))),
                IsEmpty())
        << profile;
  }
}

TEST(Replies, ASecondReplyIsFound) {
  const auto twice = [](const char* profile) {
    return breaches(Played(profile).sent(1, "ping").received(result("1")).received(result("1")));
  };
  EXPECT_THAT(twice(kPlain), ElementsAre("fail jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(twice(kMcp), ElementsAre("fail mcp.base.jsonrpc-conformance"));
  EXPECT_THAT(twice("mcp-tutorial"), ElementsAre("fail tutorial.jsonrpc.concurrent-requests"));
}

TEST(Replies, WhatIsNoIdNamesNoRequestThatIsAnsweredTwice) {
  for (const std::string id : {"[]", "{}"})
    EXPECT_THAT(breaches(Played(kPlain)
                             .sent(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"a"})")
                             .received(result(id))
                             .received(result(id))),
                ElementsAre("fail jsonrpc.id.invalid-type", "fail jsonrpc.id.invalid-type"));
}

TEST(Replies, AnIdUsedTwiceMayBeAnsweredTwice) {
  EXPECT_THAT(
      breaches(
          Played(kPlain).sent(1, "a").sent(1, "a").received(result("1")).received(result("1"))),
      IsEmpty());
}

TEST(Replies, FramesOfADuplicateAreRequestAndBothReplies) {
  const auto findings =
      Played(kPlain).sent(1, "a").received(result("1")).received(result("1")).judged();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].frames, ElementsAre(1u, 2u, 3u));
}

TEST(Replies, AnAlteredIdIsNotCalledAnInvention) {
  const auto altered = [](const std::string& id, const std::string& echoed) {
    return breaches(Played(kPlain)
                        .sent(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"a"})")
                        .received(result(echoed)));
  };
  EXPECT_THAT(altered("7", "\"7\""), ElementsAre("fail jsonrpc.id.type-preserved"));
  EXPECT_THAT(altered("\"1e3\"", "1000"), ElementsAre("fail jsonrpc.id.type-preserved"));
  EXPECT_THAT(altered("\"abc\"", "\"ABC\""), ElementsAre("fail jsonrpc.id.string-echo"));
  EXPECT_THAT(altered("1.5", "1"), ElementsAre("warn jsonrpc.id.fractional"));
  // Of more digits than a double has; RFC 8259 section 6 lets a reader keep what it can.
  EXPECT_THAT(altered("0.300000000000000004", "0.3"), IsEmpty());
  EXPECT_THAT(altered("9007199254740993", "9007199254740992"),
              ElementsAre("warn jsonrpc.id.beyond-safe-integer"));
  EXPECT_THAT(altered("1.0", "1"), IsEmpty());
  EXPECT_THAT(altered("1e2", "100"), IsEmpty());
  EXPECT_THAT(altered(R"("\u0041")", "\"A\""), IsEmpty());
  EXPECT_THAT(altered("17", "0"), ElementsAre("fail jsonrpc.id.never-invented"));
  EXPECT_THAT(altered("[1e400]", "[null]"), ElementsAre("fail jsonrpc.id.invalid-type"));
  EXPECT_THAT(altered("17", "[17]"),
              ElementsAre("fail jsonrpc.id.never-invented", "fail jsonrpc.id.invalid-type"));
}

TEST(Replies, TheMcpClauseIsCitedWhereItIsTheStrongerOne) {
  EXPECT_THAT(breaches(Played(kMcp).sent(7, "ping").received(result("\"7\""))),
              ElementsAre("fail mcp.base.response-same-id"));
}

TEST(Replies, AReplyBeforeItsRequestIsFound) {
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(1, "a")
                           .received(result("1"))
                           .received(result("2"))
                           .sent(2, "a")
                           .received(result("2"))),
              ElementsAre("fail jsonrpc.id.never-invented"));
}

TEST(Replies, IdsOfEarlierCasesAreKnown) {
  const Played late = Played(kMcp).sent(2, "ping").received(result("1")).received(result("2"));
  EXPECT_THAT(breaches(late), ElementsAre("fail mcp.base.response-same-id"));
  EXPECT_THAT(breaches(Played(late).earlier("1")), IsEmpty());
}

TEST(Replies, AnAnsweredResponseIsFound) {
  const auto answered = [](const std::string& id) {
    return breaches(Played(kMcp)
                        .received(R"({"jsonrpc":"2.0","id":"s2","method":"ping"})")
                        .sent(result(R"("s2")"))
                        .sent(1, "tools/list")
                        .received(error(id, -32601)),
                    "replies");
  };
  EXPECT_THAT(answered(R"("s2")"), ElementsAre("fail mcp.base.response-same-id"));
  EXPECT_THAT(answered("1"), IsEmpty());
}

TEST(Replies, ErrorsWithoutIdNeedSomethingUnreadable) {
  const std::string refusal = error("null", -32700);
  for (const char* text :
       {"{oops", "{}", "[1]", R"({"jsonrpc":"2.0","id":true,"method":"a"})",
        R"({"jsonrpc":"2.0","method":1})", R"({"jsonrpc":"2.0","id":99,"result":{}})",
        R"({"jsonrpc":"2.0","id":9007199254740993,"method":"a"})"}) {
    EXPECT_THAT(breaches(Played(kPlain).sent(text).received(refusal), "replies"), IsEmpty())
        << text;
  }
  EXPECT_THAT(breaches(Played(kPlain).sent(1, "a").received(refusal)),
              ElementsAre("fail jsonrpc.id.echo-on-error"));
  EXPECT_THAT(breaches(Played(kPlain).sent("{}").received(refusal).received(refusal), "replies"),
              ElementsAre("fail jsonrpc.id.never-invented"));
}

TEST(Replies, AnAnsweredNotificationIsFound) {
  const auto answered = [](const char* profile, const std::string& reply) {
    return breaches(Played(profile)
                        .sent(notification("no/such"))
                        .received(reply)
                        .sent(1, "ping")
                        .received(result("1")));
  };
  EXPECT_THAT(answered(kPlain, error("null", -32601)),
              ElementsAre("fail jsonrpc.notification.no-reply"));
  EXPECT_THAT(answered(kMcp, error("0", -32601)),
              ElementsAre("fail mcp.base.notification-no-response"));
  // Behind it stands what is no request, and may have got the reply.
  EXPECT_THAT(
      breaches(Played(kMcp).sent(notification("no/such")).sent("1").received(error("0", -32601))),
      ElementsAre("fail mcp.base.response-same-id"));
}

TEST(Replies, AnIdWithRepeatedNamesComesBackWithTheLast) {
  const std::string kTwice = R"({"jsonrpc":"2.0","id":{"a":0,"a":0},"method":"a"})";
  const std::string kOnce = R"({"jsonrpc":"2.0","id":{"a":0},"method":"a"})";
  EXPECT_THAT(breaches(Played(kMcp)
                           .sent(notification("no/such"))
                           .sent(kTwice)
                           .received(error(R"({"a":0})", -32600)),
                       "replies"),
              IsEmpty());
  EXPECT_THAT(breaches(Played(kMcp)
                           .sent(kOnce)
                           .received(error(R"({"a":0})", -32600))
                           .sent(kTwice)
                           .received(error(R"({"a":0})", -32600)),
                       "replies"),
              IsEmpty());
}

TEST(Replies, WhatALenientParserReadInGarbageIsNotInvented) {
  for (const char* text : {R"({"jsonrpc":"2.0","id":9,"method":"a",})", "{'id':'9','method':'a'}",
                           "\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"a\"}",
                           R"({"jsonrpc":"2.0","id":09,"method":"a"})"}) {
    EXPECT_THAT(
        breaches(Played(kPlain).sent(text).received(result(text[1] == '\'' ? "\"9\"" : "9")),
                 "replies"),
        IsEmpty())
        << text;
  }
  EXPECT_THAT(
      breaches(Played(kPlain).sent(R"({"jsonrpc":"2.0","id":9,)").received(error("0", -32700))),
      ElementsAre("fail jsonrpc.id.null-on-parse-error"));
  EXPECT_THAT(
      breaches(Played(kPlain).sent(R"({"jsonrpc":"2.0","id":9,)").received(error("0", -32600))),
      ElementsAre("fail jsonrpc.id.never-invented"));
}

TEST(Replies, RawBytesAreCutIntoLinesAcrossFrames) {
  EXPECT_THAT(breaches(Played(kPlain)
                           .wrote_raw(R"({"jsonrpc":"2.0","id":1,)")
                           .wrote_raw("\"method\":\"a\"}\n" + request(2, "b") + "\n")
                           .received(result("1"))
                           .received(result("2"))),
              IsEmpty());
}

TEST(Replies, BadIdsEchoedAreTheEnvelopesBusinessOnly) {
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":true,"method":"a"})")
                           .received(result("true"))),
              ElementsAre("fail jsonrpc.id.invalid-type"));
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":true,"method":"a"})")
                           .received(error("false", -32600))),
              Contains("fail jsonrpc.id.invalid-type"));
  // A refusal may name what was read.
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":true,"method":"a"})")
                           .received(error("true", -32600))),
              IsEmpty());
}

TEST(Replies, HttpRejectionsAndReplaysAreTolerated) {
  const wire::Header resume{"Last-Event-ID", "4"};
  EXPECT_THAT(breaches(Played(kMcp, "http")
                           .posted(1, request(1, "ping"))
                           .event(1, result("1"))
                           .got(2, {resume})
                           .event(2, result("1"))
                           .posted(3, request(2, "ping"))
                           .answered(3, 404, "application/json", error("null", -32001))
                           .posted(4, request(3, "ping"))
                           .answered(4, 401, "application/json", R"({"error":"invalid_token"})")),
              IsEmpty());
  EXPECT_THAT(
      breaches(Played(kMcp, "http")
                   .posted(1, request(1, "ping"))
                   .answered(1, 400, "application/json", error("\"server-error\"", -32600))),
      ElementsAre("warn mcp.base.response-same-id"));
}

// Whatever ids others have: a reply comes in the exchange of what it answers.
TEST(Replies, OverHttpAnAlteredIdIsLookedForInItsExchange) {
  const std::string type = "application/json";
  const auto tiny = [](const std::string& rest) {
    return R"({"jsonrpc":"2.0","id":1e-400)" + rest;
  };
  const auto both = [&](const std::string& one, const std::string& other, const std::string& id) {
    return breaches(Played(kPlain, "http")
                        .posted(1, one)
                        .posted(2, other)
                        .answered(2, 200, type, result(id))
                        .answered(1, 200, type, error("0.0", -32600)));
  };
  const std::string big = "9007199254740993";
  const auto ask = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"a"})";
  };
  EXPECT_THAT(both(tiny(R"(,"method":"a"})"), ask("0"), "0"),
              ElementsAre("warn jsonrpc.id.fractional"));
  EXPECT_THAT(both(tiny(R"(,"method":"a"})"), ask(big), big),
              ElementsAre("warn jsonrpc.id.fractional"));
  EXPECT_THAT(both(tiny("}"), ask("0"), "0"), IsEmpty());
  EXPECT_THAT(both(tiny("}"), ask(big), big), IsEmpty());
  EXPECT_THAT(both(ask("5"), ask(big), big), Contains("fail jsonrpc.id.never-invented"));
}

TEST(Replies, ARoundedIdIsThatOfTheNearestRequest) {
  for (const bool first : {true, false}) {
    const std::string far = R"({"jsonrpc":"2.0","id":-9223372036854775808,"method":"a"})";
    const std::string near =
        R"({"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"a"})";
    const Played played = Played(kPlain)
                              .sent(first ? near : far)
                              .sent(first ? far : near)
                              .received(result("-9223372036854775808"))
                              .received(result("1.2345678901234568e+29"));
    EXPECT_THAT(breaches(played), ElementsAre("warn jsonrpc.id.beyond-safe-integer"));
    EXPECT_THAT(played.judged().front().expected,
                "the reply to carry id 123456789012345678901234567890");
  }
}

TEST(Replies, WhatIsNoRequestNeedNotKeepItsId) {
  const auto rounded = [](const std::string& sent) {
    return breaches(Played(kPlain).sent(sent).received(error("-9007199254740992", -32600)),
                    "replies");
  };
  EXPECT_THAT(rounded(R"({"id":-9007199254740993})"), IsEmpty());
  EXPECT_THAT(rounded(R"({"id":-9007199254740993,"method":"a"})"),
              ElementsAre("warn jsonrpc.id.beyond-safe-integer"));
  EXPECT_THAT(rounded(R"({"id":-7})"), ElementsAre("fail jsonrpc.id.never-invented"));
  // Nor what a reader may make of broken text.
  EXPECT_THAT(rounded("\xef\xbb\xbf{\"id\":-9007199254740993}"), IsEmpty());
  EXPECT_THAT(rounded("\xef\xbb\xbf{\"id\":-9007199254740993.5}"), IsEmpty());
  EXPECT_THAT(rounded("\xef\xbb\xbf{\"id\":-7}"), ElementsAre("fail jsonrpc.id.never-invented"));
}

TEST(Replies, ASecondReplyMayBeARefusalOfWhatIsNoRequest) {
  const auto breached = [](int times) {
    Played played = Played(kPlain)
                        .sent(R"({"jsonrpc":"2.0","id":0,"method":"a"})")
                        .received(result("0"))
                        .sent(R"({"id":1e-400})");
    for (int i = 0; i < times; ++i) played.received(error("0.0", -32600));
    return breaches(played);
  };
  EXPECT_THAT(breached(1), IsEmpty());
  EXPECT_THAT(breached(2), Contains("fail jsonrpc.request.reply-exactly-one"));
}

TEST(Replies, ASecondReplyMayBeThatOfAnIdThatWasAltered) {
  const auto both = [](const std::string& other) {
    return breaches(Played(kPlain)
                        .sent(R"({"jsonrpc":"2.0","id":1e-400,"method":"a"})")
                        .sent(R"({"jsonrpc":"2.0","id":0,"method":"a"})")
                        .received(result("0"))
                        .received(result("0"))
                        .received(result(other)));
  };
  EXPECT_THAT(both("0"), Contains("fail jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(both("1e-400"), Contains("fail jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":1e-400,"method":"a"})")
                           .sent(R"({"jsonrpc":"2.0","id":0,"method":"a"})")
                           .received(result("0"))
                           .received(result("0"))),
              ElementsAre("warn jsonrpc.id.fractional"));
}

TEST(Replies, WhatIsNoRequestIsAnsweredOnce) {
  const auto replies = [](int count, const std::string& other) {
    Played played = Played(kPlain)
                        .sent(R"({"jsonrpc":"2.0","id":)" + other + R"(,"method":"a"})")
                        .sent(R"({"id":9223372036854775808})");
    for (int i = 0; i < count; ++i) played.received(error("9223372036854775808", -32600));
    return breaches(played, "replies");
  };
  EXPECT_THAT(replies(2, "9223372036854775807"),
              ElementsAre("warn jsonrpc.id.beyond-safe-integer"));
  EXPECT_THAT(replies(1, "9223372036854775807"), IsEmpty());
  EXPECT_THAT(replies(2, "7"), IsEmpty());
  // Two that are no requests, of one number once they are read; the request is refused without id.
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":1152921504606846977,"method":"a"})")
                           .sent(R"({"id":9007199254740992})")
                           .sent(R"({"id":9007199254740993})")
                           .received(error("9007199254740992", -32600))
                           .received(error("9007199254740992", -32600)),
                       "replies"),
              IsEmpty());
}

TEST(Replies, AFrameMadeByHandMayHoldAMessage) {
  const auto answered = [](const std::string& bytes) {
    Played played(kPlain, "websocket");
    played.sent(bytes).marked({"opcode", "binary"}).framed_wrongly(bytes[0] == '\x82');
    return breaches(played.sent(notification("a")).marked({"", ""}).received(result("1")));
  };
  EXPECT_THAT(answered("\x82\xa4SCPR"), IsEmpty());
  EXPECT_THAT(answered("{\"a\":1}"), Not(IsEmpty()));
}

TEST(Replies, WhatWasReadOfAMessageOfAnotherLengthIsNotKnown) {
  const auto refused = [](bool unframed) {
    return Played(kPlain, "http")
        .posted(1, request(1, "a"))
        .framed_wrongly(unframed)
        .answered(1, 200, "application/json", error("null", -32700));
  };
  EXPECT_THAT(breaches(refused(true)), IsEmpty());
  EXPECT_THAT(breaches(refused(false)), Contains("fail jsonrpc.id.echo-on-error"));

  const auto coded = [](const char* header) {
    return breaches(Played(kPlain, "http")
                        .posted(1, request(1, "a"), {{header, "identity"}})
                        .answered(1, 200, "application/json", error("null", -32700)));
  };
  EXPECT_THAT(coded("Transfer-Encoding"), IsEmpty());
  EXPECT_THAT(coded("X-Encoding"), Contains("fail jsonrpc.id.echo-on-error"));
}

TEST(Replies, ARefusalOfAnOddNumberAsIdIsNoFailure) {
  for (const char* profile : {kPlain, kMcp}) {
    for (const char* id : {"1.5", "7301.0", "73e2"}) {
      const std::string asked =
          R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"rpcspec/nobody-has-this"})";
      for (const std::string& answer : {error("null", -32600), error(id, -32600)}) {
        const auto found = breaches(
            Played(profile).sent(asked).received(answer).sent(2, "a").received(result("2")));
        EXPECT_THAT(found, testing::Each(testing::Not(testing::StartsWith("fail"))))
            << profile << " " << id << " " << answer;
      }
    }
  }
}

TEST(Replies, ARefusalOfAVeryLongTextAsIdIsNoFailure) {
  const auto refused = [](std::size_t length) {
    const std::string asked = R"({"jsonrpc":"2.0","id":")" + std::string(length, 'a') +
                              R"(","method":"rpcspec/nobody-has-this"})";
    return breaches(Played(kPlain).sent(asked).received(error("null", -32600)));
  };
  EXPECT_THAT(refused(301), IsEmpty());
  EXPECT_THAT(refused(200), Contains("fail jsonrpc.id.echo-on-error"));
}

TEST(Replies, HalfOfAPairInAnIdMayComeBackAsAnything) {
  const auto came = [](const std::string& asked, const std::string& id) {
    return breaches(Played(kPlain)
                        .sent(R"({"jsonrpc":"2.0","id":)" + asked + R"(,"method":"a"})")
                        .received(error(id, -32602)));
  };
  EXPECT_THAT(came(R"("\ud800")", R"("?")"), IsEmpty());
  EXPECT_THAT(came(R"("half \ud800")", R"("half ?")"), IsEmpty());
  EXPECT_THAT(came(R"("\ud83d\ude00")", R"("?")"), ElementsAre("fail jsonrpc.id.unicode-echo"));
}

TEST(Replies, AReplyToATextIdMayHaveNone) {
  EXPECT_THAT(breaches(Played(kPlain)
                           .sent(R"({"jsonrpc":"2.0","id":"a","method":"a"})")
                           .received(R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"m"}})")),
              Contains("fail jsonrpc.id.echo-on-error"));
}

TEST(Replies, AnExponentThatIsReadOverAltersAnId) {
  const std::string asked = R"({"jsonrpc":"2.0","id":1e+2,"method":"rpcspec/nobody-has-this"})";
  const std::vector<Finding> found = Played(kPlain)
                                         .sent(1, "a")
                                         .received(result("1"))
                                         .sent(asked)
                                         .received(error("1", -32601))
                                         .judged();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().flaw, "altered");
  EXPECT_EQ(found.front().expected, "the reply to carry id 1e+2");
}

TEST(Batches, ArraysAnswerArraysOnly) {
  const std::string both = "[" + request(1, "a") + "," + request(2, "b") + "]";
  const std::string answer = "[" + result("2") + "," + result("1") + "]";
  EXPECT_THAT(breaches(Played(kPlain).sent(both).received(answer)), IsEmpty());
  EXPECT_THAT(breaches(Played(kPlain).sent(both).received(result("1")).received(result("2"))),
              ElementsAre("warn jsonrpc.batch.array-response"));
  EXPECT_THAT(breaches(Played(kPlain).sent(1, "a").received("[" + result("1") + "]")),
              ElementsAre("fail jsonrpc.response.single-object"));
  EXPECT_THAT(breaches(Played(kMcp).sent(both).received(answer), "batches"),
              ElementsAre("warn mcp.base.batch.not-sent"));  // nothing says how ours is refused
  EXPECT_THAT(breaches(Played(kMcp).sent(1, "a").received("[" + result("1") + "]"), "batches"),
              ElementsAre("fail mcp.base.batch.not-sent"));
  EXPECT_THAT(breaches(Played("mcp-2025-03-26").sent(1, "a").received("[" + result("1") + "]")),
              IsEmpty());
}

TEST(Batches, EmptyArraysAndRepliesAfterTheArrayAreFound) {
  const std::string one = "[" + request(1, "a") + "]";
  EXPECT_THAT(breaches(Played(kPlain).sent("[" + notification("a") + "]").received("[]")),
              ElementsAre("fail jsonrpc.batch.all-notifications"));
  EXPECT_THAT(breaches(Played(kPlain).sent("[]").received("[]")),
              ElementsAre("fail jsonrpc.batch.empty-array"));
  EXPECT_THAT(
      breaches(Played(kPlain).sent(one).received("[" + result("1") + "]").received(result("1"))),
      ElementsAre("fail jsonrpc.batch.nothing-after-array"));
}

TEST(Replies, MayReadHalfASurrogatePairWithWhatStandsBesideIt) {
  const auto told = [](const std::string& id, const std::string& came) {
    const std::string asked = R"({"jsonrpc":"2.0","method":"a","id":)" + id + "}";
    return breaches(Played(kPlain).sent(asked).received(result(came)), "replies");
  };
  EXPECT_THAT(told(R"("3\ud83d\ud83d\ude000")", R"("3\ud83d\udc3d\ufffd0")"), IsEmpty());
  EXPECT_THAT(told(R"("3\ud83d\ude000")", R"("3\ud83d\udc3d0")"), testing::SizeIs(1));
}

TEST(Batches, AnEntryForANotificationIsFound) {
  const std::string mixed = "[" + request(1, "a") + "," + notification("b") + "]";
  EXPECT_THAT(breaches(Played(kPlain).sent(mixed).received("[" + result("1") + "," +
                                                           error("null", -32601) + "]")),
              testing::Contains("fail jsonrpc.batch.no-response-for-notification"));
  // A malformed one may be refused.
  const std::string malformed = "[null," + notification("b", "1") + "]";
  for (const char* profile : {kPlain, "mcp-2025-03-26", "mcp-tutorial"}) {
    EXPECT_THAT(breaches(Played(profile).sent(malformed).received(
                             "[" + error("null", -32600) + "," + error("null", -32600) + "]"),
                         "batches"),
                IsEmpty());
  }
  // So may one whose id is odd.
  const std::string odd = R"([{"jsonrpc":"2.0","id":9.0,"method":"a"},)" + request(1, "a") + "]";
  EXPECT_THAT(breaches(Played(kPlain).sent(odd).received("[" + error("null", -32600) + "," +
                                                         result("1") + "]"),
                       "batches"),
              IsEmpty());
  const std::string invalid = "[" + request(1, "a") + R"(,{"foo":1}])";
  EXPECT_THAT(breaches(Played(kPlain).sent(invalid).received("[" + result("1") + "," +
                                                             error("null", -32600) + "]")),
              IsEmpty());
}

TEST(Replies, WithoutAnIdTheyMayBeToWhatCameBeforeTheSlice) {
  const Played played = Played(kPlain).sent(1, "a").received(error("null", -32600));
  EXPECT_THAT(breaches(played), ElementsAre("fail jsonrpc.id.echo-on-error"));
  EXPECT_THAT(breaches(Played(played).earlier("null")), IsEmpty());
}

TEST(Replies, AnErrorToAnEmptyBodyIsNoReplyToTheNotificationBefore) {
  const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const std::string refused = error("null", -32700);
  for (const char* profile : {kPlain, kMcp, "mcp-tutorial"}) {
    EXPECT_THAT(breaches(Played(profile)
                             .posted(1, notification)
                             .posted(2, "")
                             .answered(2, 200, "application/json", refused)),
                Not(testing::Contains(testing::HasSubstr("notification-no"))))
        << profile;
  }
  EXPECT_THAT(breaches(Played("mcp-tutorial")
                           .posted(1, notification)
                           .answered(1, 200, "application/json", refused)),
              testing::Contains("fail tutorial.jsonrpc.notification-no-response"));
}

}  // namespace
}  // namespace harness::oracle
