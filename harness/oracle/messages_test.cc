// SPDX-License-Identifier: Apache-2.0
// Envelope, error codes and JSON text.
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kPlain = "jsonrpc-2.0";
const char* const kMcp = "mcp-2025-11-25";
const char* const kStateless = "mcp-2026-07-28";

std::vector<std::string> answered(const std::string& profile, const std::string& reply) {
  return breaches(Played(profile).sent(1, "ping").received(reply));
}

TEST(Envelope, ExtraMembersAndAnyApplicationCodeAreSound) {
  EXPECT_THAT(answered(kPlain, R"({"jsonrpc":"2.0","id":1,"result":null,"x":1})"), IsEmpty());
  EXPECT_THAT(
      answered(kMcp, R"({"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"m","data":[]}})"),
      IsEmpty());
  EXPECT_THAT(answered(kMcp, error("1", -32050)), IsEmpty());
}

TEST(Envelope, WhatAllElementsOfABatchLackIsToldOnce) {
  std::string request = "1", reply = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}})";
  std::string requests = "[" + request, replies = "[" + reply;
  for (int i = 0; i < 20000; ++i) requests += "," + request, replies += "," + reply;
  const std::vector<std::string> seen =
      breaches(Played(kPlain).sent(requests + "]").received(replies + "]"));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), "fail jsonrpc.response.id-member-present"), 1);
}

TEST(Envelope, TheElementThatIsNoMessageIsQuoted) {
  const auto findings = Played(kPlain)
                            .sent("[" + request(1, "a") + ",0]")
                            .received("[" + result("1") + ",null]")
                            .judged();
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& one) {
    return one.requirement == "jsonrpc.response.result-or-error" &&
           one.seen.starts_with("the element null in ");
  }));
}

TEST(Envelope, EachBrokenMemberIsFound) {
  const struct {
    const char* reply;
    const char* plain;
    const char* mcp;
  } kRows[] = {
      {R"({"id":1,"result":{}})", "fail jsonrpc.response.version-member",
       "fail mcp.base.jsonrpc-conformance"},
      {R"({"jsonrpc":2.0,"id":1,"result":{}})", "fail jsonrpc.response.version-member",
       "fail mcp.base.jsonrpc-conformance"},
      {R"({"jsonrpc":"2.0","result":{}})", "fail jsonrpc.response.id-member-present",
       "fail mcp.base.response-same-id"},
      {R"({"jsonrpc":"2.0","id":1})", "fail jsonrpc.response.result-or-error",
       "fail mcp.base.result-or-error"},
      {R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})",
       "fail jsonrpc.response.no-null-error-on-success", "fail mcp.base.result-or-error"},
      {R"({"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}})",
       "fail jsonrpc.response.no-null-result-on-error", "fail mcp.base.result-or-error"},
      {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}})",
       "fail jsonrpc.response.not-both", "fail mcp.base.result-or-error"},
      {R"({"jsonrpc":"2.0","id":1,"error":"no"})", "fail jsonrpc.error.is-object",
       "fail mcp.base.error-code-and-message"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}})",
       "fail jsonrpc.error.code-integer", "fail mcp.base.error-code-and-message"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}})",
       "fail jsonrpc.error.code-integer", "fail mcp.base.error-code-and-message"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":7}})",
       "fail jsonrpc.error.message-string", "fail mcp.base.error-code-and-message"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"at a\nat b"}})",
       "warn jsonrpc.error.message-concise", "warn mcp.base.error-message-concise"},
      {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32300,"message":"m"}})",
       "fail jsonrpc.error.reserved-range", "warn jsonrpc.error.reserved-range"},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","result":{}})",
       "warn jsonrpc.response.extra-members-tolerated",
       "warn jsonrpc.response.extra-members-tolerated"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(answered(kPlain, row.reply), ElementsAre(row.plain)) << row.reply;
    EXPECT_THAT(answered(kMcp, row.reply), testing::Contains(row.mcp)) << row.reply;
  }
}

TEST(Envelope, AnErrorWithoutIdIsLawfulUnderMcpAfterGarbage) {
  const char* reply = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}})";
  EXPECT_THAT(breaches(Played(kMcp).sent("{").received(reply)), IsEmpty());
  EXPECT_THAT(breaches(Played(kPlain).sent("{").received(reply)),
              ElementsAre("fail jsonrpc.response.id-member-present"));
  // Refused by HTTP, before anybody looked for a message.
  const std::string refusal = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}})";
  const auto refused = [&](int status) {
    return breaches(
        Played(kPlain, "http").posted(1, "").answered(1, status, "application/json", refusal),
        "envelope");
  };
  EXPECT_THAT(refused(415), IsEmpty());
  EXPECT_THAT(refused(400), ElementsAre("fail jsonrpc.response.id-member-present"));
  EXPECT_THAT(breaches(Played(kPlain, "http")
                           .posted(1, "1")
                           .framed_wrongly()
                           .answered(1, 400, "application/json", refusal)),
              IsEmpty());
}

TEST(Envelope, ALongMessageThatRepeatsOurMethodIsOurDoing) {
  const std::string method(5000, 'm');
  EXPECT_THAT(breaches(Played(kPlain).sent(1, method).received(error("1", -32601, "No " + method))),
              IsEmpty());
}

TEST(Envelope, ALineBreakOutOfTextThatIsNoJsonIsOurDoingWhereItWasReadAllTheSame) {
  const std::string marked = "\xEF\xBB\xBF" + request(1, R"(a\nb)");
  EXPECT_THAT(breaches(Played(kPlain).sent(marked).received(error("1", -32601, R"(No a\nb)"))),
              IsEmpty());
  EXPECT_THAT(
      breaches(Played(kPlain).sent(marked).received(error("null", -32700, R"(At\nline 1)"))),
      ElementsAre("warn jsonrpc.error.message-concise"));
}

TEST(ErrorCodes, ACancelledRequestIsSoundWhereWeCancelledAsLanguageServersKnowIt) {
  const auto answered_so = [](Played played) {
    return breaches(played.received(error("1", -32800)), "model");
  };
  EXPECT_THAT(answered_so(Played(kPlain)
                              .sent(1, "rpcspec/nobody")
                              .sent(notification("$/cancelRequest", R"({"id":1})"))),
              IsEmpty());
  EXPECT_THAT(answered_so(Played(kPlain).sent(1, "rpcspec/nobody")),
              ElementsAre("fail jsonrpc.error.method-not-found-code"));
}

TEST(ErrorCodes, BandsOfTheStatelessRevision) {
  const auto code = [](int number) {
    return breaches(Played(kStateless).sent(stateless(1, "x")).received(error("1", number)),
                    "error-codes");
  };
  EXPECT_THAT(code(-32601), IsEmpty());
  EXPECT_THAT(code(-32021), IsEmpty());
  EXPECT_THAT(code(-31999), IsEmpty());
  EXPECT_THAT(code(-32022), IsEmpty());  // nothing proves that it has the version
  EXPECT_THAT(code(-32002), ElementsAre("fail mcp.errors.retired-32002"));
  EXPECT_THAT(code(-32042), ElementsAre("fail mcp.errors.retired-32042"));
  EXPECT_THAT(code(-32020), ElementsAre("fail mcp.errors.defined-meaning"));
  EXPECT_THAT(code(-32050), ElementsAre("fail mcp.errors.reserved-band"));
  EXPECT_THAT(code(-32001), ElementsAre("warn mcp.errors.legacy-band-avoid"));
  EXPECT_THAT(code(-32300), ElementsAre("warn mcp.errors.own-codes-outside-reserved"));
  EXPECT_THAT(breaches(Played(kStateless)
                           .sent(stateless(1, "server/discover"))
                           .received(complete("1"))
                           .sent(stateless(2, "tools/list"))
                           .received(error("2", -32022)),
                       "error-codes"),
              ElementsAre("fail mcp.errors.defined-meaning"));
}

TEST(ErrorCodes, TheTutorialTablesAreOpenBelow) {
  EXPECT_THAT(answered("mcp-tutorial", error("1", -32005)), IsEmpty());
  EXPECT_THAT(answered("mcp-tutorial", error("1", -32050)),
              ElementsAre("warn tutorial.jsonrpc.reserved-code-range"));
}

TEST(JsonOutput, BrokenTextIsNamed) {
  const struct {
    std::string line;
    const char* plain;
  } kRows[] = {
      {R"({"jsonrpc":"2.0","id":1,"result":{},})", "fail json.output.grammar"},
      {R"({"jsonrpc":"2.0","id":1,"result":NaN})", "fail json.output.no-nan"},
      {R"({"jsonrpc":"2.0","id":1,"result":[1,-Infinity]})", "fail json.output.no-nan"},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\tb\"}",
       "fail json.output.control-chars-escaped"},
      {"\xEF\xBB\xBF" + result("1"), "fail json.output.no-bom"},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xC3\x28\"}", "fail json.output.utf8"},
      {R"({"jsonrpc":"2.0","id":1,"id":1,"result":1})", "fail json.output.unique-names"},
      {R"({"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}})", "warn json.output.unique-names"},
      {R"({"jsonrpc":"2.0","id":1,"result":"\ud800"})", "warn json.output.no-lone-surrogates"},
      {R"({"jsonrpc":"2.0","id":1,"result":9007199254740992})", "warn json.output.safe-integers"},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(answered(kPlain, row.line), ElementsAre(row.plain)) << row.line;
  }
  EXPECT_THAT(answered(kMcp, R"({"jsonrpc":"2.0","id":1,"result":{},})"),
              ElementsAre("fail json.output.grammar"));
}

TEST(JsonOutput, WhatWeSentMayComeBack) {
  EXPECT_THAT(
      breaches(Played(kPlain)
                   .sent(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["\ud800",)"
                         R"({"a":1,"a":2},18446744073709551615]})")
                   .received(result("1", R"(["\ud800",{"a":1,"a":2},18446744073709551615])"))),
      IsEmpty());
  EXPECT_THAT(answered(kPlain, result("1", R"([9007199254740991,1e300,0.1,"NaN"])")), IsEmpty());
}

TEST(Http, BodiesAndEventsHoldMessages) {
  const auto body = [](int status, const char* type, const char* text) {
    return breaches(
        Played(kMcp, "http").posted(1, request(1, "ping")).answered(1, status, type, text));
  };
  EXPECT_THAT(body(200, "application/json", "hello"), ElementsAre("fail mcp.http.json-one-object"));
  EXPECT_THAT(body(200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":\"\xc3"),
              ElementsAre("fail mcp.http.json-one-object"))
      << "cut within a character";
  EXPECT_THAT(body(200, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":\"\xc3\"}"),
              ElementsAre("fail mcp.base.utf8"));
  EXPECT_THAT(body(500, "application/json", "hello"), IsEmpty());
  EXPECT_THAT(body(200, "text/html", "<html>"), IsEmpty());
  EXPECT_THAT(body(200, "application/json", R"({"jsonrpc":"2.0","id":1,"result":{},})"),
              ElementsAre("fail json.output.grammar"));
  EXPECT_THAT(
      breaches(
          Played(kMcp, "http").posted(1, request(1, "ping")).event(1, "hi").event(1, result("1"))),
      ElementsAre("fail mcp.http.sse-event-data-is-message"));
  EXPECT_THAT(
      breaches(Played("mcp-2024-11-05", "http").got(1).event(1, "/messages?id=3").event(1, "")),
      IsEmpty());
}

TEST(Http, MessagesComeInMessageEvents) {
  const auto named = [](const char* name) {
    Played played(kMcp, "http");
    played.posted(1, request(1, "ping")).event(1, result("1"));
    return breaches(played.in_event(name));
  };
  EXPECT_THAT(named("message"), IsEmpty());
  EXPECT_THAT(named("response"), ElementsAre("warn robust.sse-event-name"));
}

TEST(Http, AnAnswerHasAnEnd) {
  const auto unended = [](const char* how, const char* header, const char* value,
                          const std::string& text = result("1")) {
    Played played(kMcp, "http");
    played.posted(1, request(1, "ping")).answered(1, 200, "application/json", text);
    return breaches(played.with_header(header, value).framed_wrongly().closed(1, how));
  };
  const auto found = ElementsAre("fail mcp.http.json-one-object");
  EXPECT_THAT(unended("timeout", "Server", "x"), found);
  EXPECT_THAT(unended("timeout", "Transfer-Encoding", "chunked"), found);
  EXPECT_THAT(unended("eof", "Content-Length", "400"), found);
  EXPECT_THAT(unended("eof", "Content-Length", "400", R"({"jsonrpc":)"), found) << "cut off";
  EXPECT_THAT(unended("timeout", "Content-Length", "400", R"({"jsonrpc":)"), IsEmpty())
      << "more may come yet";
  EXPECT_THAT(unended("aborted", "Server", "x"), IsEmpty()) << "our own doing";
  EXPECT_THAT(unended("hung up", "Server", "x"), IsEmpty()) << "likewise";
}

TEST(Http, MetadataDocumentsAreNoMessages) {
  EXPECT_THAT(breaches(Played(kMcp, "http")
                           .got(1)
                           .answered(1, 200, "application/json", R"({"resource":"http://x"})")
                           .posted(2, "client_id=1")
                           .answered(2, 200, "application/json", R"({"access_token":"t"})")),
              IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
