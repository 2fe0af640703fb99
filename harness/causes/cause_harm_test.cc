// SPDX-License-Identifier: Apache-2.0
// Several findings laid to what ends a target: by the message, by the line on stderr.
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class Deaths : public Causes {
 protected:
  Clue& death(const std::string& clause, const std::string& why, bool json = false) {
    Clue& out = clue(clause, Symptom::kEnd);
    out.trigger.seq = 1;
    out.trigger.is_json = json;
    out.end = "exit 1";
    out.why = why;
    return out;
  }
  Clue& death_at(const std::string& method, const std::string& clause, const std::string& why) {
    Clue& out = about(method, clause, Symptom::kEnd);
    out.end = "exit 1";
    out.why = why;
    return out;
  }
  std::vector<std::string> cited() {
    std::vector<std::string> out;
    for (const Cause& cause : found()) out.push_back(cause.requirement);
    return out;
  }
};

TEST_F(Deaths, OfOneLastLineOnStderrAreOne) {
  death_at("tools/call", "mcp.tools.call-missing-required-argument", "KeyError: 'name'");
  death_at("prompts/get", "mcp.prompts.get-name-missing", "KeyError: 'name'");
  EXPECT_THAT(cited(), SizeIs(1));
  clues_.all.back().why = "KeyError: 'id'";
  EXPECT_THAT(cited(), UnorderedElementsAre("mcp.tools.call-missing-required-argument",
                                            "mcp.prompts.get-name-missing"));
  clues_.all.back().why = "KeyError: 'name'";
  clues_.all.back().end = "exit 2";
  EXPECT_THAT(cited(), SizeIs(2));
}

TEST_F(Deaths, AreToldOfTheMessagesThatWerePlayedAndNoOthers) {
  const auto bytes = [&](bool json, const char* flaw) {
    death("mcp.stdio.invalid-line-survival", "", json).trigger.flaw = flaw;
    return found()[0].title;
  };
  EXPECT_EQ(bytes(false, "text that is not UTF-8"), "Text that is not UTF-8 ends the process");
  EXPECT_EQ(bytes(false, "text that is not JSON"), "Text that is not JSON ends the process");
  clues_.survived_flaws.emplace(false, "text that is not JSON");
  EXPECT_EQ(found()[0].title, "Some text that is not JSON ends the process");
  clues_ = {};
  results_.clear();
  EXPECT_EQ(bytes(true, "a message whose id is of a wrong type"),
            "A message whose id is of a wrong type ends the process");
  clues_.survived_flaws.emplace(true, "a message whose id is of a wrong type");
  EXPECT_EQ(found()[0].title, "Some JSON that is not a valid message ends the process");
}

TEST_F(Deaths, OfACallTellWhatIsSpecialAboutItsArguments) {
  const std::string name = "\"add\"";
  for (int i = 0; i < 2; ++i) {
    Clue& call = death_at("tools/call", "mcp.tools.call-missing-required-argument", "");
    call.trigger.members = {{"method", "\"tools/call\""}, {"params.name", name}};
  }
  clues_.survived = {"method=\"tools/call\""};
  EXPECT_EQ(found()[0].title, "The request tools/call without arguments ends the process");
  for (Clue& call : clues_.all) call.trigger.members["params.arguments.a"] = "\"x\"";
  clues_.survived.insert("params.arguments.a=\"x\"");
  EXPECT_EQ(found()[0].title, "The request tools/call whose arguments.a is \"x\" ends the process");
}

TEST_F(Deaths, BehindAnUnansweredRequestAreItsOwn) {
  death_at("no/such", "mcp.base.unknown-method", "KeyError:'no/such'");
  Clue& next = death_at("initialize", "mcp.lifecycle.initialize-after-early-request",
                        "KeyError:'other/such'");
  next.behind = "other/such";
  EXPECT_THAT(found(), SizeIs(1));
}

TEST_F(Deaths, OfOneLineThatQuotesTheMessageAreOne) {
  death_at("a/b", "mcp.base.response-same-id", "ValueError:'x'").trigger.members[kIdValue] =
      "\"x\"";
  death_at("c/d", "mcp.base.response-same-id", "ValueError:'y'").trigger.members["params.a"] =
      "\"y\"";
  EXPECT_THAT(found(), SizeIs(1));
  clues_.all.back().why = "ValueError:'id'";
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(Deaths, AtUnknownMethodsAreNotThoseAtWhatIsNoMessage) {
  death_at("no/such", "jsonrpc.error.method-not-found-code", "KeyError:'no/such'");
  Clue& odd = death("jsonrpc.robust.survives-invalid-request", "KeyError:'ping'", true);
  odd.trigger.method = "ping";
  death("jsonrpc.request.method-missing", "KeyError:'method'", true);
  EXPECT_THAT(cited(), SizeIs(2));
}

TEST_F(Deaths, AtAnUnknownMethodInWhatIsNoMessageAreThoseAtTheMethod) {
  death_at("no/such", "jsonrpc.error.method-not-found-code", "KeyError:'no/such'");
  death_at("other/such", "jsonrpc.error.method-not-found-code", "KeyError:'other/such'");
  Clue& cut = death_at("mmm", "jsonrpc.request.hostile-method-names", "KeyError:'mmm'");
  cut.trigger.cut = true;
  cut.trigger.valid = false;
  Clue& odd = death("jsonrpc.request.params-primitive", "KeyError:'no/such'", true);
  odd.trigger.method = "no/such";
  odd.trigger.kind = wire::MessageKind::kRequest;
  death("jsonrpc.error.invalid-request-code", "KeyError:'method'", true);
  death("jsonrpc.error.invalid-request-code", "TypeError: not subscriptable", true);
  EXPECT_THAT(cited(), SizeIs(2));
  EXPECT_EQ(found()[0].findings.size(), 4u);
}

TEST_F(Deaths, AtParamsOfAMethodThatIsServedAreNotThoseAtUnknownMethods) {
  for (const char* method : {"no/a", "no/b", "no/c", "no/d", "add"}) {
    Clue& out = death_at(method, "jsonrpc.request.reply-exactly-one", std::string(method, 3));
    out.trigger.members["params.a"] = "1";
  }
  clues_.served = {"method=\"add\""};
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(2));
  EXPECT_EQ(found("jsonrpc-2.0")[1].title, "Some add requests end the process");
}

TEST_F(Deaths, AtTextThatAValidMessageExplainsAreNoMatterOfTheText) {
  const auto tcp = [&] { return found("jsonrpc-2.0", wire::TransportKind::kTcp); };
  for (int i = 0; i < 2; ++i) {
    Clue& sum = death_at("sum", "jsonrpc.request.reply-exactly-one", "panic: out of range");
    sum.trigger.members["params.a"] = "1";
  }
  death("jsonrpc.robust.survives-parse-error", "panic: out of range");
  for (const char* row : {"a", "b"}) {
    Clue& closed = death("json.invalid.truncated", "");
    closed.end = "eof";
    closed.row = row;
  }
  ASSERT_THAT(tcp(), SizeIs(2));
  EXPECT_THAT(tcp()[0].title, StartsWith("The request sum"));
  EXPECT_EQ(tcp()[1].title, "Text that is not JSON ends the connection");
  EXPECT_EQ(tcp()[1].findings.size(), 2u);
}

TEST_F(Deaths, AtBatchesAreCitedUnderTheirResponse) {
  for (const char* clause : {"jsonrpc.batch.all-notifications", "jsonrpc.batch.array-response",
                             "jsonrpc.batch.empty-array"}) {
    Clue& batch = death(clause, "TypeError: list", true);
    batch.trigger.kind = wire::MessageKind::kBatch;
    batch.trigger.bytes = 50;
  }
  clues_.all[1].severity = oracle::Severity::kWarn;
  clues_.all.back().trigger.flaw = "an empty batch";
  clues_.all.back().trigger.bytes = 2;
  EXPECT_THAT(found("jsonrpc-2.0")[0].requirement, "jsonrpc.batch.array-response");
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "A batch ends the process");
}

TEST_F(Deaths, AtTextsAsIdsAreToldOfThem) {
  int i = 0;
  for (const char* id : {"\"\"", "\"a\"", "1.5"}) {
    Clue& out = death_at("ping", "jsonrpc.id.string-echo", "");
    out.trigger.members = {{"id", *id == '1' ? "a number" : "a string"}, {kIdValue, id}};
    out.trigger.bytes = 60 + i++;
  }
  EXPECT_EQ(found("jsonrpc-2.0")[0].title,
            "The request ping whose id is a string ends the process");
  clues_.survived.insert("id=a string");
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "The request ping whose id is \"\" ends the process");
}

TEST_F(Deaths, AtSeveralParamsOfOneMethodThatIsServedAreOne) {
  const auto ends = [&](const char* member, const char* clause, const char* why) -> Clue& {
    Clue& out = death_at("tools/call", clause, why);
    out.trigger.members[member] = "7";
    return out;
  };
  ends("params.arguments.a", "mcp.tools.call-wrong-type-argument", "TypeError: a");
  ends("params.arguments", "mcp.tools.call-arguments-not-object", "KeyError: 'b'");
  EXPECT_EQ(found()[0].title, "The request tools/call ends the process")
      << "no call was seen to be served";
  clues_.survived = {"method=tools/call"};
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "Some tools/call requests end the process");
}

TEST_F(Deaths, TellTheLinesOnStderrThatTheOneThatIsShownLacks) {
  const auto ended = [&](const std::string& why) {
    Clue& out = death("json.invalid.truncated", why);
    results_.back().findings.front().came.came = oracle::Ended{"exit 1", true, true, why};
    out.trigger.bytes = clues_.all.size();
  };
  ended("SyntaxError: a");
  EXPECT_EQ(found()[0].sentence, "Text that is not JSON ends the process (exit 1)");
  ended("SyntaxError: b");
  EXPECT_THAT(found()[0].sentence, HasSubstr("; stderr: SyntaxError: b, SyntaxError: a"));
  ended("12:04:17 [Info] one session left");
  EXPECT_THAT(found()[0].sentence, Not(HasSubstr("Info"))) << "a line of a log is no reason";
  results_.pop_back();
  clues_.all.pop_back();
  clues_.all.pop_back();
  clues_.all.front().why.clear();
  EXPECT_THAT(found()[0].sentence, HasSubstr("; stderr: SyntaxError: a"))
      << "over HTTP it stands with another finding";
}

TEST_F(Deaths, AreToldOfTheRequestAndNotOfTheNotificationThatDoesTheSame) {
  Clue& note = death_at("tools/call", "mcp.base.notification-no-response", "KeyError: 'name'");
  note.trigger.kind = wire::MessageKind::kNotification;
  note.trigger.bytes = 10;
  death_at("tools/call", "mcp.tools.call-name-missing", "KeyError: 'name'").end = "";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.tools.call-name-missing");
  EXPECT_EQ(causes[0].sentence, "The request tools/call ends the process (exit 1)")
      << "what one of them tells of the process is so of all";
}

TEST_F(Deaths, AreNotToldOfWhatWasAskedRightBehindWhatTheyShare) {
  for (const char* clause : {"mcp.base.notification-no-response", "mcp.cancel.unknown-id-ignored",
                             "mcp.cancel.race-graceful"})
    death_at("notifications/cancelled", clause, "ValidationError").trigger.kind =
        wire::MessageKind::kNotification;
  death_at("tools/call", "mcp.cancel.no-response", "ValidationError").trigger.bytes = 10;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "The notification notifications/cancelled ends the process");
}

TEST_F(Deaths, AndHangsBehindARefusalAreAboutSurvivingIt) {
  Clue& hung = about("tools/call", "mcp.ping.result", Symptom::kHang);
  hung.trigger.members["params.arguments"] = "\"a\"";
  hung.about = "mcp.tools.call-arguments-not-object";
  results_.back().requirements = {hung.about, "mcp.tools.call-survives-bad-arguments"};
  EXPECT_THAT(cited(), ElementsAre("mcp.tools.call-survives-bad-arguments"));
  hung.requirement = hung.about;  // it was not refused as it should be
  EXPECT_THAT(cited(), ElementsAre("mcp.tools.call-arguments-not-object"));
}

TEST_F(Deaths, AtARefusalOfTheClientAreAboutSurvivingIt) {
  Clue& refused = clue("robust.listed-is-served", Symptom::kEnd);
  refused.end = "exit 1";
  refused.trigger.seq = 1;
  refused.trigger.is_json = true;
  refused.trigger.kind = wire::MessageKind::kErrorResponse;
  EXPECT_THAT(cited(), ElementsAre("mcp.requester.survives-error-answer"));
  results_.back().requirements = {"mcp.base.unexpected-response-ignored"};
  EXPECT_THAT(cited(), ElementsAre("mcp.base.unexpected-response-ignored")) << "nobody asked";
}

TEST_F(Deaths, AndHangsAtLongMessagesAreToldByTheirLength) {
  clues_.survived = {"method=ping", "method=no/such"};
  clues_.longest_survived = 1 << 17;  // of another kind
  for (const char* method : {"ping", "no/such"}) {
    Clue& hung = about(method, "jsonrpc.id.long-string-echo", Symptom::kHang);
    hung.trigger.members["id"] = "a long one";
    if (hung.trigger.method == "no/such") hung.trigger.members["method"] = "\"m\"";
    hung.trigger.bytes = 1 << 16;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "After a message of 64 KiB nothing more is answered");
  clues_.all[0].trigger.bytes = clues_.all[1].trigger.bytes = 60;
  for (const Cause& cause : found()) EXPECT_THAT(cause.title, Not(HasSubstr("64 KiB")));
}

TEST_F(Deaths, AndHangsAtDeepNestingAreAboutTheLimit) {
  Clue& hung = about("", "mcp.ping.result", Symptom::kHang);
  hung.trigger.deep = true;
  hung.trigger.is_json = hung.trigger.valid = false;
  results_.back().requirements = {"json.limit.deep-nesting"};
  EXPECT_THAT(cited(), ElementsAre("json.limit.deep-nesting"));
}

TEST_F(Deaths, AtTextThatIsNotJsonAreOneWhateverIsWrongWithIt) {
  death("json.invalid.truncated", "JSONDecodeError: Expecting value");
  death("json.invalid.comments", "JSONDecodeError: Extra data");
  death("json.limit.deep-nesting", "RecursionError: maximum depth").trigger.deep = true;
  death("jsonrpc.message.empty-object", "KeyError: 'method'", true).trigger.members["foo"] = "1";
  death("jsonrpc.batch.empty-array", "TypeError: list", true).trigger.kind =
      wire::MessageKind::kBatch;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "Text that is not JSON ends the process");
  EXPECT_THAT(causes[0].findings, SizeIs(3));
  EXPECT_EQ(causes[1].requirement, "jsonrpc.robust.survives-invalid-request");
  EXPECT_EQ(causes[1].title, "JSON that is not a valid message ends the process")
      << "a member of what is no message says nothing of it";
}

TEST_F(Deaths, AreCitedUnderTheClauseOfTheMessage) {
  // Whatever the case had said before it; what an oracle says of it names the case.
  const std::string own =
      death_at("tools/call", "jsonrpc.robust.survives-parse-error", "").ref.case_id;
  results_.back().requirements = {"jsonrpc.robust.survives-parse-error",
                                  "mcp.tools.call-survives-bad-arguments"};
  EXPECT_THAT(cited(), ElementsAre("mcp.tools.call-survives-bad-arguments"));
  Clue& seen = clues_.all.back();
  results_.push_back(results_.back());
  results_.back().id = "oracle/process";
  results_.back().requirements = {"jsonrpc.robust.survives-parse-error"};
  seen.ref.case_id = "oracle/process";
  seen.oracle = "process";
  seen.row = own;
  seen.requirement = "mcp.ping.result";  // what is asked behind it
  EXPECT_THAT(cited(), ElementsAre("mcp.tools.call-survives-bad-arguments"));
  seen.requirement = "mcp.stdio.no-output-on-error-paths";
  EXPECT_THAT(cited(), ElementsAre("mcp.tools.call-survives-bad-arguments"));
}

TEST_F(Deaths, AreOneWithWhatIsLikeOneOfThem) {
  Clue& answer = death("mcp.base.unexpected-response-ignored", "KeyError: 'method'", true);
  answer.trigger.kind = wire::MessageKind::kResponse;
  answer.trigger.valid = true;
  death("jsonrpc.message.empty-object", "KeyError: 'method'", true);
  death("jsonrpc.message.primitive-top-level", "TypeError: 'int' object", true);
  EXPECT_THAT(found(), SizeIs(1)) << "by the line of the second, and by the kind of that";
}

TEST_F(Deaths, OfAServerThatAllShareAreNotLaidToWhatFoundItDown) {
  clues_.survived = {"method=no/such"};
  death("json.invalid.truncated", "");
  death_at("no/such", "jsonrpc.id.echo-on-error", "");
  death_at("__proto__", "jsonrpc.request.hostile-method-names", "");
  oracle::BrokenOff refused{"refused"};
  Clue down = clues_.all.back();
  down.symptom = Symptom::kHang;
  results_.back().findings.push_back(results_.back().findings.front());
  results_.back().findings.back().came.came = refused;
  down.ref.finding = 1;
  clues_.all.push_back(down);
  const std::vector<Cause> causes = found("jsonrpc-2.0", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "Text that is not JSON ends the process");
  EXPECT_GT(found("jsonrpc-2.0").size(), 1u) << "each session has a process of its own";
}

TEST_F(Deaths, InOneCaseAreTwoWhereTheServerSaysTwoThings) {
  death("robust.no-stack-trace", "SyntaxError: a comma");
  Clue second = clues_.all.back();
  second.ref.finding = 1;
  second.row = "null alone";
  second.trigger.is_json = true;
  second.why = "TypeError: null";
  results_.back().findings.push_back(results_.back().findings.front());
  clues_.all.push_back(second);
  const auto titles = [&] {
    std::set<std::string> out;
    for (const Cause& cause : found("jsonrpc-2.0", wire::TransportKind::kTcp))
      out.insert(cause.title);
    return out;
  };
  EXPECT_THAT(titles(), ElementsAre("JSON that is not a valid message ends the process",
                                    "Text that is not JSON ends the process"));
  clues_.all.back().why.clear();
  EXPECT_THAT(titles(), SizeIs(1)) << "it may have found nobody";
}

TEST_F(Deaths, OfConnectionsAtAnyMessageAreOneIfThePlainCanaryIsAmongThem) {
  clues_.survived = {"method=rpcspec.no_such_method"};
  death_at("rpcspec.no_such_method", "jsonrpc.request.reply-exactly-one", "").end = "eof";
  death("json.invalid.truncated", "").end = "eof";
  death("jsonrpc.message.empty-object", "", true).end = "eof";
  const auto title = [&] { return found("jsonrpc-2.0", wire::TransportKind::kTcp).front().title; };
  EXPECT_EQ(title(), "The connection is closed after one message");
  clues_.several_on_one = true;
  EXPECT_NE(title(), "The connection is closed after one message") << "it was not, elsewhere";
  clues_.several_on_one = false;
  clues_.all.front().crowded = true;
  EXPECT_NE(title(), "The connection is closed after one message") << "the one before may end it";
  clues_.all.front().crowded = false;
  clues_.all.front().trigger.kind = wire::MessageKind::kNotification;
  EXPECT_NE(title(), "The connection is closed after one message") << "one of requests stays open";
  clues_.all.front().trigger.kind = wire::MessageKind::kRequest;
  clues_.all.front().trigger.members[kIdValue] = "\"%\"";
  EXPECT_NE(title(), "The connection is closed after one message");
}

TEST_F(Deaths, ComeBeforeIdsThatAreLost) {
  for (int i = 0; i < 4; ++i) {
    IdTally& tally = clues_.ids[clue("mcp.base.unknown-method").ref.case_id];
    tally.altered[trace::Change::kLost] = tally.altered_by_errors = 2;
  }
  death("json.invalid.truncated", "SyntaxError");
  clues_.ids[clues_.all.back().ref.case_id] = clues_.ids.begin()->second;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "Text that is not JSON ends the process");
  EXPECT_EQ(causes[1].title, "Errors do not carry the id of their request");
}

// Who closes the connection with a code of its own runs on.
TEST_F(Deaths, AreNoConnectionsThatTheServerCloses) {
  const auto titles = [&] {
    std::set<std::string> out;
    for (const Cause& cause : found("mcp-2025-11-25", wire::TransportKind::kWebSocket))
      out.insert(cause.title);
    return out;
  };
  for (const char* clause : {"json.invalid.comments", "json.invalid.truncated"})
    death(clause, "").end = "close 1007 invalid JSON";
  clues_.all.back().for_all = true;           // as another one ended the process meanwhile
  death("json.invalid.utf8-surrogates", "");  // likewise
  death("json.limit.deep-nesting", "RangeError: Maximum call stack").trigger.deep = true;
  EXPECT_THAT(titles(), UnorderedElementsAre("Text that is not JSON ends the connection",
                                             "A deeply nested message ends the process"));
  for (Clue& one : clues_.all) one.end = "exit 1";
  EXPECT_THAT(titles(), UnorderedElementsAre("Text that is not JSON ends the process"));
  for (Clue& one : clues_.all)
    if (!one.trigger.deep) one.severity = oracle::Severity::kWarn;
  EXPECT_THAT(titles(), UnorderedElementsAre("Text that is not JSON ends the process",
                                             "A deeply nested message ends the process"))
      << "what was JSON breaks more";
}

// Whoever closes its connection instead of answering a call reads others all the same.
TEST_F(Causes, CallNoServerBusyThatClosesTheConnectionOfACall) {
  for (int i = 0; i < 2; ++i) {
    Clue& closed = about("tools/call", "mcp.errors.standard-codes", oracle::Symptom::kHang);
    closed.trigger.members["params"] = "{}";
    closed.busy = closed.broken_off = true;
  }
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp).at(0).title,
            "The request tools/call gets no response");
}

TEST_F(Causes, TellOnceOfAllParamsOfAMethodThatCloseTheConnection) {
  clues_.survived = {"method=tools/call"};
  for (const char* member : {"params.arguments", "params.arguments.a"}) {
    Clue& closed = about("tools/call", "mcp.tools.call-wrong-type-argument", Symptom::kHang);
    closed.trigger.members[member] = "7";
    closed.broken_off = true;
  }
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "Some tools/call requests get no response");
}

TEST_F(Causes, TellWhatNotificationsGetWhereTheConnectionIsClosed) {
  for (const char* clause :
       {"mcp.base.notification-no-response", "mcp.base.unknown-notification-ignored"}) {
    Clue& closed = about("tools/list", clause);
    closed.trigger.kind = wire::MessageKind::kNotification;
    closed.answered = closed.broken_off = true;
  }
  const std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.notification-202");
  EXPECT_EQ(causes[0].title, "Notifications get no HTTP response");
}

TEST_F(Causes, TellOfACanaryInOddWritingByTheClauseAboutItsWriting) {
  clue("json.valid.whitespace").severity = oracle::Severity::kWarn;
  clues_.all[0].trigger.seq = 1;
  const std::string row = clues_.all[0].ref.case_id;
  Clue& seen = clue("mcp.ping.result", oracle::Symptom::kSilence);
  seen.trigger = clues_.all[0].trigger;
  seen.oracle = "model";
  seen.row = row;
  EXPECT_THAT(found(), SizeIs(2)) << "no ping was answered";
  clues_.canaries_answered = 1;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "json.valid.whitespace");
}

TEST_F(Causes, TellTwoRequestsInOneBodyFromTextThatIsNotJson) {
  Clue& two = clue("mcp.http.connection-reuse", oracle::Symptom::kHang);
  two.trigger.seq = 1;
  two.trigger.overfull = two.broken_off = true;
  EXPECT_EQ(found("mcp-2025-11-25", wire::TransportKind::kHttp).at(0).requirement,
            "mcp.http.connection-reuse");
}

TEST_F(Causes, TellMessagesThatAreReadAsOneApartFromTextThatIsNotJson) {
  const auto ends = [&](const char* why, bool sound) {
    Clue& end = sound ? about("ping", "jsonrpc.request.pipelined", oracle::Symptom::kEnd)
                      : clue("jsonrpc.error.parse-error-code", oracle::Symptom::kEnd);
    end.trigger.seq = 1;
    end.end = "exit 1";
    end.why = why;
    end.together = sound;
  };
  ends("SyntaxError: after JSON", true);
  ends("SyntaxError: after JSON", false);
  ends("SyntaxError: a comma", false);
  EXPECT_THAT(found(), SizeIs(1));
  clues_.reads_as_one = true;
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  std::set<std::string> titles;
  for (const Cause& cause : causes) titles.insert(cause.title);
  EXPECT_THAT(titles, ElementsAre("Messages that arrive together are read as one",
                                  "Text that is not JSON ends the process"));
}

TEST_F(Causes, LayAnEndAtAnAnswerToHowAnswersAreHandled) {
  for (const char* clause : {"mcp.elicitation.accept-without-content", "mcp.elicitation.form-flat",
                             "mcp.elicitation.form-flat", "mcp.elicitation.decline-handled"}) {
    Clue& ends = about("", clause, Symptom::kEnd);
    ends.trigger.kind = wire::MessageKind::kResponse;
    ends.trigger.members = {{"result.action", "\"decline\""}};
    ends.end = "exit 1";
  }
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.elicitation.decline-handled");
}

TEST_F(Causes, NameTheMemberThatEndsTheProcess) {
  clues_.survived = {"method=server/discover", "method=tools/list",
                     "params.version=\"2026-07-28\""};
  int i = 0;
  for (const char* clause :
       {"mcp.versioning.unsupported-version", "mcp.versioning.unsupported-version",
        "mcp.versioning.per-request-version"}) {
    Clue& dead = about("tools/list", clause, Symptom::kEnd);
    dead.end = "exit 1";
    dead.trigger.members["params.version"] = "\"19" + std::to_string(++i) + "\"";
  }
  const std::vector<Cause> causes = found("mcp-2026-07-28");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.versioning.unsupported-version") << "most are about it";
  EXPECT_EQ(causes[0].sentence,
            "The request tools/list whose params.version is \"191\" ends the process (exit 1)");
}

TEST_F(Causes, AccuseNoMessageOfAnEndThatItDidNotBringAboutAgain) {
  for (const char* method : {"tools/call", "ping"}) {
    Clue& dead = about(method, "mcp.tools.call-result", Symptom::kEnd);
    dead.end = "exit 3";
    dead.verdict = results_.back().verdict = Verdict::kFlaky;
  }
  Clue& seen = about("ping", "mcp.ping.result", Symptom::kEnd);
  seen.oracle = "process";
  seen.row = "a/2";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.ping.result");
  EXPECT_EQ(causes[0].verdict, Verdict::kFail);
  EXPECT_THAT(causes[0].sentence, HasSubstr("The process ended (exit 3) in 2 cases"));
  EXPECT_THAT(causes[0].findings, SizeIs(3));
}

TEST_F(Causes, NameTheBlankLineThatEndsTheProcess) {
  Clue& line = clue("mcp.stdio.blank-line", Symptom::kEnd);
  line.trigger.seq = 1;
  line.trigger.blank = true;
  line.end = "exit 1";
  EXPECT_EQ(found()[0].sentence, "A blank line ends the process (exit 1)");
}

// After which no new connection was served.
TEST_F(Causes, LayTheEndOfAServerToNoneThatWasOpenBesideWhatEndedIt) {
  const auto gone = [&](const char* method, bool valid) -> Clue& {
    Clue& out = about(method, "jsonrpc.request.reply-exactly-one", Symptom::kEnd);
    out.end = "eof";
    out.for_all = true;
    out.trigger.valid = valid;
    return out;
  };
  const auto told = [&] { return found("jsonrpc-2.0", wire::TransportKind::kWebSocket); };
  gone("ping", false).trigger.deep = true;
  gone("rpcspec/nobody-has-this", true);
  clues_.all.back().for_all = false;  // nobody asked
  gone("rpcspec/nobody-has-this", true);
  results_.back().id = clues_.all.back().ref.case_id = results_[1].id;
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "A deeply nested message ends the server");
  gone("", false).trigger.kind = wire::MessageKind::kBatch;
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "One of several messages ends the server");
}

TEST_F(Causes, CiteRobustnessWhereWhatEndsTheProcessIsNoMessage) {
  Clue& text = clue("json.invalid.truncated", Symptom::kEnd);
  text.trigger.seq = 1;
  Clue& value = clue("jsonrpc.message.primitive-top-level", Symptom::kEnd);
  value.trigger.seq = 1;
  value.trigger.is_json = true;
  std::vector<std::string> cited;
  for (const Cause& cause : found("jsonrpc-2.0")) cited.push_back(cause.requirement);
  EXPECT_THAT(cited, ElementsAre("jsonrpc.robust.survives-parse-error",
                                 "jsonrpc.robust.survives-invalid-request"));
}

TEST_F(Causes, LayTheEndAfterABatchToWhatItsCaseIsAbout) {
  Clue& batch = clue("mcp.ping.result", Symptom::kEnd);
  batch.trigger.seq = 1;
  batch.trigger.is_json = true;
  batch.trigger.kind = wire::MessageKind::kBatch;
  results_.back().requirements = {"mcp.base.batch.responses-batch"};
  EXPECT_EQ(found("mcp-2025-03-26")[0].requirement, "mcp.base.batch.responses-batch");
  EXPECT_EQ(found("mcp-2025-03-26")[0].title, "A batch ends the connection");
  clues_.all.back().trigger.flaw = "an empty batch";
  EXPECT_EQ(found("mcp-2025-03-26")[0].title, "An empty batch ends the connection");
  results_.back().requirements = {"jsonrpc.batch.large"};  // which permits
  EXPECT_EQ(found("mcp-2025-03-26")[0].requirement, "jsonrpc.request.reply-exactly-one")
      << "and never that of what is asked behind it";
}

TEST_F(Causes, LayAnEndAtALongMessageToTheLimitItsStepIsAbout) {
  Clue& end = about("ping", "jsonrpc.request.reply-exactly-one", oracle::Symptom::kEnd);
  end.trigger.bytes = 11 << 20;
  end.trigger.members["params.rpcspec"] = '"' + std::string(200, 'x') + '"';
  end.end = "exit 0";
  Clue second = end;
  second.about = "json.limit.text-size";
  clues_.all.push_back(second);
  clues_.survived.insert("method=ping");
  const std::vector<Cause> causes = found("jsonrpc-2.0");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "json.limit.text-size");
  EXPECT_EQ(causes[0].title, "The request ping of 11 MiB ends the process");
}

TEST_F(Causes, LayEndsAtMethodsThatNobodyHasToOneCause) {
  for (const char* method : {"resources/list", "PING", "no/such"}) {
    Clue& end = about(method, "mcp.base.unknown-method", oracle::Symptom::kEnd);
    end.end = "exit 217";
    end.why = std::string("Exception:Unknownmethod:") + method;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "A method that does not exist ends the process");
  EXPECT_EQ(found()[0].requirement, "mcp.base.unknown-method");
  clues_.served.insert("method=\"no/such\"");
  EXPECT_NE(found()[0].title, "A method that does not exist ends the process");
}

}  // namespace
}  // namespace harness::run
