// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/causes/causes_testing.h"
#include "harness/causes/searches.h"
#include "harness/spec/breaches.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(Causes, AreNoneWithoutFindings) { EXPECT_THAT(found(), IsEmpty()); }

TEST_F(Causes, AreClausesWhereNothingElseIsInCommon) {
  clue("mcp.base.utf8");
  clue("mcp.tools.list-item-shape").severity = oracle::Severity::kWarn;
  clue("mcp.base.utf8");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].requirement, "mcp.base.utf8");
  EXPECT_EQ(causes[0].verdict, Verdict::kFail);
  EXPECT_EQ(causes[0].level, "MUST");
  EXPECT_EQ(causes[0].title, "Messages are not read or written as UTF-8") << "the breach";
  EXPECT_EQ(causes[0].sentence, "Expected one thing; seen another");
  EXPECT_EQ(causes[0].replay, "replay a/1");
  EXPECT_TRUE(causes[0].by_clause);
  ASSERT_THAT(causes[0].findings, SizeIs(2));
  EXPECT_EQ(causes[0].findings[1].case_id, "a/3");
  EXPECT_EQ(causes[1].verdict, Verdict::kWarn);
}

TEST_F(Causes, AreShownByACaseAboutTheClause) {
  clue("mcp.base.utf8");
  results_.back().requirements = {"mcp.ping.result"};
  clue("mcp.base.utf8");
  EXPECT_EQ(found()[0].findings[0].case_id, "a/2");
}

TEST_F(Causes, AreTitledByTheBreachAndByNoCase) {
  clue("mcp.base.notification-no-response");
  EXPECT_EQ(found()[0].title, "Notifications are answered");
  const char* unwritten = "mcp.completion.ranked";
  ASSERT_EQ(spec::breach_of(unwritten), "");
  clues_.all.clear();
  clue(unwritten);
  EXPECT_EQ(found()[0].title + ".", "Violated: " + spec::own_registry().find(unwritten)->statement);
  clues_.all.clear();
  clue("mcp.lifecycle.initialize-result");
  results_.back().id = clues_.all.back().ref.case_id = "contact/handshake";
  results_.back().title = "initialize is not served";
  EXPECT_EQ(found()[0].title, "initialize is not served") << "the first contact says what is wrong";
}

TEST_F(Causes, AreInTheOrderOfRepair) {
  clue("jsonrpc.error.code-integer");
  clue("mcp.tools.name-string");
  clue("mcp.ping.result");
  clue("mcp.base.notification-no-response");
  clue("mcp.lifecycle.initialize-result");
  clue("mcp.base.response-same-id");
  clue("json.output.grammar");
  about("tools/call", "mcp.tools.call-survives-bad-arguments", Symptom::kEnd);
  std::vector<std::string> order;
  for (const Cause& cause : found()) order.push_back(cause.requirement);
  EXPECT_THAT(order, ElementsAre("mcp.tools.call-survives-bad-arguments", "json.output.grammar",
                                 "mcp.base.response-same-id", "mcp.lifecycle.initialize-result",
                                 "mcp.base.notification-no-response", "mcp.ping.result",
                                 "mcp.tools.name-string", "jsonrpc.error.code-integer"));
}

TEST_F(Causes, PutAMustBeforeAShould) {
  clue("mcp.tools.name-unique");
  clue("mcp.tools.name-unique");
  clue("mcp.tools.name-string");
  EXPECT_EQ(found()[0].requirement, "mcp.tools.name-string");
}

TEST_F(Causes, PutFailuresBeforeWhatIsFlakyAndWhatWarns) {
  clue("mcp.base.utf8").verdict = Verdict::kFlaky;
  clue("mcp.cancel.no-response").severity = oracle::Severity::kWarn;
  clue("mcp.base.result-or-error");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(3));
  EXPECT_EQ(causes[0].requirement, "mcp.base.result-or-error");
  EXPECT_EQ(causes[1].verdict, Verdict::kFlaky);
  EXPECT_EQ(causes[2].verdict, Verdict::kWarn);
}

TEST_F(Causes, PutWhatIsKnownLast) {
  clue("mcp.base.utf8").baselined = true;
  clue("mcp.cancel.no-response").severity = oracle::Severity::kWarn;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_TRUE(causes[1].baselined);
}

TEST_F(Causes, AreShownByWhatIsNotKnownYet) {
  clue("mcp.base.utf8").baselined = true;
  clue("mcp.base.utf8");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_FALSE(causes[0].baselined);
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2");
}

TEST_F(Causes, AreShownByAFailureWhereAnythingFails) {
  clue("mcp.base.utf8").severity = oracle::Severity::kWarn;
  clue("mcp.base.utf8");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].verdict, Verdict::kFail);
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2");
}

TEST_F(Causes, MakeNoFailureOfAWarningBesideAKnownOne) {
  clue("mcp.base.utf8").baselined = true;
  clue("mcp.base.utf8").severity = oracle::Severity::kWarn;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].verdict, Verdict::kWarn);
  EXPECT_FALSE(causes[0].baselined);
  EXPECT_EQ(causes[1].verdict, Verdict::kFail);
  EXPECT_TRUE(causes[1].baselined);
}

TEST_F(Causes, PutWhatIsBrokenBelowBeforeWhatLooksBrokenForIt) {
  Clue& text = clue("mcp.base.utf8");
  text.below = "mcp.content.text-string";
  clue("mcp.content.text-string").oracle = "shapes";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.content.text-string");
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2") << "the oracle's finding shows it";
}

TEST_F(Causes, LeaveAloneWhatNoOracleReported) {
  clue("mcp.base.utf8").below = "mcp.content.text-string";  // it did not come again
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.utf8");
}

TEST_F(Causes, KnowThatTheCanaryIsRefused) {
  for (const char* clause : {"mcp.base.utf8", "mcp.base.unknown-method", "json.valid.long-string"})
    about("ping", clause).came.code = "-32601";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.ping.result");
  EXPECT_EQ(causes[0].title, "ping is refused");

  clues_.canaries_answered = 1;  // it is served elsewhere
  EXPECT_THAT(found(), SizeIs(3));
}

TEST_F(Causes, KnowASessionIdThatWasNeverGiven) {
  for (const char* method : {"ping", "tools/list", "tools/call", "ping"}) {
    Clue& refused =
        about(method, std::string(method) == "ping" ? "mcp.base.utf8" : "mcp.ping.result");
    refused.came = {400, "-32600", "Mcp-Session-Id is required"};
  }
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.session-assigned");
  EXPECT_EQ(causes[0].level, "MUST") << "of what is broken by it";
  EXPECT_THAT(causes[0].sentence,
              HasSubstr("HTTP 400, error -32600 (“Mcp-Session-Id is required”)"));

  EXPECT_THAT(found("jsonrpc-2.0", wire::TransportKind::kHttp), SizeIs(2))
      << "where an error is the usual reply it is no refusal";
  for (Clue& refused : clues_.all) refused.trigger.names_session = true;
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].requirement, "mcp.ping.result");
  // Contact took the refusal for the usual reply.
  clues_.canary = spec::Canary{"rpcspec/nobody-has-this", json::null(), true};
  for (Clue& refused : clues_.all) refused.trigger.names_session = false;
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].requirement,
            "mcp.http.session-assigned");
  for (Clue& refused : clues_.all) refused.came.text = "Not now";
  EXPECT_NE(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].title,
            "Every request after the handshake is refused");
}

TEST_F(Causes, KnowARequestWithoutParamsThatIsRefused) {
  clues_.usual_error = -32601;
  Clue& bare = about("rpcspec/nobody-has-this", "jsonrpc.error.method-not-found-code");
  bare.came.code = "-32700";
  bare.came.message = true;
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.request.params-omitted");
  Clue& other = about("rpcspec/search", "lsp.requests.params-invalid");
  other.came = clues_.all.front().came;
  other.trigger.members["params.query"] = "7";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "which has params is another matter";
  clues_.all.pop_back();
  clues_.usual_error = -32700;
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Valid requests are answered with a parse error");
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.error.method-not-found-code");
  about("eth_sign", "openrpc.method.served").came = clues_.all.front().came;
  clues_.all.back().trigger.valid = true;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "with the right code it would not be served";
}

TEST_F(Causes, KnowALimitOnTheLengthOfMessages) {
  clues_.longest_survived = 900;
  about("ping", "json.limit.deep-nesting", Symptom::kEnd).trigger.bytes = 200000;
  about("ping", "mcp.stdio.long-line", Symptom::kEnd).trigger.bytes = 70000;
  about("ping", "mcp.ping.result", Symptom::kEnd).trigger.bytes = 70000;
  clues_.all[1].end = "exit 1";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.long-line");
  EXPECT_EQ(causes[0].sentence,
            "A message of 68 KiB ends it (exit 1); one of 900 bytes was answered");
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2") << "the smallest that kills";

  clues_.longest_survived = 300000;  // it is not the length
  EXPECT_NE(found()[0].title, "A long message ends the connection");
}

TEST_F(Causes, TellAMeasuredLength) {
  clues_.longest_survived = 900;
  for (int i = 0; i < 2; ++i)
    about("ping", "mcp.base.utf8", Symptom::kEnd).trigger.bytes = 70000 + i;
  clues_.length = LengthLimit{65536, 65537, "exit 1"};
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "Messages longer than 65536 bytes end the connection");
  EXPECT_EQ(causes[0].sentence,
            "Messages longer than 65536 bytes end the connection (exit 1), whatever they "
            "contain: tried with spaces in a ping");
  clues_.length = LengthLimit{60000, 70000, "exit 1"};  // there was no time for more
  EXPECT_EQ(found()[0].title, "Long messages end the connection");
  EXPECT_THAT(found()[0].sentence, HasSubstr("of 70000 bytes, but not those of 60000,"));
  clues_.length = LengthLimit{70000, 0, ""};  // those alone are answered
  EXPECT_THAT(found()[0].title, testing::Not(HasSubstr("ong")));
}

TEST_F(Causes, CountTheCasesInWhichAnOracleSawIt) {
  for (const char* clause : {"mcp.tools.call-result", "mcp.tools.call-result"}) clue(clause);
  for (const char* row : {"b/1", "b/2", "b/3"}) {
    Clue& seen = clue("mcp.tools.name-string");
    seen.ref.case_id = "oracle/shapes";
    seen.oracle = "shapes";
    seen.row = row;
  }
  results_.push_back(results_.back());
  results_.back().id = "oracle/shapes";
  EXPECT_EQ(found()[0].requirement, "mcp.tools.name-string");
}

TEST_F(Causes, ShowTheLevelOfTheClauseTheyCite) {
  Clue& batch = about("ping", "jsonrpc.batch.response-per-request");
  batch.severity = oracle::Severity::kWarn;
  EXPECT_EQ(found("jsonrpc-2.0")[0].level, "SHOULD");
}

TEST_F(Causes, KnowAReaderThatACallBlocks) {
  for (const char* clause : {"mcp.requester.survives-error-answer", "mcp.ping.result",
                             "mcp.base.client-response-malformed"})
    about("tools/call", clause, Symptom::kHang).busy = true;
  about("notifications/cancelled", "mcp.cancel.race-graceful", Symptom::kHang).waits_for_us = true;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.concurrent-requests");
}

TEST_F(Causes, TellTheCanaryOfAHangWithTheClauseOfItsCase) {
  Clue& own = about("tools/list", "mcp.base.utf8", Symptom::kHang);
  Clue canary = own;
  canary.requirement = "mcp.ping.result";
  clues_.all.push_back(canary);
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.utf8");
}

TEST_F(Causes, KnowThatTheCanaryIsNeverAnswered) {
  for (const char* method : {"tools/list", "prompts/list", "resources/list"})
    about(method, "mcp.ping.result", Symptom::kHang);
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "ping is not answered, or too late");
  for (int i = 0; i < 4; ++i) {  // elsewhere it is
    clue("mcp.base.utf8");
    clues_.all.pop_back();
    results_.back().verdict = Verdict::kPass;
  }
  EXPECT_EQ(found()[0].title, "After the request tools/list nothing more is answered");
}

// What several messages together bring about, a fresh process with the last of them does not show.
TEST_F(Causes, AttributeHangsThatDoNotRepeatToWhatBuildsUp) {
  for (const char* method : {"tools/list", "prompts/list", "resources/list"})
    about(method, "mcp.ping.result", Symptom::kHang).verdict = Verdict::kFlaky;
  about("prompts/get", "mcp.prompts.get-name-missing", Symptom::kHang);
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, kStopsAnswering);
  clues_.all.erase(clues_.all.begin());  // twice may be a busy machine
  EXPECT_NE(found()[0].title, causes[0].title);
}

TEST_F(Causes, AttributeNoHangToAMessageThatDoesNoHarmElsewhere) {
  clues_.survived = {"method=ping", "method=tools/list"};
  clues_.canaries_answered = 9;
  about("ping", "mcp.ping.result", Symptom::kHang);
  EXPECT_EQ(found()[0].title, kStopsAnswering);
  clues_.canaries_answered = 0;
  EXPECT_NE(found()[0].title, kStopsAnswering);
}

TEST_F(Causes, LayAHangToWhatWasSaidBeforeIt) {
  clues_.survived = {"method=ping", "method=tools/call"};
  about("ping", "mcp.ping.result", Symptom::kHang);
  results_.back().requirements = {"mcp.http.get-optional"};
  Clue& call = about("tools/call", "mcp.ping.result", Symptom::kHang);
  call.trigger.members["params.arguments"] = "\"text\"";
  results_.back().requirements = {"mcp.tools.call-arguments-not-object",
                                  "mcp.tools.call-survives-bad-arguments"};
  std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.tools.call-survives-bad-arguments");
  EXPECT_EQ(causes[0].title,
            "After the request tools/call whose params.arguments is \"text\" nothing more is "
            "answered");
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2") << "not the one that suffered from it";

  clues_.survived.insert("params.arguments=\"text\"");  // others said the same
  causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_TRUE(causes[0].by_clause);
}

TEST_F(Causes, LayHandshakesThatAreRefusedToTheClauseAboutThem) {
  const auto refused = [&](const std::string& requirement, const std::string& text) {
    Clue& out = about("initialize", requirement);
    out.came.code = "-32600";
    out.came.text = text;
  };
  refused("mcp.elicitation.empty-capability-allows-form", "Unrecognized field form");
  ASSERT_EQ(found()[0].title.find("initialize is refused"), std::string::npos);
  refused("mcp.lifecycle.client-capabilities-open", "Unrecognized field future");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.lifecycle.client-capabilities-open");
  EXPECT_THAT(causes[0].sentence, HasSubstr("initialize is refused with"));
  EXPECT_THAT(causes[0].sentence, HasSubstr("Unrecognized field future"));
}

TEST_F(Causes, LayAServerErrorForAllToWhatBroughtItAbout) {
  clues_.survived = {"method=tools/call"};
  for (int i = 0; i < 5; ++i) {  // it had been served
    clue("mcp.base.utf8");
    clues_.all.pop_back();
    results_.back().verdict = Verdict::kPass;
  }
  const auto refused = [&]() -> Clue& {
    Clue& hang = about("tools/call", "mcp.ping.result", Symptom::kHang);
    hang.came.status = 500;
    return hang;
  };
  refused().trigger.members["params.arguments"] = "{}";
  refused().trigger.members["params.arguments"] = "\"text\"";
  results_.back().requirements = {"mcp.tools.call-survives-bad-arguments"};
  Clue& answer = about("tools/list", "mcp.tools.list-result", Symptom::kAnswer);
  answer.came.status = 500;
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.tools.call-survives-bad-arguments");
  EXPECT_EQ(causes[0].title,
            "After the request tools/call whose params.arguments is \"text\" everything is "
            "answered with HTTP 500");
  EXPECT_THAT(causes[0].findings, SizeIs(3));
}

TEST_F(Causes, KnowIdsOfTheRequestBeforeThoughTheyLookLate) {
  for (int i = 0; i < 3; ++i) {
    IdTally& tally = clues_.ids[clue("mcp.base.unknown-method").ref.case_id];
    tally.altered[trace::Change::kPrevious] = 3;
    tally.kept_numbers = 20;
  }
  EXPECT_THAT(found()[0].sentence, HasSubstr("the id of the request before comes back"));
  clues_.ids.erase("a/1");
  clues_.ids.erase("a/2");
  EXPECT_FALSE(found()[0].by_clause) << "it is told of all replies in a row";
  clues_.ids.begin()->second.altered[trace::Change::kPrevious] = 2;  // twice is no rule
  EXPECT_TRUE(found()[0].by_clause);
}

TEST_F(Causes, KnowBytesBehindTheEndOfAnAnswer) {
  clue("mcp.base.utf8").garbled = "mcp.http.json-one-object";
  clue("mcp.base.unknown-method");
  Clue& extra = clue("mcp.http.json-one-object");
  extra.oracle = "http";
  extra.surplus = true;
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "An HTTP response is followed by extra bytes");
  EXPECT_THAT(causes[0].findings, SizeIs(2));
  extra.surplus = false;
  extra.unended = true;
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].title,
            "HTTP responses do not come to their end");
  extra.unended = false;  // a body that is no JSON
  EXPECT_TRUE(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].by_clause);
}

TEST_F(Causes, KnowALengthInCharacters) {
  for (const char* clause : {"json.valid.raw-utf8", "json.valid.noncharacters"})
    clue(clause).garbled = "json.output.grammar";
  Clue& stray = clue("json.output.grammar");
  stray.oracle = "stdout";
  stray.misframed = true;
  clues_.misframed_wide = 4;
  std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "Content-Length counts characters, not bytes");
  EXPECT_EQ(causes[0].requirement, "lsp.framing.length-bytes-out");
  clues_.misframed_ascii = 1;
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Content-Length is not the length of the message");
  clues_.all.back().misframed = false;  // text between messages
  EXPECT_TRUE(found("jsonrpc-2.0")[0].by_clause);
}

TEST_F(Causes, KnowThatNotificationsAreAnswered) {
  for (const char* clause : {"mcp.cancel.race-graceful", "mcp.base.notification-no-response",
                             "mcp.base.unknown-notification-ignored"}) {
    Clue& reply = about("notifications/cancelled", clause);
    reply.trigger.kind = wire::MessageKind::kNotification;
    reply.answered = true;
  }
  Clue& shape = clue("mcp.base.response-same-id");
  shape.oracle = "envelope";
  shape.row = "a/2";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.notification-no-response");
}

TEST_F(Causes, KnowWhatRequestsAreRefusedFor) {
  clues_.canaries_answered = 1;
  clues_.served = {"method=\"ping\"", "id=a number"};
  for (const char* clause : {"json.valid.string-escapes", "mcp.base.utf8",
                             "mcp.base.request-id.string-and-integer-accepted"}) {
    Clue& refused = about("ping", clause);
    refused.trigger.members["method"] = "\"ping\"";
    refused.came.code = "-32600";
    refused.trigger.members["id"] = "a string";
  }
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.request-id.string-and-integer-accepted");
  EXPECT_EQ(causes[0].title, "A request whose id is a string is refused");
  clues_.served.insert("id=a string");
  EXPECT_THAT(found(), SizeIs(3)) << "others with such an id are served";
}

TEST_F(Causes, KnowIdsOfOneKindThatAreRefusedAndLost) {
  clues_.canaries_answered = 1;
  clues_.served = {"method=\"ping\"", "id=a number"};
  for (int i = 0; i < 3; ++i) {
    Clue& refused = about("ping", "mcp.base.response-same-id");
    refused.trigger.members["id"] = "a string";
    refused.came.code = "-32600";
    IdTally& tally = clues_.ids[refused.ref.case_id];
    tally.altered[trace::Change::kLost] = tally.altered_by_errors = 1;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A request whose id is a string is refused");
  clues_.served.insert("id=a string");
  EXPECT_EQ(found()[0].title, "Errors do not carry the id of their request");
}

TEST_F(Causes, KnowWhatIsRefusedWithTheWrongError) {
  clues_.canaries_answered = 1;
  clues_.served = {"method=tools/list"};
  for (const char* clause :
       {"mcp.versioning.unsupported-version", "mcp.versioning.unsupported-version",
        "mcp.versioning.per-request-version", "mcp.stdio.process-not-a-session"}) {
    Clue& refused = about("tools/list", clause);
    refused.wants_error = true;
    refused.came.code = "-32600";
    refused.trigger.members["params.version"] = "\"1900\"";
  }
  const std::vector<Cause> causes = found("mcp-2026-07-28");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.versioning.unsupported-version");
  EXPECT_EQ(causes[0].title,
            "A request whose params.version is \"1900\" is refused with the wrong error");
  for (std::size_t i = 0; i < clues_.all.size(); ++i)
    clues_.all[i].trigger.members["params.version"] = std::to_string(i);
  EXPECT_TRUE(found("mcp-2026-07-28")[0].by_clause) << "no value says it of all";
}

TEST_F(Causes, LayInternalErrorsOfOneMethodToWhatIsSaidOfIt) {
  clues_.canaries_answered = 1;
  for (const char* clause : {"mcp.prompts.get-unknown-code", "mcp.prompts.get-unknown-code",
                             "mcp.errors.standard-codes", "mcp.prompts.get-name-missing"}) {
    Clue& refused = about("prompts/get", clause);
    refused.wants_error = true;
    refused.came.code = "-32603";
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.prompts.get-unknown-code");
  EXPECT_EQ(found()[0].title, "Invalid requests for prompts/get are refused as internal errors");
  clues_.all.back().trigger.method = "tools/call";
  EXPECT_EQ(found()[0].requirement, "mcp.errors.standard-codes");
}

TEST_F(Causes, LayWhateverPingIsAnsweredWithToPing) {
  for (const char* clause : {"mcp.ping.result", "mcp.ping.result", "mcp.ping.result",
                             "mcp.progress.token-type-preserved"}) {
    Clue& wrong = about("ping", clause);
    wrong.answered = wrong.came.message = true;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.ping.result");
  EXPECT_THAT(found()[0].findings, SizeIs(4));
}

TEST_F(Causes, KnowExchangesThatEndWithoutTheReply) {
  for (const char* clause :
       {"mcp.base.utf8", "mcp.http.event-id-unique", "mcp.http.no-broadcast"}) {
    Clue& empty = about("tools/call", clause);
    empty.came.status = 200;
    empty.answered = true;
  }
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.response-eventually");
  EXPECT_EQ(causes[0].title, "The answer to a POST ends without the response");
  for (CaseResult& result : results_) result.findings[0].came.came = oracle::BrokenOff{"timeout"};
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].title,
            "The answer to a POST stays open without the response");
  for (Clue& lines : clues_.all) lines.garbled = "mcp.http.json-one-object";
  EXPECT_NE(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].requirement,
            "mcp.http.response-eventually");
}

TEST_F(Causes, TellTheWrongCodeForUnknownMethodsOnce) {
  clues_.canaries_answered = 1;
  for (const char* clause : {"mcp.base.unknown-method", "jsonrpc.request.hostile-method-names"}) {
    Clue& wrong = about("no/such", clause);
    wrong.came.code = "-32603";
    wrong.answered = true;
  }
  about("tools/call", "mcp.errors.standard-codes").came.code = "-32603";  // of a method that is
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].requirement, "mcp.base.unknown-method");
  EXPECT_THAT(causes[0].findings, SizeIs(2));
}

TEST_F(Causes, ShowWhatFailsByAFailure) {
  for (const char* clause : {"mcp.errors.standard-codes", "mcp.tools.call-name-missing",
                             "mcp.resources.read-uri-missing", "mcp.errors.standard-codes"}) {
    Clue& wrong = about("tools/call", clause);
    wrong.came.code = "-32603";
    wrong.came.text = clause;
    wrong.came.message = wrong.answered = true;
    wrong.severity = oracle::Severity::kWarn;
  }
  clues_.all.back().severity = oracle::Severity::kFail;
  clues_.all.back().came.text = "this one";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].findings.front().case_id, "a/4");
  EXPECT_THAT(causes[0].sentence, HasSubstr("this one"));
}

TEST_F(Causes, AreOfEachResultAloneWhereNothingIsInCommon) {
  clue("mcp.base.utf8");
  clue("mcp.base.utf8");
  const CauseContext context{spec::own_registry(), *spec::find_profile("mcp-2025-11-25"),
                             wire::TransportKind::kStdio, results_};
  EXPECT_THAT(causes_by_result(context), SizeIs(2));
  EXPECT_THAT(causes_of(context), SizeIs(1));
}

TEST_F(Causes, DoNotDependOnTheOrderInWhichCasesEnd) {
  for (int i = 0; i < 4; ++i) clue("mcp.base.utf8");
  const std::vector<Cause> told = found();
  std::reverse(clues_.all.begin(), clues_.all.end());
  const std::vector<Cause> again = found();
  ASSERT_EQ(told[0].findings.size(), again[0].findings.size());
  for (std::size_t i = 0; i < told[0].findings.size(); ++i)
    EXPECT_EQ(told[0].findings[i].case_id, again[0].findings[i].case_id);
}

TEST_F(Causes, TellOnceThatResponsesHaveBothAResultAndAnError) {
  about("ping", "jsonrpc.response.no-null-error-on-success");
  about("ping", "jsonrpc.response.no-null-result-on-error");
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.response.not-both");
}

TEST_F(Causes, TellOnceHowAllBrokenTextIsTaken) {
  for (const char* clause :
       {"json.invalid.truncated", "json.invalid.bad-escape", "json.invalid.comments"}) {
    Clue& silent = clue(clause, Symptom::kSilence);
    silent.severity = oracle::Severity::kWarn;
    silent.trigger.seq = 1;
  }
  const std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "jsonrpc.error.parse-error-code");
  EXPECT_EQ(causes[0].title, "Text that is not JSON is not answered");
}

TEST_F(Causes, TellOnceOfWrongParamsThatGetOneCodeOfTheServersOwn) {
  for (const char* method : {"add", "echo"}) {
    Clue& wrong = about(method, "jsonrpc.error.invalid-params-code");
    wrong.answered = wrong.wants_error = true;
    wrong.came = {0, "500", std::string("no ") + method, true};
    results_.back().findings.front().wanted.codes = {-32602};
  }
  clues_.all.back().requirement = "jsonrpc.request.params-primitive";
  clues_.all.back().trigger.valid = false;
  clues_.served = {"method=\"echo\""};
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  clues_.all.back().came.code = "501";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2));
}

TEST_F(Causes, TellAMemberThatIsWrongInEachResponseApartFromTheIdOfParseErrors) {
  for (const char* clause : {"jsonrpc.id.null-on-parse-error", "json.invalid.comments",
                             "json.invalid.truncated", "jsonrpc.response.version-member"}) {
    Clue& refused = clue(clause);
    refused.trigger.seq = 1;
    refused.answered = true;
    refused.came = {0, "-32700", "Parse error", true};
  }
  clues_.all.back().oracle = "envelope";
  std::vector<std::string> cited;
  for (const Cause& cause : found("jsonrpc-2.0")) cited.push_back(cause.requirement);
  EXPECT_THAT(cited, testing::UnorderedElementsAre("jsonrpc.id.null-on-parse-error",
                                                   "jsonrpc.response.version-member"));
}

}  // namespace
}  // namespace harness::run
