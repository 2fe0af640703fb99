// SPDX-License-Identifier: Apache-2.0
// Several findings laid to what comes where it should not, and to what many inputs have in common.
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using wire::MessageKind;
using wire::TransportKind;

constexpr TransportKind kHttp = TransportKind::kHttp;

TEST_F(Causes, KnowErrorsThatLoseTheIdWhereResultsKeepIt) {
  for (int i = 0; i < 4; ++i) {
    IdTally& tally = clues_.ids[clue("mcp.base.unknown-method").ref.case_id];
    tally.altered[trace::Change::kLost] = tally.altered_by_errors = 2;
    tally.kept_numbers = 20;
  }
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.error-readable-id-required");
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.echo-on-error");
  for (auto& [id, tally] : clues_.ids) tally.kept_by_errors = 3;  // most keep it
  EXPECT_TRUE(found()[0].by_clause);
}

TEST_F(Causes, KnowThatWhatAcceptsANotificationHasABody) {
  for (const char* clause : {"mcp.base.notification-no-response", "mcp.http.notification-202",
                             "mcp.cancel.race-graceful"}) {
    Clue& note = about("notifications/progress", clause);
    note.trigger.kind = MessageKind::kNotification;
    note.answered = true;
    note.came = {202, "", "", false};
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.notification-202");
  for (Clue& note : clues_.all) note.came.status = 204;  // without a body
  for (CaseResult& result : results_) result.findings.front().wanted.statuses = {"202"};
  ASSERT_THAT(found("mcp-2025-11-25", kHttp), SizeIs(1));
  EXPECT_EQ(found("mcp-2025-11-25", kHttp)[0].title,
            "Accepted messages are answered with HTTP "
            "204");
  for (Clue& note : clues_.all) note.came.message = true;
  EXPECT_EQ(found("mcp-2025-11-25", kHttp)[0].requirement, "mcp.base.notification-no-response");
}

TEST_F(Causes, TellNotificationsAndResponsesAcceptedInOneWrongWayAsOne) {
  for (const char* clause : {"mcp.http.response-202", "mcp.http.notification-202"}) {
    clue(clause).came.status = 204;
    wanted("202");
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.notification-202");
  clues_.all[0].came.status = 200;  // in another way
  EXPECT_THAT(found("mcp-2025-11-25", kHttp), SizeIs(2));
}

TEST_F(Causes, KnowRequestsThatAreAnsweredLikeNotifications) {
  for (int i = 0; i < 3; ++i) {
    Clue& own = about("tools/call", "mcp.http.no-broadcast");
    own.came.status = 202;
    Clue canary = own;
    canary.requirement = "mcp.ping.result";
    canary.symptom = oracle::Symptom::kHang;
    clues_.all.push_back(canary);
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.request-content-type");
  EXPECT_THAT(causes[0].sentence, HasSubstr("HTTP 202"));
}

TEST_F(Causes, KnowAnUnknownMethodThatGetsNoResponse) {
  for (const char* clause : {"mcp.base.response-same-id", "mcp.base.unknown-method"}) {
    Clue& dropped = about("no/such/method", clause);
    dropped.answered = true;
    dropped.came.status = 202;
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.unknown-method");
  EXPECT_THAT(causes[0].sentence, HasSubstr("get no response: no/such/method"));
}

TEST_F(Causes, DoNotLayAnErrorWithoutItsIdToItsCode) {
  about("no/such", "mcp.base.unknown-method").came.code = "-32601";
  EXPECT_TRUE(found()[0].by_clause);
}

TEST_F(Causes, TellInputsThatAreAllTakenAsOne) {
  clue("mcp.tools.call-enum-violation");
  EXPECT_EQ(found()[0].requirement, "mcp.tools.call-enum-violation");
  clue("mcp.tools.call-wrong-type-argument");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.tools.call-validates-input");
}

TEST_F(Causes, LayRequestsThatWereNotDeclaredToWhatWasNegotiated) {
  Clue& asked = clue("mcp.roots.needs-capability");
  EXPECT_EQ(found()[0].requirement, "mcp.roots.needs-capability") << "something else came";
  asked.asks_client = true;
  EXPECT_EQ(found()[0].requirement, "mcp.lifecycle.only-negotiated-capabilities-strict");
  EXPECT_EQ(found()[0].title, "The server asks a client for what it did not declare");
}

TEST_F(Causes, KnowAFeatureThatIsDeclaredAndNotServed) {
  for (const char* method : {"prompts/get", "prompts/list"})
    about(method, "mcp.prompts.list-params-optional").came.code = "-32601";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.prompts.list-answered");
  clues_.served.insert("method=\"prompts/list\"");
  EXPECT_NE(found()[0].requirement, "mcp.prompts.list-answered") << "it is served now and then";
}

TEST_F(Causes, KnowCompletionsThatAreDeclaredAndNotServed) {
  for (const char* clause :
       {"mcp.completion.ref-prompt-accepted", "mcp.completion.empty-value-accepted"})
    about("completion/complete", clause).came.code = "-32601";
  Clue& wrong = about("completion/complete", "mcp.completion.unknown-prompt");
  wrong.came.code = "-32601";
  wrong.wants_error = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "completions are declared but not served");
  clues_.all.erase(clues_.all.begin(), clues_.all.begin() + 2);
  EXPECT_EQ(found()[0].requirement, "mcp.completion.unknown-prompt") << "an error is due there";
}

TEST_F(Causes, KnowThatOnlyTheFirstMessageOfAReadIsServed) {
  for (const char* method : {"tools/list", "prompts/list", "resources/list"})
    about(method, "mcp.ping.result", oracle::Symptom::kHang).crowded = true;
  clues_.canaries_answered = 2;
  EXPECT_EQ(found()[0].requirement, "mcp.stdio.coalesced-input");
  clues_.crowded_answered = 1;
  EXPECT_EQ(found()[0].requirement, "mcp.ping.prompt");
}

TEST_F(Causes, PutAClauseBeforeWhatCannotHoldWithoutIt) {
  clue("mcp.progress.concurrent-tokens");
  EXPECT_EQ(found()[0].requirement, "mcp.progress.concurrent-tokens");
  clue("mcp.progress.increasing").oracle = "progress";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.progress.increasing");
  EXPECT_EQ(causes[0].findings[0].case_id, "a/2");
}

TEST_F(Causes, LayProgressThatShrinksToTheTokensOfSeveralCalls) {
  clue("mcp.progress.concurrent-tokens");
  clue("mcp.progress.increasing").oracle = "progress";
  clues_.shrinks_among = 1;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.progress.concurrent-tokens");
  clues_.shrinks_alone = 2;
  EXPECT_EQ(found()[0].requirement, "mcp.progress.increasing");
}

TEST_F(Causes, DoNotLayASilenceToAnIdWhereOthersAreMetWithIt) {
  about("ping", "mcp.base.utf8", oracle::Symptom::kSilence).trigger.members[kIdValue] = "0";
  EXPECT_THAT(found()[0].sentence, HasSubstr("whose id is 0"));
  about("ping", "mcp.base.utf8", oracle::Symptom::kSilence).oracle = "model";
  EXPECT_THAT(found()[0].sentence, testing::Not(HasSubstr("whose id is 0")));
}

TEST_F(Causes, KnowAnIdThatComesBackAsAnother) {
  for (const char* oracle : {"", "replies"}) {
    Clue& altered = about("none", "jsonrpc.id.echo-on-error");
    altered.oracle = oracle;
    altered.answered = true;
    altered.trigger.members[kIdValue] = "\"\"";
  }
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.empty-string-echo");
  Clue& missed = about("none", "jsonrpc.error.method-not-found-code", oracle::Symptom::kSilence);
  missed.oracle = "model";
  missed.trigger.members[kIdValue] = "\"\"";
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1)) << "what comes under another id is no silence";
  EXPECT_THAT(found("jsonrpc-2.0")[0].title, HasSubstr("is answered with another id"));
  clues_.all.back().oracle = "";
  EXPECT_THAT(found("jsonrpc-2.0")[0].title, HasSubstr("is not answered under its id"));
  EXPECT_EQ(found("lsp")[0].requirement, "lsp.requests.id-string");
  clues_.all.pop_back();
  clue("jsonrpc.id.empty-string-echo");
  clues_.all.pop_back();
  results_.back().verdict = Verdict::kPass;
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.echo-on-error") << "results keep it";
  results_.back().verdict = Verdict::kFail;
  about("none", "jsonrpc.id.echo-on-error");  // so it does not depend on the id
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.echo-on-error");
}

TEST_F(Causes, LayWhatFollowsFromABrokenClauseToThat) {
  const std::pair<const char*, const char*> rows[] = {
      {"json.output.no-lone-surrogates", "mcp.base.utf8"},
      {"mcp.completion.ref-resource-accepted", "mcp.completion.missing-params"},
      {"mcp.completion.ref-prompt-accepted", "mcp.completion.argument-value-not-string"},
      {"jsonrpc.id.invalid-type", "mcp.base.request-id.not-string-or-integer"},
      {"mcp.capabilities.tools-object", "mcp.lifecycle.capabilities-shape"},
      {"mcp.lifecycle.version-negotiation-fallback", "mcp.lifecycle.version-not-modern"}};
  for (const auto& [broken, follows] : rows) {
    clues_.all.clear();
    clue(follows);
    EXPECT_EQ(found()[0].requirement, follows);
    clue(broken);
    ASSERT_THAT(found(), SizeIs(1));
    EXPECT_EQ(found()[0].requirement, broken);
  }
}

TEST_F(Causes, TakeTheUsualErrorForNoRefusalOfABatch) {
  for (const char* clause : {"jsonrpc.batch.array-response", "jsonrpc.batch.response-per-request",
                             "jsonrpc.batch.large", "jsonrpc.batch.invalid-elements"}) {
    Clue& single = clue(clause);
    single.trigger.seq = 1;
    single.trigger.kind = wire::MessageKind::kBatch;
    single.answered = single.came.message = true;
    single.came.code = "-32601";
  }
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_THAT(found("jsonrpc-2.0")[0].title, HasSubstr("not answered by an array"));
  for (Clue& clue : clues_.all) clue.came.code = "-32000";
  EXPECT_THAT(found("jsonrpc-2.0")[0].title, HasSubstr("Batches are refused"));
}

TEST_F(Causes, KnowACursorThatIsNotTakenAgain) {
  clue("mcp.pagination.cursor-accepted");
  Clue& list = about("tools/list", "mcp.tools.list-result-tools-array");
  list.came.code = "-32602";
  list.trigger.members["params.cursor"] = "\"next\"";
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.pagination.cursor-accepted");
  list.trigger.members.erase("params.cursor");
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, KnowARequestForInputThatSaysItIsComplete) {
  clue("mcp.tools.call-result-content-array").asks_as_complete = true;
  EXPECT_EQ(found("mcp-2026-07-28")[0].requirement, "mcp.input-required.result-type");
  EXPECT_EQ(found()[0].requirement, "mcp.tools.call-result-content-array");
}

TEST_F(Causes, KnowSubscriptionsThatAreNeverAcknowledged) {
  for (const char* clause :
       {"mcp.listen.ack-subset", "mcp.listen.cancel-stdio", "mcp.listen.supported"})
    clue(clause).lacks_acknowledgment = true;
  const std::vector<Cause> causes = found("mcp-2026-07-28");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.listen.ack-first");
}

TEST_F(Causes, KnowAGetThatGivesNeitherStreamNor405) {
  for (const char* clause : {"mcp.http.no-broadcast", "mcp.http.single-endpoint"}) {
    Clue& get = clue(clause);
    get.wants_stream = true;
    get.came.status = 404;
  }
  const std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.get-stream-or-405");
}

TEST_F(Causes, LayMessagesThatAreCutToWhereLinesEnd) {
  about("ping", "mcp.base.response-same-id").came.code = "-32700";
  about("ping", "mcp.stdio.only-lf-delimits").came.code = "-32700";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.only-lf-delimits");
}

TEST_F(Causes, KnowThatOnlyTheFirstRequestIsAskedForCredentials) {
  for (const char* method : {"tools/list", "resources/list", "ping"})
    about(method, "mcp.auth.401-all-methods").came = {200, "", "", true};
  clue("mcp.auth.401-invalid-token");
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.auth.401-all-methods");
  clues_.all[0].trigger.method = "ping";  // two methods alone
  EXPECT_EQ(found("mcp-2025-11-25", kHttp)[0].requirement, "mcp.auth.401-invalid-token");
}

TEST_F(Causes, TellOnceOfObjectsWithoutAMethodThatGetNoResponse) {
  for (const char* clause :
       {"jsonrpc.message.empty-object", "jsonrpc.error.invalid-request-code"}) {
    Clue& out = clue(clause, oracle::Symptom::kSilence);
    out.trigger.seq = 1;
    out.trigger.is_json = true;
    out.trigger.flaw = "a message without a method";
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "jsonrpc.message.empty-object");
  clues_.all.back().garbled = "mcp.stdio.stdout-only-messages";
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, NameTheKindsOfTextThatAreServed) {
  const auto served = [&](const char* clause) {
    Clue& out = clue(clause);
    out.trigger.seq = 1;
    out.answered = out.came.message = true;
    out.severity = oracle::Severity::kWarn;
  };
  served("json.invalid.comments");
  served("json.invalid.single-quotes");
  EXPECT_THAT(found(), SizeIs(2));
  served("json.invalid.nan-infinity");
  clues_.all.back().came.code = "-32601";  // its method was looked up
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "jsonrpc.error.parse-error-code");
  EXPECT_EQ(found()[0].sentence, "Seen with comments, nan infinity, single quotes");
  for (const char* clause : {"json.invalid.truncated", "json.invalid.hex-number",
                             "json.invalid.raw-nul", "json.invalid.leading-zero"}) {
    clue(clause);
    clues_.all.pop_back();
    results_.back().verdict = Verdict::kPass;
  }
  ASSERT_THAT(found(), SizeIs(1)) << "more is refused than served";
  EXPECT_EQ(found()[0].title, "Some text that is not JSON is served");
  EXPECT_THAT(found()[0].requirement, testing::StartsWith("json.invalid."));
}

TEST_F(Causes, TellOnceThatNobodyLooksAtTheVersion) {
  for (const char* clause :
       {"jsonrpc.request.version-missing", "jsonrpc.request.version-wrong-type",
        "jsonrpc.request.version-wrong-value"}) {
    Clue& taken = about("ping", clause);
    taken.trigger.valid = false;
    taken.answered = taken.came.message = taken.wants_error = true;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "`jsonrpc` is not checked");
  EXPECT_EQ(found()[0].requirement, "jsonrpc.request.version-missing");
  for (Clue& clue : clues_.all) clue.came.code = "-32603";  // refused, though in a wrong way
  EXPECT_NE(found()[0].title, "`jsonrpc` is not checked");
}

TEST_F(Causes, TellAMissingServerInfoOnce) {
  for (const char* clause : {"mcp.lifecycle.server-info-shape", "mcp.lifecycle.server-info-title",
                             "mcp.lifecycle.initialize-result"})
    clue(clause);
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.lifecycle.initialize-result");
}

TEST_F(Causes, LaySilenceToWhatNobodyHasToTheMethod) {
  clues_.canaries_answered = 1;
  clues_.served = {"method=\"tools/list\""};
  about("no/such", "mcp.base.response-same-id", oracle::Symptom::kSilence);
  about("no/such", "jsonrpc.id.zero-echo", oracle::Symptom::kSilence).trigger.members[kIdValue] =
      "0";
  about("ping", "mcp.ping.result", oracle::Symptom::kSilence);  // nor is that served
  clues_.canary = spec::Canary{"tools/list", json::null()};
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.unknown-method");
  EXPECT_EQ(causes[0].sentence, "Unknown methods get no response: no/such, ping");
  clue("mcp.base.unknown-method");  // others are refused
  clues_.all.pop_back();
  results_.back().verdict = Verdict::kPass;
  EXPECT_NE(found()[0].title, "A method that does not exist gets no response");
  results_.back().verdict = Verdict::kFail;
  clues_.all.erase(clues_.all.begin());  // it may be the id
  EXPECT_NE(found()[0].title, "A method that does not exist gets no response");
}

TEST_F(Causes, DoNotLayARefusalOfOneInputToItsMethod) {
  Clue& number = about("no/such", "json.valid.number-forms");
  number.came.code = "-32700";
  number.answered = true;
  results_.back().findings.front().wanted.codes = {-32601};
  EXPECT_TRUE(found()[0].by_clause);
}

TEST_F(Causes, TakeAMethodThatWasToGiveAResultForKnown) {
  about("subtract", "jsonrpc.request.params-omitted", oracle::Symptom::kSilence);
  results_.back().findings.front().wanted.result = true;
  EXPECT_TRUE(found()[0].by_clause);
}

TEST_F(Causes, KnowAnUnknownMethodThatGetsAResult) {
  for (const char* clause : {"mcp.base.unknown-method", "mcp.logging.set-level-undeclared"}) {
    Clue& served = about("no/such", clause);
    served.answered = served.came.message = served.wants_error = true;
    results_.back().findings.front().wanted.codes = {-32601};
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A method that does not exist is answered with a result");
  clues_.all[0].wants_error = false;  // what is wrong is something in the result
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, LayWhatComesForAnUnknownMethodToItWhereMoreIsServedSo) {
  Clue& unknown = about("no/such", "mcp.base.unknown-method");
  unknown.answered = unknown.came.message = unknown.wants_error = true;
  unknown.came.result = "{}";
  clues_.served.insert("method=\"no/such\"");  // in another case
  Clue& empty = about("prompts/list", "mcp.prompts.list-result-prompts-array");
  empty.oracle = "shapes";
  empty.answered = empty.came.message = true;
  empty.came.result = "{}";
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.base.unknown-method");
  clues_.all[1].came.result = R"({"prompts":{}})";
  EXPECT_THAT(found(), SizeIs(2)) << "another result";
}

TEST_F(Causes, LeaveToLostIdsOnlyWhatIsRightButForThem) {
  lose_ids_of_errors(-32601);
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  results_.back().findings.front().wanted.codes = {-32602};
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "its code is wrong, too";
}

TEST_F(Causes, PutAnUnaskedChangeBeforeTheTagItLacks) {
  clue("mcp.listen.subscription-id-tag").oracle = "shapes";
  clue("mcp.prompts.list-changed-needs-listen").oracle = "server-notifications";
  std::vector<Cause> causes = found("mcp-2026-07-28");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.prompts.list-changed-needs-listen");
}

TEST_F(Causes, KnowRepliesThatAreHeldBack) {
  for (int i = 0; i < 3; ++i)
    about("tools/call", "mcp.sampling.stop-reason-open", oracle::Symptom::kSilence).held_back =
        true;
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.flush");
  clues_.all[0].held_back = false;  // a few may be late
  EXPECT_EQ(found()[0].requirement, "mcp.sampling.stop-reason-open");
}

TEST_F(Causes, LayAnItemThatIsListedTwiceToItsName) {
  clue("mcp.pagination.cursor-continues");
  clue("mcp.tools.name-unique").oracle = "features";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.tools.name-unique");
}

TEST_F(Causes, LayItemsOfSeveralListsToThePagesThatOverlap) {
  clue("mcp.tools.name-unique");
  clue("mcp.pagination.cursor-continues").row = "tools";
  EXPECT_EQ(found()[0].requirement, "mcp.tools.name-unique");
  clue("mcp.pagination.cursor-continues").row = "prompts";
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.pagination.cursor-continues");
}

TEST_F(Causes, KnowThatOddCursorsAreNoPagesThatOverlap) {
  for (const char* list : {"tools", "prompts"}) {
    clue("mcp.pagination.cursor-not-string").row = list;
    clue("mcp.pagination.invalid-cursor").row = list;
  }
  for (const Cause& cause : found()) EXPECT_NE(cause.title, "Pages of a list overlap");
}

TEST_F(Causes, LayASilenceToTextThatAllOfItFollows) {
  for (int i = 0; i < 3; ++i) clue("mcp.ping.result", oracle::Symptom::kHang).trigger.seq = 1;
  EXPECT_EQ(found()[0].requirement, "mcp.ping.prompt") << "nothing was ever answered";
  clues_.canaries_answered = 1;
  EXPECT_EQ(found()[0].requirement, "mcp.stdio.invalid-line-survival");
}

TEST_F(Causes, KnowWrongRequestsThatAreRefusedAsInternalErrors) {
  clues_.canaries_answered = 1;
  for (const char* clause :
       {"mcp.base.params-object-only", "mcp.errors.standard-codes", "mcp.prompts.get-name-missing"})
    about("prompts/get", clause).came.code = "-32603";
  clues_.all.back().trigger.method = "tools/call";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.errors.standard-codes");
}

TEST_F(Causes, DoNotSpeakOfAllInvalidMessagesForOneCase) {
  for (const char* clause : {"jsonrpc.request.method-not-string", "jsonrpc.id.invalid-type",
                             "jsonrpc.request.params-primitive"}) {
    Clue& silent = clue(clause, oracle::Symptom::kSilence);
    silent.trigger.seq = 1;
    silent.trigger.is_json = true;
    silent.oracle = "model";
  }
  clues_.all[0].oracle = "";
  EXPECT_TRUE(found("jsonrpc-2.0")[0].by_clause);
  clues_.all[1].oracle = "";
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.error.invalid-request-code");
}

TEST_F(Causes, TellASilenceInOneCaseByThatCase) {
  const std::string own =
      about("ping", "jsonrpc.id.type-distinct-inflight", oracle::Symptom::kSilence).ref.case_id;
  Clue& model = about("ping", "mcp.ping.result", oracle::Symptom::kSilence);
  model.oracle = "model";
  model.row = own;
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "jsonrpc.id.type-distinct-inflight");
  clue("mcp.ping.result").oracle = "model";  // in another case, too
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, TellAnIdThatIsWrongInOneCaseByThatCase) {
  clue("json.valid.nul-escape").severity = oracle::Severity::kWarn;
  Clue& id = clue("mcp.base.response-same-id");
  id.oracle = "replies";
  id.row = "a/1";
  std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "json.valid.nul-escape");
  EXPECT_EQ(causes[0].verdict, Verdict::kFail);
  for (const char* clause :
       {"json.invalid.raw-nul", "json.invalid.comments", "json.invalid.truncated"}) {
    Clue& text = clue(clause);
    text.severity = oracle::Severity::kWarn;
    text.trigger.seq = 1;
    text.answered = text.came.message = true;
  }
  clues_.all[1].row = clues_.all.back().ref.case_id;
  for (const Cause& cause : found())
    EXPECT_EQ(cause.verdict,
              cause.requirement == "json.valid.nul-escape" ? Verdict::kWarn : Verdict::kFail)
        << "what has its cause already gets the id, too";
  clues_.all.resize(2);
  clues_.all[1].row = "a/1";
  Clue other = clues_.all[1];
  other.row = "a/9";  // and elsewhere
  clues_.all.push_back(other);
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, TellAHandshakeOfTheRevisionBeforeOneThatSaysMore) {
  for (const char* clause :
       {"mcp.lifecycle.client-capabilities-open", "mcp.lifecycle.version-supported-echo"})
    about("initialize", clause).came.code = "-32600";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.lifecycle.version-supported-echo");
}

TEST_F(Causes, TellWhatAnOracleSaysOfAMessageWithItsCase) {
  Clue& own = about("none", "jsonrpc.request.hostile-method-names");
  own.below = "mcp.base.result-or-error";
  const std::string row = own.ref.case_id;
  clue("mcp.base.result-or-error").oracle = "envelope";
  Clue& seen = about("none", "mcp.base.unknown-method", oracle::Symptom::kSilence);
  seen.oracle = "model";
  seen.row = row;
  ASSERT_THAT(found(), SizeIs(1)) << "it is the same message";
  EXPECT_EQ(found()[0].requirement, "mcp.base.result-or-error");
  clues_.all[0].severity = oracle::Severity::kWarn;
  clues_.all[0].below.clear();
  EXPECT_THAT(found(), SizeIs(3)) << "what fails is no part of what warns";
  clues_.all[0].severity = oracle::Severity::kFail;
  clues_.all.back().trigger.members["params.a"] = "1";
  EXPECT_THAT(found(), SizeIs(3)) << "it is of another message";
}

TEST_F(Causes, TellWhatIsWrongWithAResultThatShouldNotHaveComeWithItsCase) {
  Clue& own = about("initialize", "mcp.lifecycle.version-wrong-type");
  own.wants_error = own.answered = own.came.message = true;
  Clue& shape = about("initialize", "mcp.lifecycle.initialize-result");
  shape.oracle = "shapes";
  shape.row = clues_.all[0].ref.case_id;
  EXPECT_THAT(found(), SizeIs(1));
  clues_.all[0].wants_error = false;
  EXPECT_THAT(found(), SizeIs(2)) << "a result is due";
}

TEST_F(Causes, TellFewTextsThatMeetWithSomethingElseWithAllOthers) {
  const auto text = [&](const char* clause) -> Clue& {
    Clue& out = clue(clause);
    out.trigger.seq = 1;
    out.answered = out.came.message = true;
    results_.back().findings.front().came.unnamed = true;
    return out;
  };
  for (const char* clause : {"json.invalid.bad-escape", "json.invalid.comments",
                             "json.invalid.truncated", "json.invalid.empty-text"})
    text(clause);
  for (const char* clause : {"json.invalid.mismatched-brackets", "json.invalid.hex-number"})
    text(clause).came.code = "-32601";
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Text that is not JSON is served");
  for (const char* clause : {"json.invalid.raw-nul", "json.invalid.leading-plus"})
    text(clause).came.code = "-32601";
  const std::vector<Cause> both = found("jsonrpc-2.0");
  ASSERT_THAT(both, SizeIs(2)) << "as many as are served";
  clues_.all[0].garbled = "json.output.grammar";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(3)) << "what came for it is not JSON";
}

TEST_F(Causes, TellWhatComesForAnyMethodAsOne) {
  about("no/such", "mcp.base.unknown-method").came.result = "{}";
  about("tools/list", "mcp.tools.list-result-tools-array").came.result = "{}";
  about("prompts/list", "mcp.prompts.list-result-prompts-array").came.result = "{\"a\":1}";
  for (Clue& one : clues_.all) one.answered = one.came.message = true;
  clues_.all[0].wants_error = true;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].findings.size() + causes[1].findings.size(), 3u);
  EXPECT_EQ(causes[1].requirement, "mcp.base.unknown-method");
  EXPECT_EQ(causes[1].findings.size(), 2u);
}

TEST_F(Causes, TellAnAnsweredResponseAsThat) {
  clue("mcp.base.response-same-id").oracle = "replies";
  EXPECT_NE(found()[0].title, "Responses of the client are answered");
  results_.back().findings.front().flaw = "to a response";
  clue("mcp.base.unexpected-response-ignored");
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Responses of the client are answered");
}

TEST_F(Causes, TellACallThatNamesNothingKnownWithUnknownMethods) {
  for (const char* method : {"no/such", "tools/call"}) {
    Clue& silent = about(method, "mcp.base.unknown-method", oracle::Symptom::kSilence);
    silent.wants_error = true;
  }
  clues_.all[1].requirement = "mcp.tools.call-unknown-tool";
  clues_.all[1].trigger.members["params.name"] = "\"x\"";
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_THAT(found()[0].sentence, HasSubstr("no/such, tools/call"));
  clues_.served.insert("method=\"tools/call\"");
  clues_.served.insert("params.name=\"x\"");
  EXPECT_THAT(found(), SizeIs(2)) << "the tool is there: it is its arguments";
}

TEST_F(Causes, TellASecondResponseAsThat) {
  clue("mcp.base.jsonrpc-conformance").oracle = "replies";
  EXPECT_NE(found()[0].title, "A request is answered more than once");
  results_.back().findings.front().flaw = "again";
  EXPECT_EQ(found()[0].title, "A request is answered more than once");
}

}  // namespace
}  // namespace harness::run
