// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kPlain = "jsonrpc-2.0";
const char* const kMcp = "mcp-2025-06-18";

std::vector<std::string> said(const Played& played) { return breaches(played, "model"); }

// A handshake, so that what follows is said on a session that is ready.
Played ready(const std::string& version = "2025-06-18") {
  return Played(kMcp)
      .sent(request(900, "initialize", R"({"protocolVersion":"2025-06-18"})"))
      .received(result("900", R"({"protocolVersion":")" + version + "\"}"))
      .sent(notification("notifications/initialized"));
}

// Two sound requests one after the other.
Played& two_more(Played& played, const std::string& method = "sum") {
  return played.sent(901, method).received(result("901")).sent(902, method).received(result("902"));
}

TEST(ModelOracle, EveryLawfulReplyIsSound) {
  EXPECT_THAT(said(Played(kPlain)
                       .sent("{oops")
                       .received(error("null", -32700))
                       .sent(R"({"jsonrpc":"2.0","id":1,"method":5})")
                       .received(error("1", -32600))
                       .sent(R"({"jsonrpc":"2.0","id":2,"method":5})")
                       .received(error("null", -32600))
                       .sent(3, "rpcspec/x")
                       .received(error("3", -32601))
                       .sent(4, "sum")
                       .received(error("4", 17))),
              IsEmpty());
}

TEST(ModelOracle, AWrongOutcomeIsFound) {
  const auto answered = [](const std::string& text, const std::string& reply) {
    return said(Played(kPlain).sent(text).received(reply));
  };
  EXPECT_THAT(answered(request(1, "rpcspec/x"), result("1")),
              ElementsAre("fail jsonrpc.error.method-not-found-code"));
  EXPECT_THAT(answered(request(1, "rpcspec/x"), error("1", -32603)),
              ElementsAre("fail jsonrpc.error.method-not-found-code"));
  EXPECT_THAT(answered(request(1, "__proto__"), error("1", -32700)),
              ElementsAre("fail jsonrpc.error.method-not-found-code"));
  EXPECT_THAT(answered(request(1, "__proto__"), error("1", -32603)),
              ElementsAre("fail jsonrpc.request.hostile-method-names"));
  EXPECT_THAT(answered(request(1, "__proto__"), result("1")),
              ElementsAre("fail jsonrpc.request.hostile-method-names"));
  EXPECT_THAT(answered(R"({"jsonrpc":"2.0","id":1,"method":5})", result("1")),
              ElementsAre("fail jsonrpc.request.method-not-string"));
  EXPECT_THAT(answered(request(1, "sum"), error("1", -32700)),
              ElementsAre("fail jsonrpc.error.parse-error-code"));
  EXPECT_THAT(answered("{oops", error("null", -32603)),
              ElementsAre("warn jsonrpc.error.parse-error-code"));
  EXPECT_THAT(answered(R"({"jsonrpc":"2.0","id":9,)", error("9", -32700)),
              ElementsAre("fail jsonrpc.id.null-on-parse-error"));
  EXPECT_THAT(answered(R"({"jsonrpc":"2.0","id":9,)", error("9", -32600)),
              ElementsAre("warn jsonrpc.id.null-on-parse-error"));
  // A lenient reader took it for a request, which failed.
  EXPECT_THAT(answered(R"({"jsonrpc":"2.0","id":9,"method":"sum",})", error("9", 17)),
              ElementsAre("warn jsonrpc.error.parse-error-code"));
}

TEST(ModelOracle, WhatOtherOraclesSayIsNotSaidAgain) {
  EXPECT_THAT(said(Played(kPlain)
                       .sent(notification("a"))
                       .received(result("null"))
                       .sent(R"({"jsonrpc":"2.0","id":true,"method":"rpcspec"})")
                       .received(result("true"))
                       .sent(3, "rpcspec/x")
                       .received(error("3", -32500))
                       .sent(4, "rpcspec/x")
                       .received(error("null", -32601))),
              IsEmpty());
}

TEST(ModelOracle, AReplyUnderAnInventedIdIsNoSilence) {
  const Played asked =
      Played(kPlain).sent(R"({"jsonrpc":"2.0","id":-9007199254740991,"method":"rpcspec/x"})");
  Played silent = asked, cut = asked;
  cut.received(error("1", -32601));
  EXPECT_THAT(said(two_more(cut)), IsEmpty());
  EXPECT_THAT(breaches(cut, "replies"), ElementsAre("fail jsonrpc.id.never-invented"));
  EXPECT_THAT(said(two_more(silent)), ElementsAre("fail jsonrpc.request.reply-exactly-one"));
}

TEST(ModelOracle, AReplyThatSharesALineIsNoSilence) {
  const Played asked = Played(kPlain).sent(77, "rpcspec/x").sent(78, "rpcspec/x");
  Played glued = asked, other = asked;
  glued.received(error("77", -32601) + error("78", -32601));
  EXPECT_THAT(said(two_more(glued)), IsEmpty());
  other.received(error("77", -32601) + error("7", -32601));
  EXPECT_THAT(said(two_more(other)), ElementsAre("fail jsonrpc.request.reply-exactly-one"));
}

TEST(ModelOracle, AnErrorUnderAnInventedIdIsNoSilenceOfWhatHasNone) {
  const auto answered = [](bool refused) {
    Played played = Played(kPlain).sent("{}").sent(77, "rpcspec/x");
    if (refused) played.received(error("0", -32600));
    return said(two_more(played.received(error("77", -32601))));
  };
  EXPECT_THAT(answered(true), IsEmpty());
  EXPECT_THAT(answered(false), ElementsAre("fail jsonrpc.message.empty-object"));
}

TEST(ModelOracle, AnErrorUnderAnInventedIdIsOfTheNextBehindThoseThatGotTheirs) {
  Played lenient = Played(kPlain);
  int id = 100;
  for (const char* own : {"null", "null", R"("x")", R"("x")", "null"}) {
    lenient.sent("{oops").sent(++id, "rpcspec/x");
    lenient.received(error(own, own[0] == 'n' ? -32700 : -32601));
    lenient.received(error(std::to_string(id), -32601));
  }
  EXPECT_THAT(said(two_more(lenient)), IsEmpty());
}

TEST(ModelOracle, AnErrorUnderAnIdOfBrokenTextIsOfTheNextBehindThoseThatGotTheirs) {
  const std::string text = R"({"id":"utf-16",)";
  Played lenient = Played(kPlain);
  int id = 100;
  for (const char* own : {"null", R"("utf-16")"}) {
    lenient.sent(text).sent(++id, "rpcspec/x");
    lenient.received(error(own, own[0] == 'n' ? -32700 : -32601));
    lenient.received(error(std::to_string(id), -32601));
  }
  EXPECT_THAT(said(two_more(lenient)), ElementsAre("warn jsonrpc.error.parse-error-code"));
}

TEST(ModelOracle, AReplyUnderTheIdOfWhatIsOverPutsASilenceInDoubt) {
  const auto other = [](Played before) {
    before.sent(77, "rpcspec/x").received(error("1", -32601));
    return said(two_more(before));
  };
  const std::string silence = "fail jsonrpc.request.reply-exactly-one";
  Played odd = Played(kPlain).sent(R"({"id":1})");
  Played over = odd;
  EXPECT_THAT(other(two_more(over)), ElementsAre(silence + ", perhaps"));
  EXPECT_THAT(other(odd), testing::Contains(silence));
  // What may be left of an id that no reader can keep, and what had its reply.
  EXPECT_THAT(other(Played(kPlain).sent(R"({"id":9007199254740993})")),
              testing::Contains(silence + ", perhaps"));
  EXPECT_THAT(other(Played(kPlain).sent(1, "sum").received(result("1"))),
              testing::Contains(silence + ", perhaps"));
  // Over HTTP who waits elsewhere has nothing to do with it.
  const std::string type = "application/json";
  Played http(kPlain, "http");
  http.posted(1, request(1, "sum")).posted(2, request(77, "rpcspec/x"));
  http.answered(1, 200, type, result("1")).answered(1, 200, type, result("1"));
  http.answered(2, 200, type, "").closed(2, "end");
  EXPECT_THAT(said(http), testing::Contains(silence));
}

TEST(ModelOracle, AnArrayToldAsAWholeIsAnsweredOnce) {
  const std::string refused = error("\"01\"", -32600);
  EXPECT_THAT(said(Played("mcp-2024-11-05")
                       .sent(request(900, "initialize", R"({"protocolVersion":"2024-11-05"})"))
                       .received(result("900", R"({"protocolVersion":"2024-11-05"})"))
                       .sent(notification("notifications/initialized"))
                       .sent(R"({"jsonrpc":"2.0","id":2,"result":{}})")
                       .sent(R"([{"id":"01"}])")
                       .sent(R"([{"id":"01"},1])")
                       .received("[" + refused + "]")
                       .received("[" + refused + "," + error("null", -32600) + "]")),
              IsEmpty());
}

TEST(ModelOracle, AnIdOfNoKindThatComesBackIsAReply) {
  // Whether it may is the business of `envelope`.
  for (const char* id : {"true", "[1]", R"({"a":1})"}) {
    Played played(kPlain);
    played.sent(R"({"jsonrpc":"2.0","method":"sum","id":)" + std::string(id) + "}");
    Played silent = played;
    Played refused = played, unknown = played;
    EXPECT_THAT(said(two_more(played.received(result(id)))), IsEmpty()) << id;
    EXPECT_THAT(said(two_more(refused.received(error(id, -32600)))), IsEmpty()) << id;
    EXPECT_THAT(said(two_more(unknown.received(error(id, -32601)))),
                ElementsAre(testing::HasSubstr("jsonrpc.id.invalid-type")))
        << id;
    EXPECT_THAT(said(two_more(silent)), ElementsAre("fail jsonrpc.id.invalid-type")) << id;
  }
}

TEST(ModelOracle, AReplyWithoutIdGoesWhereItSuits) {
  const Played both = Played(kPlain).sent("{oops").sent("{}");
  EXPECT_THAT(said(Played(both).received(error("null", -32600)).received(error("null", -32700))),
              IsEmpty());
  EXPECT_THAT(said(Played(both).received(error("null", -32700)).received(error("null", -32603))),
              ElementsAre("warn jsonrpc.message.empty-object"));
}

// Broken text may have been read as a message with any id.
TEST(ModelOracle, ARoundedIdIsNotReadOutOfBrokenText) {
  Played played = Played(kPlain)
                      .sent("id:")
                      .sent(R"({"jsonrpc":"2.0","id":-9007199254740993,"method":"fail"})")
                      .received(error("null", -32700))
                      .received(error("-9007199254740992", -32603));
  EXPECT_THAT(said(two_more(played)), IsEmpty());
  Played array = Played(kPlain)
                     .sent("id:")
                     .sent(R"([{"jsonrpc":"2.0","id":9007199254740993,"method":"fail"},{"id":)"
                           R"(9007199254740995,"method":"fail"},{"id":9007199254740993}])")
                     .received(error("null", -32700))
                     .received(error("9007199254740992", -32603));
  EXPECT_THAT(said(two_more(array)), IsEmpty());
  Played refused = ready()
                       .sent("id:")
                       .sent(R"([{"jsonrpc":"2.0","id":9007199254740993,"method":"fail"}])")
                       .received(error("null", -32700))
                       .received(error("9007199254740992", -32600));
  EXPECT_THAT(said(refused.sent(901, "tools/list").received(result("901"))), IsEmpty());
}

TEST(ModelOracle, ASecondReplyMayBeThatOfAnIdThatWasRounded) {
  Played played = Played(kPlain)
                      .sent(R"({"jsonrpc":"2.0","id":9223372036854775807,"method":"fail"})")
                      .sent(R"({"id":9223372036854775808})")
                      .received(error("9223372036854775808", -32600))
                      .received(error("9223372036854775808", -32603));
  EXPECT_THAT(said(two_more(played)), IsEmpty());
}

TEST(ModelOracle, SilenceNeedsTwoProofs) {
  Played silent = Played(kPlain).sent("{}");
  EXPECT_THAT(said(Played(silent).sent(1, "sum").received(result("1"))), IsEmpty());
  EXPECT_THAT(
      said(
          Played(silent).sent(1, "sum").sent(2, "sum").received(result("1")).received(result("2"))),
      IsEmpty());
  EXPECT_THAT(said(two_more(silent)), ElementsAre("fail jsonrpc.message.empty-object"));
}

TEST(ModelOracle, SilenceOfASlowMethodProvesNothing) {
  Played slow = Played(kPlain).sent(1, "sum");
  EXPECT_THAT(said(two_more(slow)), IsEmpty());
  Played nobodys = Played(kPlain).sent(1, "rpcspec/x");
  EXPECT_THAT(said(two_more(nobodys)), ElementsAre("fail jsonrpc.request.reply-exactly-one"));
  Played cancelled = Played(kPlain)
                         .sent(1, "rpcspec/x")
                         .sent(notification("notifications/cancelled", R"({"requestId":1})"));
  EXPECT_THAT(said(two_more(cancelled)), IsEmpty());
  // Whoever looks at notifications by the way may have had the request by then.
  const auto early = [](const std::string& id) {
    return said(
        two_more(Played(kPlain)
                     .sent(notification("notifications/cancelled", R"({"requestId":)" + id + "}"))
                     .sent(1, "rpcspec/x")));
  };
  EXPECT_THAT(early("1"), IsEmpty());
  EXPECT_THAT(early("2"), ElementsAre("fail jsonrpc.request.reply-exactly-one"));
}

TEST(ModelOracle, WhatACutTranscriptLacksIsNotMissed) {
  EXPECT_THAT(said(Played(kPlain).sent("{}").sent(1, "rpcspec/x")), IsEmpty());
  EXPECT_THAT(said(Played(kPlain).sent("{}").ended("signal 11")), IsEmpty());
  Played late = Played(kPlain).sent("{}").we_close("stdin");
  EXPECT_THAT(said(two_more(late)), IsEmpty());
}

TEST(ModelOracle, TheHandshakeDecidesUnderMcp) {
  const auto unknown = [](Played played) {
    return said(played.sent(1, "tools/nope").received(result("1")));
  };
  EXPECT_THAT(unknown(Played(kMcp)), IsEmpty());
  EXPECT_THAT(unknown(ready("2024-11-05")), IsEmpty());
  EXPECT_THAT(unknown(ready()), ElementsAre("fail mcp.base.unknown-method"));
  // A request called as the notification is may be refused.
  const auto half = [](const std::string& initialized) {
    return Played(kMcp)
        .sent(request(900, "initialize", R"({"protocolVersion":"2025-06-18"})"))
        .received(result("900", R"({"protocolVersion":"2025-06-18"})"))
        .sent(initialized);
  };
  EXPECT_THAT(unknown(half(request(901, "notifications/initialized"))), IsEmpty());
  EXPECT_THAT(unknown(half(R"({"jsonrpc":"2.0","method":"notifications/initialized","params":7})")),
              IsEmpty());
  Played ping = ready().sent(1, "ping");
  EXPECT_THAT(said(two_more(ping, "tools/list")), ElementsAre("fail mcp.ping.result"));
}

TEST(ModelOracle, TheElementsOfAnArrayAreAnsweredInOne) {
  const std::string two = "[" + request(1, "rpcspec/a") + "," + request(2, "rpcspec/b") + "]";
  const std::string first = error("1", -32601), second = error("2", -32601);
  EXPECT_THAT(said(Played(kPlain).sent(two).received("[" + first + "," + second + "]")), IsEmpty());
  EXPECT_THAT(said(Played(kPlain).sent(two).received(first).received(second)),
              ElementsAre("warn jsonrpc.batch.array-response"));
  EXPECT_THAT(said(Played(kPlain).sent(two).received(error("null", -32600))),
              ElementsAre("warn jsonrpc.batch.response-per-request"));
  Played half = Played(kPlain).sent(two).received("[" + first + "]");
  EXPECT_THAT(said(two_more(half)), ElementsAre("warn jsonrpc.batch.response-per-request"));
  EXPECT_THAT(said(Played(kPlain).sent("[" + request(1, "rpcspec/a") + "]").received(first)),
              ElementsAre("warn jsonrpc.batch.single-element"));
}

// What is told of a reply without an id that another message may have is what was broken either
// way.
TEST(ModelOracle, AReplyIsLaidToNoMessageAloneWhereItSuitsAnother) {
  const std::string refused = error("null", -32600), unknown = error("null", -32601);
  const auto after = [](const std::vector<std::string>& sent,
                        const std::vector<std::string>& received) {
    Played played(kPlain);
    for (const std::string& text : sent) played.sent(text);
    for (const std::string& text : received) played.received(text);
    return said(two_more(played));
  };
  const std::string other = R"({"id":1,"method":0})";
  EXPECT_THAT(after({"[[]]"}, {refused}), ElementsAre("warn jsonrpc.batch.single-element"));
  EXPECT_THAT(after({other, "[[]]"}, {refused}), IsEmpty());
  EXPECT_THAT(after({"[[]]", other, "[[]]"}, {refused}), IsEmpty());
  EXPECT_THAT(after({other, "[[]]"}, {refused, refused}),
              ElementsAre("warn jsonrpc.batch.single-element"));

  // Some readers know no number so large, and write null.
  const std::string large = R"({"jsonrpc":"2.0","id":1e400,"method":"nix"})";
  EXPECT_THAT(after({"[]"}, {unknown}), ElementsAre("warn jsonrpc.batch.empty-array"));
  EXPECT_THAT(after({"[]", large}, {unknown}),
              ElementsAre("warn jsonrpc.batch.empty-array, perhaps"));
  EXPECT_THAT(after({"}", R"({"id":1e400,"method":"sum"})"}, {result("null")}),
              ElementsAre("warn jsonrpc.error.parse-error-code, perhaps"));
  const std::string broken = R"({"jsonrpc":"2.0","id":4,"method":"sum",})";
  EXPECT_THAT(after({large, broken}, {unknown, error("4", -32700)}),
              ElementsAre("fail jsonrpc.id.null-on-parse-error"));

  // As is an id of a kind that no id has.
  const std::string odd = R"({"jsonrpc":"2.0","id":[[]],"method":""})";
  EXPECT_THAT(
      after({R"({"jsonrpc":0,"id":[[]],"method":0})", odd}, {refused, error("[[]]", -32601)}),
      IsEmpty());
}

TEST(ModelOracle, RepliesWithoutIdComeInTheOrderOfTheirMessagesWhereNothingElseTells) {
  const std::string parse = error("null", -32700), refused = error("null", -32600);
  Played played = Played(kPlain).sent("\"\"").sent("[]").received(parse).received(refused);
  EXPECT_THAT(said(two_more(played)), ElementsAre("warn jsonrpc.message.primitive-top-level"));
}

// An element that the array lacks is not found in the refusal of another message.
TEST(ModelOracle, WhatTheArrayLacksDoesNotComeBesideIt) {
  const std::string refused = error("null", -32600);
  for (const std::string& later : {std::string("1"), notification("rpcspec/a")}) {
    Played played = Played(kPlain).sent("[[],{}]").sent(901, "sum");
    played.received("[" + refused + "]").received(result("901"));
    played.sent(later).sent(902, "sum").received(refused).received(result("902"));
    EXPECT_THAT(said(played), ElementsAre("fail jsonrpc.batch.invalid-elements")) << later;
  }
  Played before = Played(kPlain).sent(R"({"id":1,"method":{}})").sent("[[],{}]");
  before.received(refused).received("[" + refused + "]");
  EXPECT_THAT(said(two_more(before)), ElementsAre("fail jsonrpc.batch.invalid-elements"));
}

// Which of several arrays one without ids answers is not known before all are looked at.
TEST(ModelOracle, AnArrayWithoutIdsAnswersAnyThatWaits) {
  const std::string refused = "[" + error("null", -32600) + "]";
  const std::string stray = "[" + result("7") + "]";
  Played sound = Played(kPlain).sent(stray).sent(stray).sent("[[]]").received(refused);
  EXPECT_THAT(said(two_more(sound)), IsEmpty());
  Played dropped = Played(kPlain)
                       .sent(R"([{"jsonrpc":"2.0","method":""}])")
                       .sent("[null]")
                       .sent("{")
                       .received(refused)
                       .received(error("null", -32700));
  EXPECT_THAT(said(two_more(dropped)), IsEmpty());
  const std::string named = "[" + error("2", -32602) + "]";
  Played again = Played(kPlain).received(named).sent("[[]]").received(named).received(refused);
  EXPECT_THAT(said(two_more(again)), IsEmpty());
  Played silent = Played(kPlain).sent("[1]").sent("[2]").received(refused);
  EXPECT_THAT(said(two_more(silent)), ElementsAre("fail jsonrpc.batch.invalid-elements"));
}

// An array waits for the slowest of its elements.
TEST(ModelOracle, AnArrayIsAsSlowAsItsElements) {
  const std::string slow = "[" + request(1, "sum") + "," + request(2, "rpcspec/x") + ",1]";
  Played waits = Played(kPlain).sent(slow);
  Played open = Played(waits);
  EXPECT_THAT(said(two_more(open)), IsEmpty());
  Played late = Played(waits);
  two_more(late).received("[" + result("1") + "," + error("2", -32601) + "," +
                          error("null", -32600) + "]");
  EXPECT_THAT(said(late), IsEmpty());
  Played partial = Played(waits).received("[" + result("1") + "]");
  EXPECT_THAT(said(two_more(partial)), ElementsAre("warn jsonrpc.batch.response-per-request"));
}

// The second reply may be the array's, and then the first is not the stray response's.
TEST(ModelOracle, OfTwoWithOneIdEitherMayBeRefusedWithoutIt) {
  Played played = ready()
                      .sent(result("1"))
                      .sent(R"([{"id":3}])")
                      .received(error("null", -32600))
                      .sent(R"({"id":3})")
                      .received(error("3", -32600));
  EXPECT_THAT(said(played), IsEmpty());
  // The first of them as well, before anybody knows whose the reply with the id is.
  const std::string deep = std::string(198, '[') + std::string(197, ']') + R"(,{"id":3}])";
  Played early =
      ready().sent(R"({"jsonrpc":"2.0","error":0})").sent(deep).sent(R"([{"id":3},{"id":4}])");
  early.received(error("null", -32700));
  early.received("[" + error("3", -32600) + "," + error("4", -32600) + "]");
  EXPECT_THAT(said(two_more(early)), IsEmpty());
}

TEST(ModelOracle, AReplyWithoutIdMayBeLate) {
  Played slow = Played(kPlain).sent(R"({"jsonrpc":"2.0","id":null,"method":"sum"})");
  Played other = two_more(slow).sent("{oops").received(result("null"));
  EXPECT_THAT(said(other.received(error("null", -32700))), IsEmpty());
  const Played garbage = Played(kPlain).sent("{oops").received(error("null", -32601));
  EXPECT_THAT(said(garbage), ElementsAre("warn jsonrpc.error.parse-error-code"));
  EXPECT_THAT(said(Played(garbage).earlier("null")), IsEmpty());
  const Played unread = Played(kPlain).sent(R"({"id":9,)");
  EXPECT_THAT(said(Played(unread).received(error("9", -32700))),
              ElementsAre("fail jsonrpc.id.null-on-parse-error"));
  EXPECT_THAT(said(Played(unread).earlier("9").received(error("9", -32700))), IsEmpty());
  // A session counts the ids in broken text as earlier ones; one that comes back is no silence.
  Played read = Played(unread).earlier("9").received(error("9", -32602));
  EXPECT_THAT(said(two_more(read)), IsEmpty());
  EXPECT_THAT(said(two_more(Played(unread).earlier("9"))), testing::SizeIs(1));
}

TEST(ModelOracle, AnErrorForBrokenTextUnderTheIdOfAnotherIsNoSilence) {
  const Played asked = Played(kPlain).sent(7, "sum").received(result("7")).sent("{oops");
  Played stale = Played(asked).received(error("7", -32700));
  EXPECT_THAT(said(two_more(stale)), ElementsAre("fail jsonrpc.id.null-on-parse-error"));
  EXPECT_THAT(breaches(stale, "replies"), IsEmpty());
  Played earlier = Played(kPlain).earlier("7").sent("{oops").received(error("7", -32700));
  EXPECT_THAT(said(two_more(earlier)), IsEmpty());
  Played other = Played(asked).received(error("7", -32601));
  EXPECT_THAT(said(two_more(other)), ElementsAre("fail jsonrpc.error.parse-error-code, perhaps"));
}

TEST(ModelOracle, AnswersToTheServerAreNoStrayResponses) {
  Played asked = ready()
                     .received(R"({"jsonrpc":"2.0","id":4,"method":"roots/list"})")
                     .sent(result("4"))
                     .received(error("null", -32000));
  EXPECT_THAT(said(asked), IsEmpty());
}

TEST(ModelOracle, FramesNobodyReadsAsOneMessageAreLeftAlone) {
  // What is made of them is answered as often as the server likes, after what was sent before.
  const auto refused = [](bool torn) {
    Played played = Played(kPlain, "tcp").by_length().sent("[]");
    if (torn) played.wrote_raw("Content-Length: 99\r\n\r\n0");
    return said(played.received(error("null", -32700)));
  };
  EXPECT_THAT(refused(true), IsEmpty());
  EXPECT_THAT(refused(false), Not(IsEmpty()));
  // HTTP+SSE: replies to what was posted come on a stream as well.
  const auto posted = [](bool wrongly) {
    return said(Played(kPlain, "http+sse")
                    .sent("[]")
                    .posted(2, "0")
                    .framed_wrongly(wrongly)
                    .received(error("null", -32700)));
  };
  EXPECT_THAT(posted(true), IsEmpty());
  EXPECT_THAT(posted(false), Not(IsEmpty()));
  // And a connection that is left may not have carried the message.
  const auto left = [](const std::string& how) {
    Played played = Played(kPlain, "http+sse").posted(2, R"({"id":1})").closed(2, how);
    return said(two_more(played));
  };
  EXPECT_THAT(left("eof"), IsEmpty());
  EXPECT_THAT(left("end"), ElementsAre("fail jsonrpc.request.method-missing"));
  EXPECT_THAT(said(Played(kPlain, "tcp")
                       .by_length()
                       .wrote_raw("Content-Length: 2\r\n\r\n{}")
                       .received(error("null", -32700))),
              IsEmpty());
}

TEST(ModelOracle, OverHttpAnExchangeTellsWhatAnswersWhat) {
  const wire::Header json{"Content-Type", "application/json"};
  EXPECT_THAT(said(Played(kPlain, "http")
                       .posted(1, "{oops", {json})
                       .posted(2, "{}", {json})
                       .answered(2, 200, "application/json", error("null", -32600))
                       .answered(1, 200, "application/json", error("null", -32603))),
              ElementsAre("warn jsonrpc.error.parse-error-code"));
  EXPECT_THAT(said(Played(kPlain, "http")
                       .posted(1, request(1, "rpcspec/x"), {json})
                       .answered(1, 404, "application/json", error("1", -32600))),
              IsEmpty());
  EXPECT_THAT(said(Played(kPlain, "http")
                       .posted(1, "[null]", {json})
                       .answered(1, 403, "application/json", error("null", -32600))),
              IsEmpty());
  // Whatever id a lenient reader found in the other.
  EXPECT_THAT(said(Played(kPlain, "http")
                       .posted(1, "{\"\xc3o\":1,\"id\":7}", {json})
                       .posted(2, request(7, "rpcspec/x"), {json})
                       .answered(1, 200, "application/json", error("7", -32600))
                       .answered(2, 200, "application/json", error("7", -32601))),
              IsEmpty());
  EXPECT_THAT(said(Played(kPlain, "http")
                       .posted(1, "{oops", {json, {"Content-Encoding", "gzip"}})
                       .answered(1, 200, "application/json", error("null", -32603))),
              IsEmpty());
}

TEST(ModelOracle, OverHttpWhatIsNeverAnsweredIsToldByWhatWasAskedLater) {
  const wire::Header json{"Content-Type", "application/json"};
  const auto later = [&](Played& played, int count) {
    for (int id = 10; id < 10 + count; ++id) {
      played.posted(id, request(id, "rpcspec/x"), {json})
          .answered(id, 200, "application/json", error(std::to_string(id), -32601))
          .closed(id, "end");
    }
    return said(played);
  };
  const auto asked = [&] {
    return Played(kPlain, "http").posted(1, request(1, "rpcspec/x"), {json});
  };
  const auto silent = ElementsAre("fail jsonrpc.request.reply-exactly-one");
  Played open = asked();
  EXPECT_THAT(later(open, 2), silent);
  Played late = asked().closed(1, "timeout");
  EXPECT_THAT(later(late, 2), silent);
  Played overtaken = asked();
  EXPECT_THAT(later(overtaken, 1), IsEmpty());
  for (const char* how : {"eof", "reset"}) {
    Played dropped = asked().closed(1, how);
    EXPECT_THAT(later(dropped, 2), silent) << how;
  }
  // Nobody has to read a head that is long, is not HTTP, or speaks of the connection.
  for (const wire::Header& odd :
       {wire::Header{"a", std::string(4000, 'a')}, wire::Header{"a", "b\x01"},
        wire::Header{"a b", ""}, wire::Header{"connection", "close"}}) {
    Played refused =
        Played(kPlain, "http").posted(1, request(1, "rpcspec/x"), {json, odd}).closed(1, "eof");
    EXPECT_THAT(later(refused, 2), IsEmpty()) << odd.name;
    Played ignored = Played(kPlain, "http").posted(1, request(1, "rpcspec/x"), {json, odd});
    EXPECT_THAT(later(ignored, 2), silent) << odd.name;
  }
  // Who ends a session ends what is under way in it.
  for (const char* how : {"eof", "reset"}) {
    Played over = asked().got(2, {json}).by("DELETE").closed(1, how);
    EXPECT_THAT(later(over, 2), IsEmpty()) << how;
  }
  for (const char* how : {"hung up", "unreachable", "aborted"}) {
    Played ours = asked().closed(1, how);
    EXPECT_THAT(later(ours, 2), IsEmpty()) << how;
  }
  // A stream that says something is under way; one that says nothing is not.
  Played stream = asked().answered(1, 200, "text/event-stream", "");
  EXPECT_THAT(later(stream, 2), silent);
  Played busy = asked()
                    .answered(1, 200, "text/event-stream", "")
                    .event(1, notification("notifications/progress"));
  EXPECT_THAT(later(busy, 2), IsEmpty());
  // An array waits for each of its elements, and any of these may take its time.
  for (const char* slow : {"x", "rpcspec/x"}) {
    Played array =
        Played(kPlain, "http")
            .posted(1, "[" + request(1, slow) + "," + request(2, "rpcspec/x") + "]", {json});
    EXPECT_EQ(later(array, 2).empty(), slow == std::string("x"));
  }
  Played notified = Played(kPlain, "http").posted(1, notification("rpcspec/x"), {json});
  EXPECT_THAT(later(notified, 2), IsEmpty());
  Played in_part =
      Played(kPlain, "http").posted(1, request(1, "rpcspec/x"), {json}).framed_wrongly();
  EXPECT_THAT(later(in_part, 2), IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
