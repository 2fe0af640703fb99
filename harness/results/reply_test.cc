// SPDX-License-Identifier: Apache-2.0
// Grading, both ways: each kind of outcome is shown a reply it takes and one it refuses.
#include "harness/results/reply.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/yaml.h"
#include "harness/oracle/finding_words.h"
#include "harness/suite/testing.h"

namespace harness::run {

void PrintTo(Grade grade, std::ostream* out) {
  constexpr const char* kNames[] = {"pass", "note", "warn", "fail", "breach"};
  *out << kNames[static_cast<int>(grade)];
}

namespace {

constexpr Grade kPass = Grade::kPass, kNote = Grade::kNote, kWarn = Grade::kWarn,
                kFail = Grade::kFail, kBreach = Grade::kBreach;

json::Value yaml(const std::string& text) {
  auto value = json::read_yaml(text, "t.yaml");
  if (!value) throw std::runtime_error(value.error().text());
  return *value;
}

// What came back, in short: the frame was a valid request with the id 7 unless said otherwise.
struct Came {
  std::vector<std::string> messages;
  std::string own_id = "7";  // JSON; "" for a frame without a readable id
  bool valid_request = true;
  bool readable = true;
  bool garbage = false;
  bool waited = false;
  bool asked = false;
  bool closed = false;
  bool exited = false;
  std::string how;
  std::optional<wire::Exchange> http;
  const char* profile = "mcp-2025-06-18";
  std::optional<std::int64_t> usual_error;  // see Offer
};

Came said(const std::string& message) {
  Came came;
  came.messages.push_back(message);
  return came;
}
Came said(const std::string& one, const std::string& other) {
  Came came = said(one);
  came.messages.push_back(other);
  return came;
}
Came silence() { return {}; }
Came under(const char* profile, Came came) {
  came.profile = profile;
  return came;
}
// To text that was not JSON.
Came to_garbage(Came came) {
  came.own_id.clear();
  came.valid_request = came.readable = false;
  return came;
}
// To JSON that was no valid request but had the id 7.
Came to_invalid(Came came) {
  came.valid_request = false;
  return came;
}
Came died(const std::string& how) {
  Came came;
  came.closed = came.exited = true;
  came.how = how;
  return came;
}
Came http(int status, Came came = {}) {
  came.http.emplace();
  came.http->status = status;
  came.http->ended = true;
  return came;
}

const char* const kResult = R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})";
const char* const kNotFound = R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"m"}})";
const char* const kParseError =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}})";
const char* const kBoth =
    R"({"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}})";

// Keeps what a Reply points to.
struct Graded_ {
  Graded graded;
  std::string seen;
};
Graded_ judged(const std::string& outcomes, const Came& came) {
  static const match::Shapes kShapes;
  const spec::Profile& profile = *spec::find_profile(came.profile);
  const spec::Canary canary = spec::canary_of(profile);
  const match::MatchContext match{kShapes, profile};
  const Judging judging{match,
                        profile,
                        came.http ? wire::TransportKind::kHttp : wire::TransportKind::kStdio,
                        suite::own_suite().sets,
                        canary,
                        came.usual_error};
  std::deque<trace::Inbound> inbox;
  Reply reply;
  for (const std::string& text : came.messages) {
    trace::Inbound inbound;
    inbound.message = wire::read_shared(text);
    inbox.push_back(inbound);
    reply.messages.push_back(&inbox.back());
  }
  trace::Inbound garbage;
  if (came.garbage) reply.garbage = &garbage;
  if (!came.own_id.empty()) reply.own_id = wire::id_key(json::parse(came.own_id));
  reply.valid_request = came.valid_request;
  reply.readable = came.readable;
  reply.closed = came.closed;
  reply.waited = came.waited;
  reply.asked = came.asked;
  reply.exited = came.exited;
  reply.how = came.how;
  if (came.http) reply.http = &*came.http;
  reply.canary_answered = !came.closed && !came.http;
  return {grade(suite::outcomes_of(outcomes), reply, judging), oracle::words(observed(reply))};
}
Grade grade_of(const std::string& outcomes, const Came& came) {
  return judged(outcomes, came).graded.grade;
}

struct Row {
  const char* outcomes;
  Came came;
  Grade grade;
};
void expect_all(const std::vector<Row>& rows) {
  int number = 0;
  for (const Row& row : rows)
    EXPECT_EQ(grade_of(row.outcomes, row.came), row.grade)
        << "row " << number++ << ": " << row.outcomes << " seeing "
        << judged(row.outcomes, row.came).seen;
}

TEST(Grade, FitsEachWordToWhatItMeansAndNothingElse) {
  Came garbage;
  garbage.garbage = true;
  Came closed;
  closed.closed = true;
  Came waited = silence();
  waited.waited = true;
  Came asked = waited;
  asked.asked = true;
  expect_all({
      {"silence", silence(), kPass},
      {"silence", said(kResult), kBreach},
      {"silence", garbage, kBreach},
      {"silence", died("exit 1"), kBreach},
      {"silence", closed, kBreach},
      {"any-reply", said(kNotFound), kPass},
      {"any-reply", silence(), kBreach},
      {"any-reply", garbage, kBreach},
      {"late", waited, kPass},
      {"late", asked, kPass},
      {"late-unasked", waited, kPass},
      {"late-unasked", asked, kBreach},
      {"late", silence(), kBreach},
      {"late", said(kResult), kBreach},
      {"late", died("exit 0"), kBreach},
      {"alive", silence(), kPass},
      {"alive", died("exit 0"), kBreach},
      {"alive", closed, kBreach},
      {"exited", died("exit 0"), kPass},
      {"exited", closed, kBreach},
      {"closed", closed, kPass},
      {"closed", silence(), kBreach},
      {"{exited: true, status: 'exit 0'}", died("exit 0"), kPass},
      {"{exited: true, status: 'exit 0'}", died("signal 9"), kBreach},
      {"{silence: true}", said(kResult), kBreach},
      {"{is: silence}", silence(), kPass},
      {"no-such-set", silence(), kBreach},
  });
}

TEST(Grade, KnowsWhatTheCanaryNormallyGets) {
  expect_all({
      {"normal", said(kResult), kPass},
      {"normal", said(kNotFound), kBreach},
      {"normal", said(kBoth), kBreach},
      {"normal", said(R"({"jsonrpc":"2.0","id":7,"result":"text"})"), kBreach},  // MCP: objects
      {"normal", said(R"({"jsonrpc":"2.0","id":8,"result":{}})"), kBreach},
      {"normal", silence(), kBreach},
      {"normal", under("jsonrpc-2.0", said(kNotFound)), kPass},
      {"normal", under("jsonrpc-2.0", said(kResult)), kBreach},
  });
}

TEST(Grade, TakesTheKindOfResponseThatWasNamed) {
  expect_all({
      {"{result: $any}", said(kResult), kPass},
      {"{result: {a: 1}}", said(kResult), kPass},
      {"{result: {a: 2}}", said(kResult), kBreach},
      {"{result: $any}", said(kNotFound), kBreach},
      {"{result: $any}", said(kBoth), kBreach},
      {"{result: $any}", silence(), kBreach},
      {"{error: {code: -32601}}", said(kNotFound), kPass},
      {"{error: {code: -32602}}", said(kNotFound), kBreach},
      {"{error: {}}", said(kResult), kBreach},
      {"{error: $any}", said("[]"), kBreach},
      {"[{error: {code: -32602}}, {error: {code: -32601}}]", said(kNotFound), kPass},
      {"{all: [any-reply, {result: $any}]}", said(kResult), kPass},
      {"{all: [any-reply, {result: $any}]}", said(kNotFound), kBreach},
  });
}

TEST(Grade, WantsTheOwnIdUnderAReplyToAValidRequest) {
  expect_all({
      {"{result: $any}", said(R"({"jsonrpc":"2.0","id":7,"result":{}})"), kPass},
      {"{result: $any}", said(R"({"jsonrpc":"2.0","id":7.0,"result":{}})"), kPass},
      {"{result: $any}", said(R"({"jsonrpc":"2.0","id":"7","result":{}})"), kBreach},
      {"{result: $any}", said(R"({"jsonrpc":"2.0","id":8,"result":{}})"), kBreach},
      {"{result: $any}", said(R"({"jsonrpc":"2.0","id":null,"result":{}})"), kBreach},
      {"{result: $any}", said(R"({"jsonrpc":"2.0","result":{}})"), kBreach},
      {"{error: $any}", said(kParseError), kBreach},
      {"{error: $any}", said(R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"}})"), kBreach},
  });
}

TEST(Grade, LetsErrorsToInvalidRequestsGoUnderNullOrNoId) {
  expect_all({
      {"{error: $any}", to_invalid(said(kNotFound)), kPass},
      {"{error: $any}", to_invalid(said(kParseError)), kPass},
      {"{error: $any}", to_invalid(said(R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"}})")),
       kPass},
      {"{error: $any}",
       to_invalid(said(R"({"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"m"}})")), kBreach},
      {"{result: $any}", to_invalid(said(kResult)), kPass},
      {"{result: $any}", to_invalid(said(R"({"jsonrpc":"2.0","id":null,"result":{}})")), kBreach},
      {"{result: $any}", to_invalid(said(R"({"jsonrpc":"2.0","result":{}})")), kBreach},
  });
}

TEST(Grade, LetsAResultToTextThatIsNotJsonHaveTheIdALenientParserRead) {
  expect_all({
      {"{error: $any}", to_garbage(said(kParseError)), kPass},
      {"{error: $any}", to_garbage(said(kNotFound)), kBreach},
      {"{result: $any}", to_garbage(said(kResult)), kPass},
      {"{result: $any}", to_garbage(said(R"({"jsonrpc":"2.0","result":{}})")), kBreach},
  });
}

TEST(Grade, LooksAtTheIdTheOutcomeNames) {
  expect_all({
      {"{error: $any, id: $null}", to_garbage(said(kParseError)), kPass},
      {"{error: $any, id: $absent}", to_garbage(said(kParseError)), kBreach},
      {"{error: $any, id: $absent}",
       to_garbage(said(R"({"jsonrpc":"2.0","error":{"code":1,"message":"m"}})")), kPass},
      {"{error: $any, id: own}", to_invalid(said(kNotFound)), kPass},
      {"{error: $any, id: own}", to_invalid(said(kParseError)), kBreach},
      {"{error: $any, id: own}", to_garbage(said(kNotFound)), kBreach},
      {"{result: $any, id: $integer}", said(kResult), kPass},
      {"{result: $any, id: $string}", said(kResult), kBreach},
  });
}

TEST(Grade, MatchesWholeMessagesAndSeveralOfThem) {
  expect_all({
      {"{message: {id: 7, result: {a: $integer}}}", said(kResult), kPass},
      {"{message: {id: 8}}", said(kResult), kBreach},
      {"{message: $absent}", silence(), kPass},
      {"{message: $absent}", said(kResult), kBreach},
      {"{message: {$permutation: [{id: 2}, {id: 1}]}}", said(R"([{"id":1},{"id":2}])"), kPass},
      {"{message: {$permutation: [{id: 2}, {id: 1}]}}", said(R"([{"id":1}])"), kBreach},
      {"{separate: [{id: 2}, {id: 1}]}", said(R"({"id":1})", R"({"id":2})"), kPass},
      {"{separate: [{id: 2}, {id: 1}]}", said(R"({"id":1})", R"({"id":1})"), kBreach},
      {"{separate: [{id: 1}]}", said(R"({"id":1})", R"({"id":2})"), kBreach},
      {"{separate: []}", silence(), kPass},
  });
}

TEST(Grade, ReadsHttpStatusBodyAndHeaders) {
  Came typed = http(200, said(kResult));
  typed.http->headers.push_back({"Content-Type", "application/json"});
  typed.http->headers.push_back({"Vary", "Origin"});
  typed.http->headers.push_back({"vary", "Accept"});
  Came text = http(200);
  text.http->body = "hello";
  Came blocked = http(403);
  blocked.http->body = "<hr><center>nginx</center>";
  Came limited = http(429, to_garbage({}));
  limited.http->body = "local_rate_limited";
  Came broken = http(503);
  broken.http->body = "no healthy upstream";
  Came reset = http(0);
  reset.http->failure = "reset";
  expect_all({
      {"{http: 4xx}", http(404), kPass},
      {"{http: 4xx}", http(500), kBreach},
      {"{http: 4xx, message: $absent}", http(404, said(R"({"detail":"Not Found"})")), kPass},
      {"{http: 4xx, message: $absent}", http(404, said(kNotFound)), kBreach},
      {"{http: 4xx, message: $absent}", http(404, said(R"({"error":{"code":-32601}})")), kBreach},
      // A gateway refused it: neither to the merit of the target nor its mistake. Behind one that
      // fails, the target may have ended.
      {"{http: 4xx}", blocked, kNote},
      {"{result: $any}", limited, kNote},
      {"{result: $any}", broken, kBreach},
      {"{http: 4xx}", silence(), kBreach},  // stdio has no status
      {"{http: 404}", http(400), kBreach},
      {"{http: none}", http(0), kPass},
      {"{http: none}", http(200), kBreach},
      {"{http: [400, 5xx]}", http(503), kPass},
      {"{http: [400, 5xx]}", http(404), kBreach},
      {"{http: 400, error: {code: -32601}}", http(400, said(kNotFound)), kPass},
      {"{http: 400, error: {code: -32601}}", http(200, said(kNotFound)), kBreach},
      {"{http: 202, body: empty}", http(202), kPass},
      {"{http: 200, body: empty}", text, kBreach},
      {"{http: 200, body: hello}", text, kPass},
      {"{http: 200, headers: {content-type: {$regex: json}}}", typed, kPass},
      {"{http: 200, headers: {content-type: {$regex: xml}}}", typed, kBreach},
      {"{http: 200, headers: {Vary: \"Origin, Accept\"}}", typed, kPass},
      {"{http: 200, headers: {Allow: $absent}}", typed, kPass},
      {"{http: 200, headers: {Allow: $any}}", typed, kBreach},
      {"silence", http(202), kPass},
      {"silence", http(400), kBreach},
      {"silence", reset, kBreach},
  });
}

TEST(Grade, TakesTheFirstGradeThatFits) {
  const char* const kGraded =
      "{pass: [{error: {code: -32600}}], note: [silence], warn: [{error: $any, because: odd}],\n"
      " fail: [{result: $any, breaks: some.clause}]}";
  expect_all({
      {kGraded, said(R"({"id":7,"error":{"code":-32600}})"), kPass},
      {kGraded, silence(), kNote},
      {kGraded, said(kNotFound), kWarn},
      {kGraded, said(kResult), kFail},
      {kGraded, died("exit 1"), kBreach},
      {"{pass: silence}", silence(), kPass},
      {"{warn: [any-reply], fail: [any-reply]}", said(kResult), kWarn},
  });
  EXPECT_EQ(judged(kGraded, said(kResult)).graded.breaks, "some.clause");
  EXPECT_EQ(judged(kGraded, said(kNotFound)).graded.because, "odd");
  EXPECT_FALSE(judged(kGraded, said(kNotFound)).graded.skip_rest);
  EXPECT_TRUE(judged("[silence, {result: {}, skip_rest: true}]", said(kResult)).graded.skip_rest);
  EXPECT_FALSE(judged("[silence, {result: {}, skip_rest: true}]", silence()).graded.skip_rest);
  EXPECT_EQ(judged(kGraded, silence()).graded.breaks, "");
  // An exchange that never ends breaks at least what silence does.
  const char* const kOwed = "{pass: [any-reply], fail: [{silence: true, breaks: some.clause}]}";
  Came open = http(0);
  open.http->ended = false;
  open.http->failure = "timeout";
  EXPECT_EQ(judged(kOwed, open).graded.grade, kBreach);
  EXPECT_EQ(judged(kOwed, open).graded.breaks, "some.clause");
  EXPECT_EQ(judged(kOwed, http(500)).graded.breaks, "");
}

TEST(Grade, SkipsOutcomesThatAreMeantForOthers) {
  const char* const kByProfile = "[{silence: true, when: {profiles: [mcp]}}]";
  const char* const kByTransport = "[{result: $any, when: {transports: [http]}}]";
  expect_all({
      {kByProfile, silence(), kPass},
      {kByProfile, under("jsonrpc-2.0", silence()), kBreach},
      {kByProfile, under("mcp-tutorial", silence()), kBreach},
      {kByTransport, http(200, said(kResult)), kPass},
      {kByTransport, said(kResult), kBreach},
  });
}

TEST(Grade, UsesNamedSetsWholeOrTheirLawfulPart) {
  expect_all({
      {"parse-error", to_garbage(said(kParseError)), kPass},
      {"parse-error", to_garbage(silence()), kWarn},
      {"parse-error", under("jsonrpc-2.0", to_garbage(silence())), kFail},
      {"parse-error", http(400, to_garbage(silence())), kPass},
      {"parse-error", http(500, to_garbage(silence())), kFail},
      {"parse-error", died("signal 11"), kBreach},
      // Inside a list the warnings of a set are not lawful.
      {"[parse-error]", to_garbage(said(kParseError)), kPass},
      {"[parse-error]", to_garbage(silence()), kBreach},
      {"{pass: [notification-silence]}", silence(), kPass},
      {"invalid-request", to_invalid(said(kResult)), kFail},
      {"invalid-request", to_invalid(said(kNotFound)), kWarn},
      {"good-json", said(kResult), kPass},
      {"good-json", silence(), kFail},
  });
}

TEST(Grade, SaysInWordsWhatWouldHaveBeenLawful) {
  EXPECT_EQ(
      judged("[{error: {code: -32600}}, {http: 4xx}, silence]", said(kResult)).graded.expected,
      "error -32600, or no reply");
  EXPECT_EQ(judged("[{error: {code: -32600}}, {all: [{http: 4xx}, {error: {code: -32020}}]}]",
                   said(kResult))
                .graded.expected,
            "error -32600");
  EXPECT_EQ(judged("[{error: {code: -32600}}, {http: 4xx}]", http(200)).graded.expected,
            "error -32600, or HTTP status 4xx");
  EXPECT_EQ(judged("{pass: [normal], fail: [silence]}", silence()).graded.expected,
            "the usual reply (a result)");
  EXPECT_EQ(judged("normal", under("jsonrpc-2.0", silence())).graded.expected,
            "the usual reply (error -32601)");
  EXPECT_EQ(judged("{error: $any, id: own}", silence())
                    .graded.expected.find("with the id of the request") != std::string::npos,
            true);
}

TEST(Grade, NamesStatusHeadersAndBodyOfWhatWouldHaveBeenLawful) {
  const auto expected = [](const char* outcomes) {
    return judged(outcomes, http(500)).graded.expected;
  };
  EXPECT_EQ(expected("[{http: 202, body: empty}]"), "HTTP status 202 without a body");
  EXPECT_EQ(expected("[{http: [200, 202, 204]}]"), "HTTP status 200, 202 or 204");
  EXPECT_EQ(expected("[{separate: [{id: 1}]}]"), "one reply and nothing more");
  EXPECT_EQ(expected("{pass: [{error: $any}], note: [{http: 4xx}, silence]}"),
            "an error; tolerated: HTTP status 4xx, or no reply");
  EXPECT_EQ(expected("[{http: 4xx, message: $absent}]"),
            "HTTP status 4xx without a JSON-RPC message");
  EXPECT_EQ(expected("[{http: 401, headers: {WWW-Authenticate: $any}}]"),
            "HTTP status 401 with a header WWW-Authenticate that is any value");
  EXPECT_EQ(expected("[{http: 401, headers: {WWW-Authenticate: $absent}}]"),
            "HTTP status 401 without a header WWW-Authenticate");
}

TEST(Grade, SaysOnceWhatOutcomesHaveInCommon) {
  const auto expected = [](const char* outcomes) {
    return judged(outcomes, http(500)).graded.expected;
  };
  EXPECT_EQ(expected("[{error: {code: -32600}, id: null}, {error: {code: -32600}, id: $absent}]"),
            "error -32600 with id null or without an id");
  EXPECT_EQ(expected("[{error: $any, id: null}, {error: $any}]"), "an error") << "with any id";
  EXPECT_EQ(expected("[{http: 403}, {http: 4xx}]"), "HTTP status 4xx")
      << "a class holds its status";
  EXPECT_EQ(expected("[{http: 403}, {http: 4xx, message: $absent}]"),
            "HTTP status 403, or HTTP status 4xx without a JSON-RPC message");
  EXPECT_EQ(
      expected("[{error: {code: -32600}}, http-refusal]"),
      "error -32600, or HTTP status 4xx without a JSON-RPC message or with a message (not with "
      "error.code -32700 or -32603)");
  EXPECT_EQ(expected("[{result: {isError: true}}, {error: {code: {$not: -32700}}}]"),
            "a result with isError true, or an error other than -32700");
}

TEST(Grade, ShowsTheHeadersThatItSpeaksOf) {
  const char* challenge = "{pass: [{http: 401, headers: {WWW-Authenticate: $any}}]}";
  EXPECT_EQ(judged(challenge, http(401)).graded.headers, "; no header WWW-Authenticate");
  Came basic = http(403);
  basic.http->headers.push_back({"www-authenticate", "Basic\x1b"});
  EXPECT_EQ(judged(challenge, basic).graded.headers, "; WWW-Authenticate: Basic\\x1b");
  basic.http->status = 401;
  EXPECT_EQ(judged(challenge, basic).graded.headers, "");  // it passes
  EXPECT_EQ(judged("[{http: 404}]", basic).graded.headers, "");
}

TEST(Grade, TakesTheErrorOfTheServerForItsUsualReply) {
  const char* const kOther = R"({"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"m"}})";
  Came came = under("jsonrpc-2.0", said(kOther));
  EXPECT_EQ(judged("normal", came).graded.grade, kBreach);
  came.usual_error = -32000;
  EXPECT_EQ(judged("normal", came).graded.grade, kPass);
  EXPECT_EQ(judged("{pass: [{error: {code: -32601}}]}", came).graded.grade, kPass);
  EXPECT_EQ(judged("{pass: [method-not-found]}", came).graded.grade, kBreach);  // told there
  Came nameless = under("jsonrpc-2.0", said(R"({"id":null,"error":{"code":-32000}})"));
  nameless.usual_error = -32000;  // who answers so looked for no method
  EXPECT_EQ(judged("{pass: [{error: {code: -32601}}]}", nameless).graded.grade, kBreach);
  Came refused = under("jsonrpc-2.0", said(R"({"jsonrpc":"2.0","id":7,"error":{"code":-32600}})"));
  refused.usual_error = -32000;
  EXPECT_EQ(judged("normal", refused).graded.grade, kBreach);
  EXPECT_EQ(judged("normal", refused).graded.expected, "the usual reply (error -32000)");
}

TEST(Grade, TakesABodyUnderAnAcceptingStatusForNoReply) {
  Came garbage;
  garbage.garbage = true;
  EXPECT_EQ(judged("notification-silence", http(202, said("null"))).graded.grade, kPass);
  EXPECT_EQ(judged("notification-silence", http(200, said("null"))).graded.grade, kPass);
  EXPECT_EQ(judged("notification-silence", http(202, garbage)).graded.grade, kPass);
  EXPECT_EQ(judged("notification-silence", http(200, garbage)).graded.grade, kBreach);
  EXPECT_EQ(judged("notification-silence", http(202, said(kResult))).graded.grade, kBreach);
  EXPECT_EQ(judged("[{http: 202, body: empty}]", http(202, said("null"))).graded.grade, kBreach);
}

TEST(Seen, TellsSilenceDeathAndGarbageApart) {
  EXPECT_EQ(judged("normal", silence()).seen, "no reply, although a later request was answered");
  EXPECT_NE(judged("normal", died("exit 3")).seen.find("exit 3"), std::string::npos);
  Came garbage;
  garbage.garbage = true;
  EXPECT_NE(judged("normal", garbage).seen.find("not a message"), std::string::npos);
  EXPECT_NE(judged("silence", said(kNotFound)).seen.find("-32601"), std::string::npos);
}

TEST(WhenApplies, NeedsProfileAndTransportBoth) {
  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  const struct {
    const char* when;
    bool applies;
  } kRows[] = {
      {"{}", true},
      {"{profiles: [mcp-2025-06-18]}", true},
      {"{profiles: ['mcp>=2025-11-25']}", false},
      {"{profiles: ['mcp<=2025-06-18', mcp-stateless]}", true},
      {"{profiles: mcp}", true},
      {"{transports: [http]}", false},
      {"{profiles: [mcp], transports: [stdio]}", true},
      {"{profiles: [mcp], transports: [http]}", false},
      {"{profiles: [jsonrpc-2.0], transports: [stdio]}", false},
  };
  for (const auto& row : kRows) {
    const json::Value when = yaml(row.when);
    EXPECT_EQ(when_applies(&when, profile, wire::TransportKind::kStdio), row.applies) << row.when;
  }
  EXPECT_TRUE(when_applies(nullptr, profile, wire::TransportKind::kStdio));
}

TEST(ExpectsSilence, WhenSilenceIsLawfulAndNotWhenItIsMerelyTolerated) {
  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  const match::Shapes shapes;
  const match::MatchContext match{shapes, profile};
  const spec::Canary canary = spec::canary_of(profile);
  const Judging judging{match, profile, wire::TransportKind::kStdio, suite::own_suite().sets,
                        canary};
  EXPECT_TRUE(expects_silence(suite::outcomes_of("silence"), judging));
  EXPECT_TRUE(expects_silence(suite::outcomes_of("{pass: [normal], note: [silence]}"), judging));
  EXPECT_TRUE(expects_silence(suite::outcomes_of("notification-silence"), judging));
  EXPECT_FALSE(expects_silence(suite::outcomes_of("{pass: [normal], warn: [silence]}"), judging));
  EXPECT_FALSE(expects_silence(suite::outcomes_of("parse-error"), judging));
  EXPECT_FALSE(accepts_message(suite::outcomes_of("silence"), judging));
  EXPECT_TRUE(
      accepts_message(suite::outcomes_of("{pass: [silence, {separate: [$any]}]}"), judging));
  EXPECT_TRUE(
      accepts_message(suite::outcomes_of("{pass: [silence], note: [{error: $any}]}"), judging));
  // Silence that ends the row may come late.
  EXPECT_FALSE(expects_silence(
      suite::outcomes_of("{pass: [normal], note: [{silence: true, skip_rest: true}]}"), judging));
}

}  // namespace
}  // namespace harness::run
