// SPDX-License-Identifier: Apache-2.0
// Several findings laid to lines, sessions, connections and HTTP statuses.
#include <gmock/gmock.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

constexpr wire::TransportKind kHttp = wire::TransportKind::kHttp;

class OnConnections : public Causes {
 protected:
  Clue& unknown_session(const char* method, const char* requirement) {
    clues_.served.insert(std::string("method=\"") + method + "\"");  // in another session
    Clue& out = about(method, requirement);
    out.answered = out.came.message = clues_.sessions_given = true;
    out.came.status = 404;
    out.came.code = "-32600";
    out.came.text = "No such session";
    return out;
  }
  void passed() {
    CaseResult result;
    result.id = "b/passed";
    result.verdict = Verdict::kPass;
    results_.push_back(result);
  }
  std::vector<Cause> over_http() { return found("mcp-2025-11-25", kHttp); }
};

TEST_F(OnConnections, LayALineOfEachStartToTheStart) {
  const auto seen_by_oracle = [&](const char* clause, const char* text) {
    clue(clause).oracle = "stdout";
    results_.back().findings.front().came.texts = {text};
  };
  seen_by_oracle("mcp.stdio.stdout-only-messages", "\"Example Server\"");
  clue("mcp.lifecycle.initialized-no-reply").garbled = "mcp.stdio.stdout-only-messages";
  clue("mcp.stdio.no-startup-output");
  seen_by_oracle("mcp.stdio.no-startup-output", "\"Example Server\"");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.stdio.no-startup-output");
  EXPECT_THAT(causes[0].findings, SizeIs(4));
  Clue& answered = about("initialize", "mcp.lifecycle.version-negotiation-fallback");
  answered.garbled = "mcp.stdio.stdout-only-messages";
  answered.answered = answered.came.message = true;
  EXPECT_THAT(found(), SizeIs(2)) << "its own reply was read";
  clues_.all.pop_back();
  seen_by_oracle("mcp.stdio.stdout-only-messages", "\"debug\"");  // something else, later
  EXPECT_THAT(found(), SizeIs(2));
}

TEST_F(OnConnections, LayLostSessionsToIdsThatAreGivenTwice) {
  passed();
  Clue& twice = clue("mcp.http.session-id-unique-random");
  results_.back().findings.front().step = "after DELETE";
  twice.answered = true;
  unknown_session("ping", "mcp.base.utf8");
  unknown_session("ping", "mcp.ping.result").symptom = oracle::Symptom::kHang;
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "A session id is given to a second session");
  results_[1].findings.front().step = "";
  EXPECT_GT(over_http().size(), 1u) << "they are only short";
}

TEST_F(OnConnections, KnowSessionsThatAreEndedInUse) {
  passed();
  unknown_session("ping", "mcp.base.utf8");
  unknown_session("tools/list", "mcp.tools.list-answered");
  clues_.canaries_answered = 1;
  EXPECT_THAT(over_http(), SizeIs(2)) << "two cases may have ended theirs";
  unknown_session("tools/call", "mcp.tools.call-result-content-array");
  std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.lifecycle.concurrent-sessions");
  clue("mcp.http.session-delete-without-id").came.status = 404;
  causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.lifecycle.concurrent-sessions");
  clues_.all.back().came.status = 200;
  causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.session-delete-without-id");
  EXPECT_EQ(causes[0].findings[0].case_id, results_.back().id);
}

TEST_F(OnConnections, KnowABodyThatIsLeftToTheNextRequest) {
  Clue& next = about("ping", "mcp.http.session-terminated-404");
  next.answered = next.reused = true;
  next.came.status = 501;
  next.before = 404;
  EXPECT_EQ(over_http()[0].requirement, "mcp.http.connection-reuse");
  for (const bool reused : {true, false}) {
    Clue& get = clue("mcp.http.origin-on-all-methods");
    get.came.status = 501;
    get.before = 404;
    get.reused = reused;
    get.wants_stream = !reused;
    EXPECT_THAT(over_http().back().findings, SizeIs(reused ? 2 : 1)) << "or any GET is answered so";
  }
  clues_.all.resize(1);
  clues_.all[0].before = 200;  // its body was read
  EXPECT_EQ(over_http()[0].requirement, "mcp.http.session-terminated-404");
}

TEST_F(OnConnections, KnowConnectionsThatServeOneRequest) {
  for (const char* clause : {"mcp.base.utf8", "mcp.tools.list-answered", "mcp.base.unknown-method"})
    about("ping", clause, oracle::Symptom::kHang).reused = true;
  const std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.connection-reuse");
  EXPECT_THAT(causes[0].sentence, HasSubstr("Only the first request"));
  clues_.reused_answered = 1;
  EXPECT_NE(over_http()[0].requirement, "mcp.http.connection-reuse");
}

TEST_F(OnConnections, KnowLongLinesThatAreNotWrittenAsOne) {
  Clue& line = clue("mcp.stdio.stdout-only-messages");
  line.oracle = "stdout";
  line.row = "a/2";
  about("ping", "mcp.ping.result", oracle::Symptom::kHang);
  EXPECT_THAT(found(), SizeIs(2));
  clues_.all[1].parted = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.stdio.long-output-line");
  clues_.all[1].parted = false;
  clues_.all[1].mixed = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.stdio.stdout-only-messages");
  EXPECT_EQ(found()[0].title, "Messages are interleaved");
  clues_.all[0].oracle = "json-output";
  EXPECT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].requirement, "json.output.grammar")
      << "where no clause of MCP is";
  Clue& behind = clue("jsonrpc.request.pipelined");
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2));
  behind.garbled = "json.output.grammar";
  clues_.all[0].requirement = "json.output.grammar";
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1)) << "one stood behind another there";
}

TEST_F(OnConnections, KnowEndedSessionsThatAreRefusedAlike) {
  for (const char* clause : {"mcp.http.session-terminated-404", "mcp.http.session-unknown-404"}) {
    about("ping", clause).came = {401, "", "who?", true};
    wanted("404");
  }
  EXPECT_THAT(over_http(), SizeIs(1));
  clues_.all.back().came.status = 400;
  EXPECT_THAT(over_http(), SizeIs(2));
}

TEST_F(OnConnections, KnowAnEndedSessionThatIsRefusedWithA200) {
  for (const char* clause : {"mcp.http.session-terminated-404", "mcp.http.session-malformed-id",
                             "mcp.base.error-readable-id-required"}) {
    Clue& refused = about("ping", clause);
    refused.came = {200, "-32001", "Session not found", true};
    if (refused.requirement.ends_with("-404")) wanted("404");
    if (refused.requirement.starts_with("mcp.base.")) refused.oracle = "replies";
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.http.session-terminated-404");
  clues_.all[0].came = {200, "", "", true};  // it is served
  EXPECT_THAT(found("mcp-2025-11-25", kHttp), SizeIs(3));
}

TEST_F(OnConnections, KnowThatNobodyLooksAtSessionIds) {
  for (const char* clause : {"mcp.http.session-missing-400", "mcp.http.session-terminated-404",
                             "mcp.http.session-unknown-404"}) {
    Clue& answered = about("ping", clause);
    answered.answered = true;
    answered.came = {200, "", "", true};
  }
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Session ids are not checked");
  EXPECT_EQ(over_http()[0].requirement, "mcp.http.session-terminated-404");
  clues_.all[0].came = {400, "-32000", "No session", true};
  EXPECT_THAT(over_http(), SizeIs(3)) << "one is looked at";
  clues_.all[0].came = {200, "", "", true};
  clues_.all[0].requirement = "mcp.http.session-id-charset";
  EXPECT_THAT(over_http(), SizeIs(3)) << "what is wrong with an id is another matter";
}

TEST_F(OnConnections, TellA202WithoutAnEndAsThat) {
  for (const char* clause : {"mcp.http.notification-202", "mcp.base.notification-no-response"}) {
    Clue& note = about("notifications/cancelled", clause);
    note.trigger.kind = wire::MessageKind::kNotification;
    note.answered = true;
    results_.back().findings.front().came.came = oracle::BrokenOff{"no-end"};
  }
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "HTTP 202 has no length and no end");
  for (const char* why : {"eof", "timeout"}) {
    for (CaseResult& result : results_) result.findings.front().came.came = oracle::BrokenOff{why};
    EXPECT_NE(over_http()[0].title, "HTTP 202 has no length and no end");
  }
}

TEST_F(OnConnections, KnowFragmentsThatAreTakenForMessages) {
  for (const char* clause : {"ws.frame.fragmentation", "mcp.base.error-readable-id-required"}) {
    Clue& part = about("ping", clause);
    part.came = {0, "-32700", "Parse error", true};
    part.trigger.raw_frames = true;
    if (part.requirement.starts_with("mcp.")) {
      part.oracle = "replies";
      part.row = "ws/frame/fragmentation";
    }
  }
  std::vector<Cause> causes = found("mcp-2025-11-25", wire::TransportKind::kWebSocket);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "ws.frame.fragmentation");
  clues_.all[0].came.code = "-32600";
  EXPECT_THAT(found("mcp-2025-11-25", wire::TransportKind::kWebSocket), SizeIs(2));
}

TEST_F(OnConnections, KnowRefusalsThatLackTheirStatus) {
  const auto refused = [&](const char* clause) -> Clue& {
    Clue& out = about("tools/list", clause);
    out.answered = out.came.message = true;
    out.came.status = 200;
    out.came.code = "-32600";
    out.came.text = "Unauthorized";
    wanted("401");
    return out;
  };
  refused("mcp.auth.401-all-methods");
  refused("mcp.auth.401-invalid-token");
  refused("mcp.base.error-readable-id-required").oracle = "replies";
  std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.auth.401-when-required");
  EXPECT_THAT(causes[0].sentence, HasSubstr("HTTP 200"));
  for (Clue& clue : clues_.all) clue.came.code.clear();  // it is served
  EXPECT_THAT(over_http()[0].title, testing::Not(HasSubstr("without valid credentials are not")));
}

TEST_F(OnConnections, KnowWhoReadsTheLengthInTheFirstHeaderFieldAlone) {
  const auto unread = [&](const char* id, const char* clause, const char* row) -> Clue& {
    Clue& out = about("none", clause, oracle::Symptom::kSilence);
    out.ref.case_id = results_.back().id = id;
    out.row = row;
    out.trigger.own_header = true;
    return out;
  };
  unread("lsp/framing/unknown-field", "lsp.framing.unknown-field-ignored", "before the length");
  unread("lsp/framing/media-type-other", "lsp.requests.answered-once", "type = a/b");
  unread("lsp/framing/content-type", "lsp.framing.content-type-in", "");
  EXPECT_THAT(found("lsp"), SizeIs(3)) << "one field of one name";
  results_.back().findings.front().step = "before the length";
  const std::vector<Cause> causes = found("lsp");
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "lsp.framing.content-type-in");
  EXPECT_THAT(causes[0].title, HasSubstr("first header field"));
  clues_.all.front().row = "behind the length";
  EXPECT_THAT(found("lsp"), SizeIs(3)) << "wherever it stands";
}

TEST_F(OnConnections, SayThatAnUnfinishedBodyHoldsUpOthers) {
  about("", "mcp.ping.result", oracle::Symptom::kHang).trigger.unfinished = true;
  const std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.ping.prompt");
  EXPECT_EQ(causes[0].title, "An unfinished body blocks other requests");
}

// It has no id, and comes while something else is asked.
TEST_F(OnConnections, LayAnAnswerThatNamesNobodyToTheNotificationItIsFor) {
  oracle::Observation came;
  came.texts = {R"({"jsonrpc":"2.0","result":{}})"};
  came.came = oracle::ResultCame{};
  came.unnamed = true;
  for (int i = 0; i < 3; ++i) {
    Clue& note = about("notifications/progress", "mcp.base.notification-no-response");
    note.trigger.kind = wire::MessageKind::kNotification;
    note.answered = note.came.message = true;
    note.came.status = 200;
    results_.back().findings.front().came = came;
  }
  clue("mcp.base.response-same-id").symptom = oracle::Symptom::kAnswer;
  results_.back().findings.front().came = came;
  std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.notification-no-response");
  results_.back().findings.front().came.texts = {R"({"jsonrpc":"2.0","result":{"tools":[]}})"};
  EXPECT_THAT(over_http(), SizeIs(2)) << "that was said to none of them";
  Clue& invalid = clues_.all.back();  // the same again, for what is no request
  invalid.trigger.seq = 1;
  invalid.trigger.valid = false;
  results_.back().findings.front().came.texts = came.texts;
  EXPECT_THAT(over_http(), SizeIs(2)) << "it came in an exchange of its own";
}

TEST_F(Causes, KnowOneStatusForAllErrors) {
  const auto failed = [&](Clue& out, bool json) -> Clue& {
    out.trigger.seq = out.trigger.bytes = 9;
    out.trigger.is_json = json;
    out.answered = true;
    out.came.status = 500;
    out.came.text = "Invalid Request";
    return out;
  };
  failed(about("no/such", "jsonrpc.error.method-not-found-code"), true);
  results_.back().findings.front().wanted.codes = {-32601};
  failed(clue("jsonrpc.request.method-missing"), true);
  failed(clue("json.invalid.truncated"), false);
  const auto told = [&] { return found("jsonrpc-2.0", kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "Errors are answered with HTTP 500 and no JSON-RPC response");
  EXPECT_EQ(told()[0].requirement, "jsonrpc.error.method-not-found-code");
  clues_.all.back().came.code = "-32700";
  EXPECT_THAT(told(), SizeIs(2)) << "text that is not JSON gets a JSON-RPC error";
  clues_.all[1].came.code = "-32600";
  EXPECT_NE(told()[0].title, "Errors are answered with HTTP 500 and no JSON-RPC response");
}

TEST_F(OnConnections, KnowStatusesInPlaceOfAllErrors) {
  const auto refused = [&](const char* method, const char* clause, int status) {
    Clue& out = about(method, clause);
    out.answered = out.came.message = true;
    out.came.status = status;
    out.came.text = "no such thing";
  };
  refused("no/such", "mcp.base.unknown-method", 404);
  results_.back().findings.front().wanted.codes = {-32601};
  refused("tools/call", "mcp.tools.call-unknown-tool", 404);
  refused("tools/call", "mcp.tools.call-params-missing", 400);
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Errors are HTTP statuses and no JSON-RPC responses");
  EXPECT_EQ(over_http()[0].requirement, "mcp.base.unknown-method");
  clues_.all.back().came.code = "-32602";
  EXPECT_NE(over_http()[0].title, "Errors are HTTP statuses and no JSON-RPC responses");
}

TEST_F(Causes, TellOfAClauseAtWhichTheServerFailsOnceForAllMethods) {
  clues_.served = {"method=\"tools/call\"", "method=\"tools/list\""};
  for (const char* method : {"tools/call", "tools/list"}) {
    Clue& failed = about(method, "mcp.meta.wrong-type-in-request");
    failed.came.status = 500;
    failed.answered = true;
  }
  const auto causes = found("mcp-2025-11-25", wire::TransportKind::kHttp);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.meta.wrong-type-in-request");
}

TEST_F(Causes, KnowErrorsThatAreTextsAndNotTheBatchesBesideThem) {
  const auto refused = [&](const char* clause, const char* text) -> Clue& {
    Clue& out = about("get", clause);
    out.trigger.seq = out.trigger.bytes = 9;
    out.answered = out.came.message = true;
    out.came.text = text;
    return out;
  };
  for (const char* clause : {"json.valid.number-forms", "json.valid.long-string"}) {
    refused(clause, "invalid_params");
    results_.back().findings.front().wanted.codes = {-32601, -32602};
  }
  refused("jsonrpc.error.method-not-found-code", "unknown");
  results_.back().findings.front().wanted.error = true;
  refused("json.limit.many-members", "invalid_params");
  ASSERT_THAT(found("jsonrpc-2.0"), SizeIs(1));
  EXPECT_EQ(found("jsonrpc-2.0")[0].title, "Errors have no integer code");
  Clue& batch = refused("jsonrpc.batch.array-response", "unknown");
  batch.trigger.kind = wire::MessageKind::kBatch;
  batch.below = "jsonrpc.error.is-object";
  results_.back().findings.front().wanted.error = true;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "an object came for an array";
}

TEST_F(Causes, TellOnceOfAFlawAtWhichTheServerFails) {
  const auto failed = [&](const char* clause, const char* flaw) {
    Clue& out = clue(clause);
    out.trigger.seq = 1;
    out.trigger.is_json = out.answered = true;
    out.trigger.flaw = flaw;
    out.came.status = 500;
  };
  failed("jsonrpc.request.reply-exactly-one", "a method that is not a string");
  failed("jsonrpc.request.method-not-string", "a method that is not a string");
  const auto told = [&] { return found("jsonrpc-2.0", kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].requirement, "jsonrpc.request.method-not-string");
  clues_.all.back().trigger.flaw = "params of a wrong type";
  EXPECT_THAT(told(), SizeIs(2));
  failed("jsonrpc.message.empty-object", "a message without a method");
  ASSERT_THAT(told(), SizeIs(1)) << "it is not the flaw";
  EXPECT_EQ(told()[0].title, "Messages that are not valid are answered with HTTP 500");
}

TEST_F(OnConnections, KnowInvalidFramesThatAreReadOrIgnored) {
  const auto over_websocket = [&] {
    return found("mcp-2025-11-25", wire::TransportKind::kWebSocket);
  };
  for (const char* clause : {"ws.frame.reserved-bits", "ws.frame.unknown-opcode"}) {
    Clue& frames = clue(clause, oracle::Symptom::kSilence);
    frames.trigger.seq = 1;
    frames.trigger.raw_frames = true;
  }
  ASSERT_THAT(over_websocket(), SizeIs(1));
  EXPECT_EQ(over_websocket()[0].title, "Invalid WebSocket frames do not close the connection");
  Clue& pieces = about("ping", "mcp.ping.result", oracle::Symptom::kEnd);
  results_.back().requirements = {"ws.frame.fragmentation"};
  pieces.end = "eof";
  ASSERT_THAT(over_websocket(), SizeIs(2));
  EXPECT_EQ(over_websocket()[0].title, "A fragmented message is not reassembled");
  pieces.end = "exit 1";
  EXPECT_THAT(over_websocket()[0].title, EndsWith(" ends the process"));
}

TEST_F(OnConnections, TellOnceOfAllInvalidMessagesThatCloseTheConnection) {
  for (const bool json : {false, true}) {
    Clue& closed = clue("jsonrpc.request.reply-exactly-one", oracle::Symptom::kHang);
    closed.trigger.seq = 1;
    closed.trigger.is_json = json;
    closed.broken_off = true;
  }
  // An oracle sees of one of them that nothing came.
  Clue& missed = clue("jsonrpc.request.method-not-string", oracle::Symptom::kSilence);
  missed.trigger.seq = 1;
  missed.trigger.is_json = true;
  missed.oracle = "model";
  const std::vector<Cause> causes = over_http();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].title, "Some invalid messages get no response");
  EXPECT_THAT(causes[0].sentence,
              HasSubstr("JSON that is not a valid message, or text that is not JSON"));
}

TEST_F(OnConnections, TellOnceOfTextAtWhichTheServerFails) {
  for (const char* flaw : {"text that is not JSON", "text that is not UTF-8"}) {
    for (const char* clause : {"json.invalid.comments", "json.invalid.truncated"}) {
      Clue& text = clue(clause);
      text.trigger.seq = 1;
      text.trigger.flaw = flaw;
      text.answered = true;
      text.came.status = 500;
    }
  }
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Text that is not JSON is answered with HTTP 500");
  for (Clue& text : clues_.all) text.trigger.deep = true;
  EXPECT_EQ(over_http()[0].title, "A deeply nested message is answered with HTTP 500");
}

TEST_F(OnConnections, KnowThatGetIsServedInAnySession) {
  for (const char* clause : {"mcp.http.session-terminated-404", "mcp.http.session-unknown-404"}) {
    Clue& stream = clue(clause);
    stream.answered = true;
    stream.came.status = 200;
  }
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "GET is served whatever its session id is");
  clues_.all[0].trigger.valid = true;
  EXPECT_THAT(over_http(), SizeIs(2)) << "a POST is, too";
}

TEST_F(OnConnections, TellWhatIsAcceptedInTheSameWrongWayOnce) {
  about("notifications/cancelled", "mcp.http.notification-202").trigger.kind =
      wire::MessageKind::kNotification;
  wanted("202");
  clue("mcp.http.unacceptable-input-4xx");
  results_.back().findings.front().came.came = oracle::NoMessageInAnswer{};
  for (Clue& one : clues_.all) {
    one.answered = true;
    one.came.status = 200;
  }
  ASSERT_THAT(over_http(), SizeIs(1));
  EXPECT_EQ(over_http()[0].title, "Accepted messages are answered with HTTP 200");
  clues_.all[1].came.status = 204;
  EXPECT_THAT(over_http(), SizeIs(2));
}

TEST_F(Causes, TellOfNamesThatAreFoundByAccidentAlone) {
  about("toString", "jsonrpc.request.hostile-method-names").answered = true;
  Clue& seen = about("__proto__", "jsonrpc.error.method-not-found-code");
  seen.oracle = "model";
  seen.row = "a/1";
  seen.came.code = "-32000";
  seen.answered = true;
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(2)) << "so it may be with any name";
  CaseResult ordinary;
  ordinary.id = "a/9";
  ordinary.requirements = {"jsonrpc.error.method-not-found-code"};
  ordinary.verdict = Verdict::kPass;
  results_.push_back(ordinary);
  EXPECT_THAT(found("jsonrpc-2.0"), SizeIs(1));
}

TEST_F(Causes, TellOfStringIdsThatAreRefusedButNotOfThoseThatComeBackAsNumbers) {
  for (int i = 0; i < 4; ++i) {
    Clue& refused = about("add", "jsonrpc.id.unicode-echo");
    refused.trigger.members["id"] = "a string";
    refused.answered = true;
    refused.came.status = 400;
    refused.came.text = "Bad Request";
  }
  const auto told = [&] { return found("jsonrpc-2.0", wire::TransportKind::kHttp); };
  ASSERT_THAT(told(), SizeIs(1));
  EXPECT_EQ(told()[0].title, "A request whose id is a string is refused");
  Clue& coerced = clues_.all.back();
  coerced.came = {};
  coerced.came.message = true;
  EXPECT_THAT(told(), SizeIs(2));
}

TEST_F(Causes, TellWhatIsWrongWithPingsOnce) {
  Clue& own = about("ping", "mcp.ping.result");
  own.answered = own.came.message = true;
  own.came.result = "\"pong\"";
  Clue& seen = clue("mcp.base.result-is-object");
  seen.oracle = "shapes";
  EXPECT_THAT(found(), SizeIs(1));
  clues_.all[0].came.result = "{\"ok\":true}";
  EXPECT_THAT(found(), SizeIs(2)) << "that is an object";
}

TEST_F(Causes, TellARequestThatComesTooEarlyFromOneThatWasNotDeclared) {
  clue("mcp.lifecycle.no-server-requests-before-initialized").asks_client = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].requirement, "mcp.lifecycle.no-server-requests-before-initialized");
  clue("mcp.lifecycle.only-negotiated-capabilities-strict").asks_client = true;
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "The server asks a client for what it did not declare");
}

}  // namespace
}  // namespace harness::run
