// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST_F(Causes, TellErrorsWithoutACodeBeforeWhatTheyRefuse) {
  for (const char* clause : {"json.invalid.bad-escape", "jsonrpc.message.primitive-top-level",
                             "jsonrpc.error.parse-error-code"}) {
    Clue& bad = clue(clause);
    bad.trigger.seq = 1;
    bad.trigger.bytes = 9;
    bad.answered = true;
    bad.came.text = "Expecting value";
  }
  about("tools/list", "mcp.tools.list-answered").came.text = "no such list";
  clues_.all.back().answered = true;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2)) << "a sound request that is refused is another matter";
  EXPECT_EQ(causes[0].requirement, "mcp.base.error-code-and-message");
  EXPECT_THAT(causes[0].findings, SizeIs(3));
  EXPECT_THAT(causes[0].sentence, HasSubstr("Expecting value"));
  for (Clue& one : clues_.all) one.came.code = "-32700";
  EXPECT_THAT(found()[0].sentence, Not(HasSubstr("Expecting value"))) << "there is a code";
  for (Clue& one : clues_.all) one.came.code = "", one.trigger.bytes = 0;
  EXPECT_THAT(found()[0].sentence, Not(HasSubstr("Expecting value"))) << "there is no message";
}

TEST_F(Causes, TellOnceOfOneCodeForAllThatIsWrongWithAFamilyOfMethods) {
  clues_.canaries_answered = 1;
  for (const char* method : {"tasks/get", "tasks/cancel", "resources/read"}) {
    const bool task = std::string_view(method).starts_with("tasks/");
    Clue& refused =
        about(method, !task                                ? "mcp.resources.read-uri-missing"
                      : method == std::string("tasks/get") ? "mcp.tasks.get-unknown"
                                                           : "mcp.tasks.cancel-unknown");
    refused.answered = refused.wants_error = true;
    refused.came = {.code = "-32001", .text = "no such thing", .message = true};
    results_.back().findings.front().wanted.codes = {-32602};
  }
  const auto with = [&](const char* words) {
    return std::count_if(causes_.begin(), causes_.end(), [&](const Cause& cause) {
      return cause.sentence.find(words) != std::string::npos;
    });
  };
  causes_ = found();
  ASSERT_THAT(causes_, SizeIs(2)) << "what is wrong with a resource is another matter";
  EXPECT_EQ(with("Where another error is due, error -32001 (“no such thing”) comes: tasks/cancel, "
                 "tasks/get"),
            1);
  clues_.all[1].came.code = "\"-32001\"";
  causes_ = found();
  EXPECT_THAT(causes_, SizeIs(3)) << "no code at all";
  clues_.all[1].came.code = "-32001";
  clues_.all[1].came.text = "no such task";
  causes_ = found();
  EXPECT_THAT(causes_, SizeIs(3)) << "with other words";
  for (Clue& one : clues_.all) one.came.code = "-32602";
  causes_ = found();
  EXPECT_EQ(with("Where another"), 0) << "it is the right one";
}

TEST_F(Causes, LayToAResultThatIsNoObjectWhatElseIsSaidOfIt) {
  for (const char* clause : {"mcp.base.result-is-object", "mcp.resources.read-validates-uri",
                             "mcp.resources.read-unknown-error"}) {
    Clue& nothing = about("resources/read", clause);
    nothing.answered = nothing.came.message = true;
    nothing.came.result = "null";
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.base.result-is-object");
  clues_.all[1].came.result = "{}";
  EXPECT_THAT(found(), SizeIs(2)) << "another result";
  clues_.all[1].came.result = "null";
  clues_.all[2].trigger.method = "prompts/get";
  EXPECT_THAT(found(), SizeIs(2)) << "of another request";
}

TEST_F(Causes, TellOfAFewErrorsThatLoseTheirId) {
  Clue& lost = about("tools/call", "mcp.tools.call-result-content-array");
  lost.answered = lost.altered = lost.came.message = true;
  lost.came.code = "-32603";
  EXPECT_NE(found()[0].title, "Some errors do not carry the id of their request") << "all do so";
  clues_.ids["a/2"].kept_by_errors = 1;
  EXPECT_EQ(found()[0].requirement, "mcp.base.error-readable-id-required");
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "jsonrpc.id.echo-on-error");
  lost.altered = false;
  EXPECT_EQ(found()[0].requirement, "mcp.tools.call-result-content-array");
  results_.front().findings.front().came.unnamed = true;
  EXPECT_EQ(found()[0].requirement, "mcp.base.error-readable-id-required") << "over HTTP";
  lost.came.code = "-32700";
  EXPECT_EQ(found()[0].requirement, "mcp.tools.call-result-content-array") << "it was not read";
}

TEST_F(Causes, LayLongMessagesThatAreCutToTheirLength) {
  for (const char* clause : {"json.valid.long-string", "jsonrpc.error.method-not-found-code"}) {
    Clue& cut = about("no/such", clause);
    cut.answered = cut.wants_error = true;
    cut.came.code = "-32700";
    cut.trigger.bytes = 300000;
  }
  ASSERT_THAT(found("mcp-2025-11-25", wire::TransportKind::kHttp), SizeIs(1));
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].requirement,
            "json.valid.long-string");
  for (Clue& cut : clues_.all) cut.trigger.bytes = 60;
  EXPECT_NE(found("mcp-2025-11-25", wire::TransportKind::kHttp)[0].title,
            "Long messages are refused as invalid JSON");
}

TEST_F(Causes, TellMessagesWithoutAnAnswerByTheStatusThatCame) {
  for (const char* clause : {"jsonrpc.message.empty-object", "jsonrpc.request.method-missing",
                             "jsonrpc.message.primitive-top-level"}) {
    Clue& bad = clue(clause);
    bad.trigger.seq = 1;
    bad.trigger.is_json = true;
    bad.answered = true;
    bad.came.status = 204;
  }
  clue("jsonrpc.message.empty-object", oracle::Symptom::kSilence).oracle = "model";
  clues_.all.back().trigger = clues_.all[0].trigger;
  clues_.all.back().came.status = 204;
  clue("jsonrpc.message.empty-object").trigger = clues_.all[0].trigger;
  clues_.all.back().trigger.kind = wire::MessageKind::kBatch;
  clues_.all.back().answered = true;
  clues_.all.back().came.status = 204;
  const auto told = [&] { return found("jsonrpc-2.0", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "JSON that is not a valid message is answered with HTTP 204");
  clues_.all.back().requirement = "jsonrpc.batch.response-per-request";
  EXPECT_THAT(told(), SizeIs(2)) << "a batch that breaks its own clause";
}

TEST_F(Causes, KnowAListThatIsAlwaysRefusedThoughItIsDeclared) {
  for (const char* clause : {"mcp.tools.list-result-tools-array", "mcp.tools.list-answered",
                             "mcp.tools.list-params-optional"})
    about("tools/list", clause).came.code = "-32603";
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "tools/list is always refused");
  Clue& due = about("tools/list", "mcp.errors.standard-codes");
  due.came.code = "-32603";
  due.came.text = "expected a string";
  due.wants_error = true;
  EXPECT_THAT(found(), SizeIs(2)) << "a refusal that is due, with other words";
  clues_.served.insert("method=\"tools/list\"");
  EXPECT_NE(found()[0].title, "tools/list is always refused") << "it is served now and then";
}

TEST_F(Causes, KnowAMethodThatIsNeverAnswered) {
  for (const char* clause :
       {"mcp.tools.call-result-content-array", "mcp.base.utf8", "mcp.stdio.long-output-line"})
    about("tools/call", clause, oracle::Symptom::kSilence);
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "The request tools/call gets no response");
  clues_.served.insert("method=\"tools/call\"");
  EXPECT_NE(found()[0].title, "The request tools/call gets no response") << "it is, now and then";
}

TEST_F(Causes, KnowErrorsInsideResults) {
  for (const char* clause :
       {"mcp.base.unknown-method", "mcp.errors.standard-codes", "mcp.resources.read-validates-uri"})
    about("no/such", clause).came.error_inside = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Errors are sent as results");
}

TEST_F(Causes, KnowOneCodeForAllErrors) {
  clues_.canaries_answered = 1;
  for (const std::int64_t due : {-32601, -32602, -32600}) {
    Clue& refused = about(due == -32601 ? "no/such" : "ping", "mcp.errors.standard-codes");
    refused.came.code = "500";
    refused.answered = refused.wants_error = true;
    oracle::Wanted& wanted = results_.back().findings.front().wanted;
    wanted.error = true;
    wanted.codes = {due};
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Every error has the same code");
  clues_.usual_error = -32601;
  EXPECT_NE(found()[0].title, "Every error has the same code") << "read well, it has its own";
  clues_.usual_error.reset();
  results_[1].findings.front().wanted.codes = {-32700};
  EXPECT_NE(found()[0].title, "Every error has the same code") << "wrong params may have theirs";
  results_[1].findings.front().wanted.codes = {-32602};
  clues_.all.front().trigger.method = "";
  EXPECT_NE(found()[0].title, "Every error has the same code") << "an empty name may have its own";
  clues_.all.front().trigger.method = "ping";
  EXPECT_NE(found()[0].title, "Every error has the same code") << "unknown methods have their own";
  clues_.all.front().trigger.method = "no/such";
  results_.emplace_back().id = "b/1";
  results_.back().requirements = {"mcp.base.unknown-method"};
  results_.back().verdict = Verdict::kPass;
  EXPECT_NE(found()[0].title, "Every error has the same code") << "an unknown method has its own";
}

TEST_F(Causes, CallNothingAcceptedThatIsRefusedWithAnotherError) {
  about("ping", "mcp.base.params-object-only").came.code = "-32700";
  EXPECT_EQ(found()[0].title, "Params that are not an object are refused with the wrong error");
}

TEST_F(Causes, TellUnderOneHeadlineWhatOnlyWarnsBesideIt) {
  lose_ids_of_errors(-32602);
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2));
  clues_.all.back().verdict = Verdict::kWarn;
  clues_.all.back().severity = oracle::Severity::kWarn;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
}

TEST_F(Causes, TellOnceOfTextInAnotherEncodingAndOfIdsThatAreMixedUp) {
  for (const char* clause : {"json.valid.raw-utf8", "json.valid.surrogate-pair"}) {
    Clue& other = about("ping", clause);
    other.trigger.odd = other.answered = other.altered = other.came.message = true;
    clues_.ids[other.ref.case_id].altered[trace::Change::kRecoded] = 1;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Non-ASCII characters come back altered");
  EXPECT_EQ(found()[0].requirement, "mcp.base.utf8");

  about("ping", "jsonrpc.request.pipelined", oracle::Symptom::kSilence).together = true;
  Clue& result = clue("mcp.base.unknown-method");
  result.oracle = "model";
  result.row = clues_.all[2].ref.case_id;
  for (const Cause& cause : found())
    EXPECT_NE(cause.title, "Responses carry the id of another request");
  clues_.mixes_ids = true;
  ASSERT_THAT(found(), SizeIs(2));
  EXPECT_EQ(found()[0].title, "Responses carry the id of another request");
}

TEST_F(Causes, TellRequestsThatOnlyOddParamsSilenceApartFromUnknownMethods) {
  clues_.served = {"method=\"tools/call\"", "params.name=\"add\""};
  for (int i = 0; i < 4; ++i) {
    Clue& silent = about("tools/call", "mcp.tools.call-name-missing", oracle::Symptom::kSilence);
    // Nobody has the tool of the last.
    if (i == 3) silent.trigger.members["params.name"] = "\"none\"";
  }
  const std::vector<Cause> causes = found();
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].title, "Some tools/call requests get no response");
  EXPECT_EQ(causes[0].findings.size(), 3u);
}

TEST_F(Causes, NameTheOneKindOfRequestThatGetsNoResponse) {
  const char* const clause = "jsonrpc.request.reply-exactly-one";
  about("notifications/initialized", clause, oracle::Symptom::kSilence);
  EXPECT_EQ(found().at(0).title, "The request notifications/initialized gets no response");
  about("ping", clause, oracle::Symptom::kSilence);
  EXPECT_EQ(found().at(0).title, "A request is not answered by exactly one response");
}

TEST_F(Causes, LayAStatusWithoutAMessageToMethodsThatNobodyHas) {
  const auto refused = [&](const char* method, const char* clause) -> Clue& {
    Clue& out = about(method, clause);
    out.came.status = 500;
    out.answered = true;
    return out;
  };
  refused("no/such", "mcp.base.unknown-method");
  refused("completion/complete", "mcp.completion.unsupported-code");
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].requirement, "mcp.base.unknown-method");
}

TEST_F(Causes, TellOfRequestsAtWhichTheServerFailsOnceAMethod) {
  clues_.served = {"method=\"tools/call\""};
  for (const char* clause :
       {"mcp.tools.call-missing-required-argument", "mcp.tools.sanitize-output"}) {
    Clue& failed = about("tools/call", clause);
    failed.came.status = 500;
    failed.answered = true;
  }
  const auto told = [&] { return found("mcp-2025-11-25", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title,
            "Some tools/call requests are answered with HTTP 500 and no JSON-RPC response");
  clues_.all.back().came.code = "-32603";
  EXPECT_THAT(told(), SizeIs(2)) << "there is a response";
}

TEST_F(Causes, LayABatchToItsInvalidElementWhereTheServerFailsAtBoth) {
  const auto failed = [&](const char* clause) -> Clue& {
    Clue& out = clue(clause);
    out.trigger.seq = 1;
    out.trigger.is_json = out.answered = true;
    out.came.status = 500;
    return out;
  };
  for (const char* clause : {"jsonrpc.message.empty-object", "jsonrpc.request.method-missing",
                             "jsonrpc.message.primitive-top-level"})
    failed(clause);
  failed("jsonrpc.batch.invalid-elements").trigger.kind = wire::MessageKind::kBatch;
  EXPECT_THAT(found("jsonrpc-2.0", wire::TransportKind::kHttp), SizeIs(1));
  clues_.all.back().came.message = true;
  EXPECT_THAT(found("jsonrpc-2.0", wire::TransportKind::kHttp), SizeIs(2));
}

TEST_F(Causes, TakeNoRefusalOverHttpForTheResponseToANotification) {
  const auto notified = [&](const char* clause, int status) -> Clue& {
    Clue& out = about("notifications/cancelled", clause);
    out.trigger.kind = wire::MessageKind::kNotification;
    out.answered = true;
    out.came.status = status;
    return out;
  };
  notified("mcp.http.version-header-invalid-400", 404).came.message = true;
  notified("mcp.http.version-header-invalid-400", 404).came.message = true;
  const auto told = [&] { return found("mcp-2025-11-25", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "An invalid MCP-Protocol-Version is not refused with HTTP 400");
  notified("mcp.http.notification-202", 200).came.message = true;
  notified("mcp.base.notification-no-response", 200).came.message = true;
  clue("jsonrpc.error.invalid-request-code").trigger.kind = wire::MessageKind::kNotification;
  ASSERT_THAT(told(), SizeIs(2)) << "the params of the last make it an invalid one";
  EXPECT_EQ(told()[0].title, "Notifications are answered");
}

TEST_F(Causes, LayTextThatIsRefusedForAStringAsItsIdToThat) {
  for (const char* clause : {"mcp.base.utf8", "json.valid.delete-char", "jsonrpc.id.string-echo"}) {
    Clue& refused = about("ping", clause);
    refused.answered = refused.came.message = true;
    refused.came.code = "-32700";
    refused.trigger.members["id"] = "a string";
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A request whose id is a string is refused");
  EXPECT_EQ(found()[0].requirement, "mcp.base.request-id.string-and-integer-accepted");
  clues_.served.insert("id=a string");
  EXPECT_NE(found()[0].title, "A request whose id is a string is refused");
}

TEST_F(Causes, LayElementsOfAMixedBatchToAnsweredNotifications) {
  const auto answered = [&](const std::string& text) -> Clue& {
    Clue& out = about("notifications/cancelled", "mcp.base.notification-no-response");
    out.trigger.kind = wire::MessageKind::kNotification;
    out.answered = out.came.message = true;
    oracle::Observation& came = results_.back().findings.front().came;
    came.unnamed = true;
    came.texts = {text};
    return out;
  };
  const std::string nothing = R"({"jsonrpc":"2.0","id":null,"result":null})";
  answered(nothing);
  answered(nothing);
  Clue& batch = clue("mcp.base.batch.mixed-notifications");
  batch.trigger.kind = wire::MessageKind::kBatch;
  batch.answered = batch.came.array = true;
  results_.back().findings.front().came.texts = {"[{\"id\":1,\"result\":{}}," + nothing + "]"};
  ASSERT_THAT(found("mcp-2025-03-26"), SizeIs(1));
  EXPECT_EQ(found("mcp-2025-03-26")[0].title, "Notifications are answered");
  clues_.all[0].came.code = clues_.all[1].came.code = "-32600";
  EXPECT_THAT(found("mcp-2025-03-26"), SizeIs(2)) << "an invalid element is owed that";
  const std::string error = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}})";
  for (CaseResult& result : results_) {
    oracle::Observation& came = result.findings.front().came;
    came.unnamed = false;
    came.texts = {result.id == "a/3" ? "[" + error + "," + error + "]" : error};
  }
  clues_.all[0].came.code = clues_.all[1].came.code = "-32601";
  EXPECT_THAT(found("mcp-2025-03-26"), SizeIs(1)) << "errors may have no id at all";
}

TEST_F(Causes, DoNotTakeForAnAnswerWhatShouldHaveRefusedANotification) {
  for (const char* clause :
       {"mcp.http.session-missing-400", "mcp.http.version-header-invalid-400"}) {
    Clue& accepted = about("notifications/cancelled", clause);
    accepted.trigger.kind = wire::MessageKind::kNotification;
    accepted.answered = accepted.came.message = true;
    accepted.came.status = 200;
    wanted("400");
  }
  const auto over_http = [&] { return found("mcp-2025-11-25", wire::TransportKind::kHttp); };
  EXPECT_THAT(over_http(), SizeIs(2));
  for (CaseResult& result : results_) result.findings.front().wanted.statuses = {"202"};
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Notifications are answered");
}

TEST_F(Causes, TellOnceOfNotificationsThatFailAloneAndInABatch) {
  Clue& alone = about("no/such", "jsonrpc.notification.unknown-method-no-reply");
  alone.trigger.kind = wire::MessageKind::kNotification;
  alone.answered = alone.came.message = true;
  alone.came.code = "-32601";
  Clue& batch = clue("jsonrpc.batch.no-response-for-notification");
  batch.trigger.kind = wire::MessageKind::kBatch;
  batch.answered = batch.came.message = batch.came.array = true;
  batch.came.code = "-32601";
  // Nobody knows what one that can be served would get.
  ASSERT_FALSE(found("jsonrpc-2.0").empty());
  EXPECT_NE(found("jsonrpc-2.0")[0].title, "Notifications that fail are answered");
  CaseResult served;
  served.id = "b/served";
  served.requirements = {"jsonrpc.notification.no-reply"};
  results_.push_back(served);
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Notifications that fail are answered");
}

TEST_F(Causes, TellOfLargeIdsThatComeBackAsStringsOnce) {
  Clue& retyped = about("ping", "jsonrpc.id.type-preserved");
  retyped.answered = true;
  results_.back().requirements = {"jsonrpc.id.beyond-safe-integer"};
  clue("jsonrpc.id.beyond-safe-integer");
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Large integer ids come back as strings");
  about("ping", "jsonrpc.id.type-preserved").answered = true;
  EXPECT_NE(found("jsonrpc-2.0")[0].title, "Large integer ids come back as strings")
      << "small ones do so, too";
  clues_.all.back().below = "jsonrpc.response.not-both";
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Large integer ids come back as strings")
      << "that reply is broken otherwise";
}

TEST_F(Causes, SayThatAToolRefusesWhatAnErrorShould) {
  Clue& tool = about("tools/call", "mcp.tools.call-arguments-not-object");
  tool.answered = true;
  tool.came.result = R"({"content":[],"isError":true})";
  EXPECT_EQ(found()[0].title,
            "A call whose `arguments` are not an object is refused in the result, not by an error");
  clues_.all.back().came.result = R"({"content":[]})";
  EXPECT_EQ(found()[0].title, "A call whose `arguments` are not an object is not refused");
}

TEST_F(Causes, LayRequestsThatAreOnlyAcceptedToTheGetStreamOnWhichTheResponseComes) {
  for (int i = 0; i < 3; ++i) {
    Clue& canary = about("ping", "mcp.ping.result");
    canary.answered = true;
    canary.came.status = results_.back().findings.front().came.status = 202;
    results_.back().findings.front().came.came = oracle::Nothing{};
  }
  const auto over_http = [&] { return found("mcp-2025-11-25", wire::TransportKind::kHttp); };
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Requests are answered like notifications");
  clue("mcp.http.get-no-responses");
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Responses come on a GET stream");
}

TEST_F(Causes, LayIdsThatAreTakenForNoneToTheirValueWhereOthersAreKept) {
  for (const char* id : {"0", "\"\"", "-0"}) {
    Clue& lost = about("ping", std::string_view(id) == "-0" ? "jsonrpc.id.type-preserved"
                                                            : "mcp.base.response-same-id");
    lost.answered = lost.altered = true;
    lost.trigger.members[kIdValue] = id;
    IdTally& tally = clues_.ids[lost.ref.case_id];
    tally.altered[trace::Change::kLost] = 1;
    tally.altered_strings = std::string_view(id) == "\"\"";
  }
  EXPECT_EQ(found()[0].title, "Replies do not carry the id of their request");
  for (const char* clause : {"jsonrpc.id.string-echo", "jsonrpc.id.integer-echo"}) {
    clue(clause);
    clues_.all.pop_back();
    results_.back().verdict = Verdict::kPass;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A request whose id is 0 or \"\" is answered with another id");
}

TEST_F(Causes, KnowNullInTheAnswerToABatch) {
  Clue& batch = clue("mcp.base.batch.mixed-notifications");
  batch.trigger.kind = wire::MessageKind::kBatch;
  batch.answered = batch.came.array = true;
  batch.below = "mcp.stdio.stdout-only-messages";
  Clue& seen = clue("mcp.stdio.stdout-only-messages");
  seen.oracle = "envelope";
  seen.row = "a/1";
  Clue& line = clue("mcp.stdio.stdout-only-messages");
  line.oracle = "stdout";
  clues_.all[0].came.null_inside = true;
  const std::vector<Cause> causes = found("mcp-2025-03-26");
  ASSERT_THAT(causes, SizeIs(2)) << "a line that is no message is another matter";
  EXPECT_EQ(causes[0].requirement == "mcp.base.batch.mixed-notifications" ? causes[0].title
                                                                          : causes[1].title,
            "The answer to a batch contains null");
  clues_.all[0].came.null_inside = false;
  for (const Cause& cause : found("mcp-2025-03-26"))
    EXPECT_NE(cause.title, "The answer to a batch contains null");
}

TEST_F(Causes, SayThatARequestIsServedWhereTheClauseNamesItsError) {
  Clue& served = about("resources/read", "mcp.errors.standard-codes");
  served.wants_error = served.answered = served.came.message = true;
  served.came.result = "{\"contents\":[]}";
  EXPECT_EQ(found().at(0).title, "A request that has to fail is answered with a result");
  about("resources/read", "mcp.errors.standard-codes").came.code = "-1";
  EXPECT_EQ(found().at(0).title, "A failure is not reported with its standard code");
}

TEST_F(Causes, DoNotBlameTheCodeThatIsDueWhereTheIdIsMissing) {
  for (const char* clause :
       {"json.invalid.bad-escape", "json.invalid.comments", "json.invalid.hex-number"}) {
    Clue& refused = clue(clause);
    refused.trigger.seq = 1;
    refused.answered = refused.came.message = true;
    refused.came.code = "-32700";
    refused.severity = oracle::Severity::kWarn;
  }
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Text that is not JSON is answered with error -32700")
      << "nothing says what is wrong";
  clue("jsonrpc.response.id-member-present").oracle = "envelope";
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "A response has no id member");
}

TEST_F(Causes, TellOnceOfIntegersThatComeBackRounded) {
  for (const char* clause : {"jsonrpc.id.integer-echo", "jsonrpc.id.negative-echo"}) {
    Clue& rounded = about("ping", clause);
    rounded.answered = rounded.altered = rounded.came.message = true;
    clues_.ids[rounded.ref.case_id].altered[trace::Change::kRounded] = 1;
  }
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Integer ids come back as other numbers");
  Clue& silent = about("ping", "jsonrpc.id.integer-echo", oracle::Symptom::kSilence);
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "another id may be lost";
  clues_.ids[silent.ref.case_id].altered[trace::Change::kBits] = 1;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1)) << "it came back as one that was answered before";
  clues_.all.pop_back();
  clues_.all.front().requirement = "jsonrpc.id.beyond-safe-integer";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "those that a double holds are kept";
}

TEST_F(Causes, TellOnceOfEscapesThatAreNotDecoded) {
  for (const char* clause : {"json.valid.escaped-member-names", "json.valid.nul-escape"})
    about("ping", clause).answered = true;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "two may be two";
  about("ping", "json.valid.surrogate-pair").answered = true;
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "json.valid.surrogate-pair");
  clues_.all.front().requirement = "json.valid.noncharacters";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(3)) << "it may be the characters";
}

TEST_F(Causes, LayABatchWhoseAnswersCameOneByOneToThat) {
  for (int i = 0; i < 4; ++i) {
    Clue& batch = clue("jsonrpc.batch.array-response");
    batch.trigger.seq = 1;
    batch.trigger.kind = wire::MessageKind::kBatch;
    batch.answered = batch.came.message = true;
  }
  Clue& silent = clue("jsonrpc.request.reply-exactly-one", oracle::Symptom::kSilence);
  silent.trigger = clues_.all[0].trigger;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  clues_.all.back().trigger.kind = wire::MessageKind::kRequest;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2));
}

TEST_F(Causes, TellOfParallelPostsBeforeWhatFollowsFromThem) {
  clue("mcp.http.concurrent-posts");
  clue("mcp.http.json-one-object").oracle = "http";
  about("ping", "mcp.base.response-same-id", oracle::Symptom::kSilence).together = true;
  const auto told = [&] { return found("mcp-2025-11-25", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].requirement, "mcp.http.concurrent-posts");
  clues_.all.back().together = false;
  EXPECT_THAT(told(), SizeIs(2));
}

TEST_F(Causes, SayThatItWasARequestAfterShutdownThatEndedTheProcess) {
  for (const char* method : {"shutdown", "workspace/symbol"})
    about(method, "lsp.shutdown.requests-refused", oracle::Symptom::kEnd).after = "shutdown";
  ASSERT_THAT(found("lsp"), SizeIs(1));
  EXPECT_EQ(found("lsp")[0].title, "A request after shutdown ends the process");
  EXPECT_NE(found()[0].title, "A request after shutdown ends the process") << "of MCP";
}

TEST_F(Causes, LayWhatAnOracleSaysUnderTheClauseOfItsCaseToThat) {
  about("ping", "jsonrpc.id.invalid-type").trigger.members["id"] = "something else";
  Clue& seen = clue("jsonrpc.id.invalid-type");
  seen.oracle = "envelope";
  seen.row = clues_.all[0].ref.case_id;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
}

// It is refused under another status than it should be; what it holds is nothing.
TEST_F(Causes, CallNoAnswerABodyThatHasNone) {
  Clue& accepted = clue("mcp.http.session-missing-400");
  accepted.came.status = 202;
  wanted("202");
  results_.back().findings.front().came.came = oracle::NoMessageInAnswer{};
  EXPECT_NE(found("mcp-2025-11-25", wire::TransportKind::kHttp).at(0).title,
            "The reply to a notification is not empty");
}

TEST_F(Causes, TellOnceOfListsThatAllGetOneResult) {
  const auto lacking = [&](const char* method, const char* clause, const char* result) {
    Clue& out = about(method, clause);
    out.oracle = "shapes";
    out.came.result = result;
    out.answered = out.came.message = true;
  };
  lacking("prompts/list", "mcp.prompts.list-result-prompts-array", "{}");
  EXPECT_EQ(found().at(0).title, "prompts/list is not answered with a `prompts` array");
  lacking("resources/list", "mcp.resources.list-result-resources-array", "{}");
  lacking("tools/list", "mcp.tools.list-result-tools-array", "{\"tools\":1}");
  ASSERT_THAT(found(), SizeIs(2));
  EXPECT_EQ(found().at(0).findings.size() + found().at(1).findings.size(), 3u);
}

TEST_F(Causes, LayWhatIsNoJsonToTheTargetToItsText) {
  for (const char* clause : {"json.valid.escaped-solidus", "mcp.resources.read-validates-uri"})
    about("ping", clause).came = {0, "-32700", "Parse error", true};
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "json.valid.escaped-solidus");
  clues_.all[1].came.code = "-32602";  // it was read
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Causes, DoNotCallAWrongInitializeRefused) {
  for (int i = 0; i < 2; ++i) {
    Clue& refused = about("initialize", "mcp.lifecycle.initialize-params-missing");
    refused.came = {0, "-32603", "Failed", true};
    refused.wants_error = true;
  }
  EXPECT_NE(found().at(0).title, "initialize is refused");
}

// HTTP: the empty 204 of a notification.
TEST_F(Causes, TakeAnEmptyAnswerForNoOtherId) {
  for (const char* id : {"0", "\"\"", "-0"}) {
    Clue& empty = about(
        "ping", *id == '-' ? "jsonrpc.request.reply-exactly-one" : "jsonrpc.id.echo-on-error");
    empty.trigger.members[kIdValue] = id;
    empty.came.status = 204;
    empty.answered = true;
  }
  clues_.answered.insert("ping");
  ASSERT_THAT(found("jsonrpc-2.0", wire::TransportKind::kHttp), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0", wire::TransportKind::kHttp)[0].title,
            "A request whose id is 0 or \"\" is not answered");
}

}  // namespace
}  // namespace harness::run
