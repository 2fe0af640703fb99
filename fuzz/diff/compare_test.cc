// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace fuzz {
namespace {

namespace wire = harness::wire;
using testing::ElementsAre;
using testing::IsEmpty;

// One side's conversation about a script.
class Side {
 public:
  Side() : transcript_(std::make_shared<wire::Transcript>()) {
    transcript_->transport = wire::TransportKind::kStdio;
  }

  // A step of the script goes out; over HTTP as an exchange.
  Side& asks(std::size_t step, const std::string& text, int exchange = 0) {
    wire::Frame& frame = add(wire::Direction::kSent, wire::Channel::kStdin, text);
    if (exchange != 0) {
      transcript_->transport = wire::TransportKind::kHttp;
      frame.channel = wire::Channel::kHttp;
      frame.exchange = exchange;
      frame.head.emplace().method = "POST";
    }
    out_.sent.push_back({step, 0, transcript_->frames.back().seq, exchange});
    return *this;
  }
  Side& canary() {
    const std::string id = std::to_string(++canary_);
    add(wire::Direction::kSent, wire::Channel::kStdin,
        R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})");
    return hears(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  }
  Side& hears(const std::string& text) {
    add(wire::Direction::kReceived, wire::Channel::kStdout, text);
    return *this;
  }
  Side& gets(int status, const std::string& body, int exchange) {
    wire::Frame& frame = add(wire::Direction::kReceived, wire::Channel::kHttp, body);
    frame.exchange = exchange;
    frame.head.emplace().status = status;
    return *this;
  }
  Side& ends(Ending ending, std::string how = {}) {
    out_.ending = ending;
    out_.how = std::move(how);
    return *this;
  }
  Execution execution() {
    Execution out = out_;
    harness::trace::Slice slice;
    slice.transcript = transcript_;
    for (const wire::Frame& frame : transcript_->frames)
      slice.messages.push_back(wire::read_shared(frame.bytes));
    out.slices.push_back(std::move(slice));
    return out;
  }

 private:
  wire::Frame& add(wire::Direction direction, wire::Channel channel, const std::string& text) {
    wire::Frame frame;
    frame.seq = transcript_->frames.size() + 1;
    frame.direction = direction;
    frame.channel = channel;
    frame.bytes = text;
    transcript_->frames.push_back(std::move(frame));
    return transcript_->frames.back();
  }

  std::shared_ptr<wire::Transcript> transcript_;
  Execution out_;
  int canary_ = 100000;
};

Ground ground(bool http = false) {
  return {*harness::spec::find_profile("mcp-2025-06-18"), {"echo"}, {"add"}, http, false};
}

std::vector<std::string> apart(const char* script, Side& a, Side& b, bool http = false) {
  std::vector<std::string> out;
  for (const Difference& one :
       compare(read_script(script), a.execution(), b.execution(), ground(http)))
    out.push_back(one.signature());
  return out;
}

constexpr const char* kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* kOther = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
constexpr const char* kNoVersion = R"({"id":1,"method":"ping"})";
constexpr const char* kPong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr const char* kRefusal =
    R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}})";
constexpr const char* kNullRefusal =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}})";
constexpr const char* kParseError =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})";

Side said(const char* question, std::initializer_list<const char*> answers) {
  Side out;
  out.asks(0, question);
  for (const char* answer : answers) out.hears(answer);
  out.canary();
  return out;
}

TEST(Compare, TellsClassesOfAnswersApart) {
  Side pong = said(kPing, {kPong}), refusal = said(kPing, {kRefusal}), silence = said(kPing, {});
  Side twice = said(kPing, {kPong, kPong}), both = said(kPing, {kRefusal, kPong});
  EXPECT_THAT(apart(kPing, pong, pong), IsEmpty());
  EXPECT_THAT(apart(kPing, pong, refusal), ElementsAre("ping: result | error -32600"));
  EXPECT_THAT(apart(kPing, silence, refusal), ElementsAre("ping: nothing | error -32600"));
  EXPECT_THAT(apart(kPing, pong, twice),
              ElementsAre("a message: the reply | the same reply several times"));
  EXPECT_THAT(apart(kPing, twice, pong),
              ElementsAre("a message: the same reply several times | the reply"));
  EXPECT_THAT(apart(kPing, pong, both), ElementsAre("ping: result | error -32600 and result"));
  Side failed = said(kPing, {R"({"jsonrpc":"2.0","id":1,"result":{"isError":true}})"});
  EXPECT_THAT(apart(kPing, pong, failed), ElementsAre("ping: result | result that failed"));
}

TEST(Compare, TakesNoNoticeOfTextsAndOrder) {
  Side a = said(kPing, {R"({"jsonrpc":"2.0","id":1,"result":{"at":17,"who":"a"}})"});
  Side b = said(kPing, {R"({"result":{"who":"b","at":18},"id":1,"jsonrpc":"2.0"})"});
  EXPECT_THAT(apart(kPing, a, b), IsEmpty());
  const std::string script = std::string(kPing) + "\n" + kOther + "\n";
  Side c, d;
  c.asks(0, kPing).asks(1, kOther).hears(kPong).hears(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  d.asks(0, kPing).asks(1, kOther).hears(R"({"jsonrpc":"2.0","id":2,"result":{}})").hears(kPong);
  EXPECT_THAT(apart(script.c_str(), c, d), IsEmpty());
}

// One of two requests with an id is slow: over HTTP its reply comes in its own exchange, on a
// stream it may be that of either.
TEST(Compare, DoesNotLayALateReplyToALaterRequestWithTheSameId) {
  const std::string script = std::string(kPing) + "\n!sync\n" + kNoVersion + "\n";
  Side in_time, late, over_http;
  in_time.asks(0, kPing).hears(kPong).canary().asks(2, kNoVersion).hears(kRefusal).canary();
  late.asks(0, kPing).canary().asks(2, kNoVersion).hears(kRefusal).hears(kPong).canary();
  over_http.asks(0, kPing, 1).asks(2, kNoVersion, 2).gets(200, kRefusal, 2).gets(200, kPong, 1);
  EXPECT_THAT(apart(script.c_str(), in_time, late), IsEmpty());
  EXPECT_THAT(apart(script.c_str(), late, in_time), IsEmpty());
  EXPECT_THAT(apart(script.c_str(), over_http, in_time), IsEmpty());
  Side wrong;
  wrong.asks(0, kPing, 1).asks(2, kNoVersion, 2).gets(200, kPong, 2).gets(200, kPong, 1);
  EXPECT_THAT(apart(script.c_str(), wrong, in_time),
              ElementsAre(testing::HasSubstr("result | error")));
  Side served;
  served.asks(0, kPing).hears(kPong).canary().asks(2, kNoVersion).hears(kPong).canary();
  EXPECT_THAT(apart(script.c_str(), served, in_time),
              ElementsAre(testing::HasSubstr("result | error")));
}

TEST(Compare, TellsShapesOfResultsApart) {
  Side a = said(kPing, {R"({"jsonrpc":"2.0","id":1,"result":{"next":"a"}})"});
  Side b = said(kPing, {kPong});
  EXPECT_THAT(apart(kPing, a, b), ElementsAre("ping: result with next | result without next"));
}

TEST(Compare, NamesWhatIsOddAboutTheQuestion) {
  Side a = said(kNoVersion, {kPong}), b = said(kNoVersion, {kRefusal});
  EXPECT_THAT(apart(kNoVersion, a, b), ElementsAre("version-missing: result | error -32600"));
  Side c = said("{", {kParseError}), d = said("{", {});
  EXPECT_THAT(apart("{", c, d), ElementsAre("not-json: error -32700 | nothing"));
}

TEST(Compare, TellsAReplyWithoutItsIdFromOneWithIt) {
  Side a = said(kNoVersion, {kRefusal}), b = said(kNoVersion, {kNullRefusal});
  EXPECT_THAT(apart(kNoVersion, a, b),
              ElementsAre("version-missing: error -32600 | error -32600 without its id"));
  Side c = said(kPing, {R"({"jsonrpc":"2.0","id":"1","result":{}})"}), d = said(kPing, {kPong});
  EXPECT_THAT(apart(kPing, c, d), ElementsAre("ping: result with another id | result"));
}

TEST(Compare, KnowsAReplyWhoseIdWasAlteredAmongThoseInFlight) {
  const std::string script = std::string(kPing) + "\n" + kOther + "\n";
  const char* pong = R"({"jsonrpc":"2.0","id":2,"result":{}})";
  Side text, sound;
  text.asks(0, kPing).asks(1, kOther).hears(R"({"jsonrpc":"2.0","id":"1","result":{}})");
  text.hears(pong).canary();
  sound.asks(0, kPing).asks(1, kOther).hears(kPong).hears(pong).canary();
  EXPECT_THAT(apart(script.c_str(), text, sound),
              ElementsAre("ping: result with another id | result"));
}

TEST(Compare, KnowsAReplyWhoseIdWasRoundedAmongThoseInFlight) {
  const char* large = R"({"jsonrpc":"2.0","id":9007199254740993,"method":"ping"})";
  const char* nearby = R"({"jsonrpc":"2.0","id":9007199254740992,"result":{}})";
  const std::string script = std::string(large) + "\n" + kPing + "\n";
  Side rounded, sound;
  rounded.asks(0, large).asks(1, kPing).hears(nearby).hears(kPong).canary();
  sound.asks(0, large).asks(1, kPing).hears(kPong);
  sound.hears(R"({"jsonrpc":"2.0","id":9007199254740993,"result":{}})").canary();
  EXPECT_THAT(apart(script.c_str(), rounded, sound),
              ElementsAre(testing::HasSubstr(": result with another id | result")));
}

TEST(Compare, CountsWhatIsNoReply) {
  Side silence = said(kPing, {});
  for (const char* neither : {R"({"jsonrpc":"2.0","id":1})", R"([1])"}) {
    Side side = said(kPing, {neither});
    EXPECT_THAT(apart(kPing, side, silence),
                ElementsAre("ping: something that is not a message | nothing"));
  }
  Side empty = said(kPing, {"[]"});
  EXPECT_THAT(apart(kPing, empty, silence), ElementsAre("ping: an empty array | nothing"));
  Side log = said(kPing, {"listening"});
  EXPECT_THAT(apart(kPing, log, silence),
              ElementsAre("ping: text that is not a message | nothing"));
}

TEST(Compare, TakesSentinelsAndWordsOfTheServerForNoAnswer) {
  Side a = said(kPing, {R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})",
                        R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})", kPong});
  Side b = said(kPing, {kPong});
  EXPECT_THAT(apart(kPing, a, b), IsEmpty());
}

TEST(Compare, HoldsAnswersWithoutIdAgainstTheMessageBefore) {
  const char* script = "{\n!sync\n[\n";
  Side first, second, none;
  first.asks(0, "{").hears(kParseError).canary().asks(2, "[").canary();
  second.asks(0, "{").canary().asks(2, "[").hears(kParseError).canary();
  none.asks(0, "{").canary().asks(2, "[").canary();
  for (const auto& [side, step] : {std::pair(&first, 0), std::pair(&second, 2)}) {
    const std::vector<Difference> differences =
        compare(read_script(script), side->execution(), none.execution(), ground());
    ASSERT_EQ(differences.size(), 1u);
    EXPECT_EQ(differences[0].step, step);
    EXPECT_EQ(differences[0].signature(), "not-json: error -32700 | nothing");
  }
}

TEST(Compare, SaysNothingWhereALateReplyMayBeThatOfTheMessageBefore) {
  const char* script = "{\n!sync\n[\n";
  Side in_time, late, over_http;
  in_time.asks(0, "{").hears(kParseError).canary().asks(2, "[").hears(kParseError).canary();
  late.asks(0, "{").canary().asks(2, "[").hears(kParseError).hears(kParseError).canary();
  over_http.asks(0, "{", 1).gets(200, kParseError, 1).canary();
  over_http.asks(2, "[", 2).gets(200, kParseError, 2).canary();
  EXPECT_THAT(apart(script, in_time, late), IsEmpty());
  EXPECT_THAT(apart(script, over_http, late), IsEmpty());
  // One of them did not come; it is told of the message that has none if all are prompt.
  Side one, other;
  one.asks(0, "{").hears(kParseError).canary().asks(2, "[").canary();
  other.asks(0, "{").canary().asks(2, "[").hears(kParseError).canary();
  EXPECT_THAT(apart(script, one, other), IsEmpty());
  EXPECT_THAT(apart(script, in_time, other), ElementsAre("not-json: error -32700 | nothing"));
  EXPECT_THAT(apart(script, over_http, other), ElementsAre("not-json: error -32700 | nothing"));
}

TEST(Compare, CountsAnswersWithoutIdToMessagesInFlightTogether) {
  const char* script = "{\n[\n";
  Side both, one, by_exchange, one_exchange;
  both.asks(0, "{").asks(1, "[").hears(kParseError).hears(kParseError).canary();
  one.asks(0, "{").asks(1, "[").hears(kParseError).canary();
  by_exchange.asks(0, "{", 1).asks(1, "[", 2).gets(200, kParseError, 2);
  by_exchange.gets(200, kParseError, 1).canary();
  one_exchange.asks(0, "{", 1).asks(1, "[", 2).gets(200, kParseError, 2).canary();
  EXPECT_THAT(apart(script, both, by_exchange), IsEmpty());
  EXPECT_THAT(apart(script, by_exchange, both), IsEmpty());
  EXPECT_THAT(apart(script, one, one_exchange), IsEmpty());
  EXPECT_THAT(apart(script, both, one),
              ElementsAre("in flight together: error -32700 2 times | error -32700"));
  EXPECT_THAT(apart(script, by_exchange, one),
              ElementsAre("in flight together: error -32700 2 times | error -32700"));
  EXPECT_THAT(apart(script, both, one_exchange),
              ElementsAre("in flight together: error -32700 2 times | error -32700"));
}

TEST(Compare, CountsWhatComesInAnArray) {
  const char* refusals = R"([{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}])";
  Side stdio, http, silent;
  stdio.asks(0, "[0]").hears(refusals).canary();
  http.asks(0, "[0]", 1).gets(400, refusals, 1).canary();
  silent.asks(0, "[0]").canary();
  EXPECT_THAT(apart("[0]", stdio, http), IsEmpty());
  EXPECT_THAT(apart("[0]", stdio, silent),
              ElementsAre(testing::EndsWith("error -32600 | nothing")));
  EXPECT_THAT(apart("[0]", http, silent), ElementsAre(testing::EndsWith("error -32600 | nothing")));
}

// It is lawful to say nothing to what is no JSON; that shifts nothing that comes behind it.
TEST(Compare, LaysARefusalToTheMessageBeforeItWhereAnEarlierOneHadNone) {
  const char* script = "{\n!sync\n{}\n!sync\n[]\n";
  Side stdio, http;
  stdio.asks(0, "{").canary().asks(2, "{}").hears(kNullRefusal).canary();
  stdio.asks(4, "[]").hears(kNullRefusal).canary();
  http.asks(0, "{", 1).gets(400, "", 1).canary().asks(2, "{}", 2).gets(200, kNullRefusal, 2);
  http.canary().asks(4, "[]", 3).gets(200, kNullRefusal, 3).canary();
  EXPECT_THAT(apart(script, stdio, http), IsEmpty());
}

TEST(Compare, ComparesStatusWhereBothHaveOne) {
  Side a, b, lines;
  a.asks(0, kNoVersion, 3).gets(400, kRefusal, 3).canary();
  b.asks(0, kNoVersion, 7).gets(200, kRefusal, 7).canary();
  lines.asks(0, kNoVersion).hears(kRefusal).canary();
  EXPECT_THAT(apart(kNoVersion, a, b, true),
              ElementsAre("version-missing: error -32600, HTTP 400 | error -32600, HTTP 200"));
  EXPECT_THAT(apart(kNoVersion, a, lines), IsEmpty());
}

TEST(Compare, TakesARefusalOverHttpForSilenceElsewhereButNoFailure) {
  Side refused, failed, silence = said(kPing, {});
  refused.asks(0, kPing, 1).gets(404, "not here", 1).canary();
  failed.asks(0, kPing, 1).gets(500, "<html>", 1).canary();
  EXPECT_THAT(apart(kPing, refused, silence), IsEmpty());
  EXPECT_THAT(apart(kPing, failed, silence), ElementsAre("ping: nothing, HTTP 500 | nothing"));
}

TEST(Compare, TellsEndsBeforeAnythingElse) {
  Side a = said(kPing, {kPong});
  Side b = said(kPing, {}).ends(Ending::kGone, "signal 11");
  Side c = said(kPing, {}).ends(Ending::kGone, "exit 1");
  Side d = said(kPing, {}).ends(Ending::kGone, "eof");
  Side e = said(kPing, {}).ends(Ending::kSilent);
  EXPECT_THAT(apart(kPing, a, b), ElementsAre(": goes on | ends (signal 11)"));
  EXPECT_THAT(apart(kPing, a, e), ElementsAre(": goes on | falls silent"));
  EXPECT_THAT(apart(kPing, b, c), ElementsAre(": ends (signal 11) | ends (exit 1)"));
  EXPECT_THAT(apart(kPing, b, d), IsEmpty());  // a connection tells no more
  EXPECT_THAT(apart(kPing, b, b), IsEmpty());
}

TEST(Compare, SaysNothingWhereStepsWereWithheld) {
  Side a = said(kPing, {kPong});
  Execution withheld = said(kPing, {kRefusal}).execution();
  withheld.withheld = 1;
  EXPECT_THAT(compare(read_script(kPing), a.execution(), withheld, ground()), IsEmpty());
}

TEST(AskedIn, NamesMethodsAndToolsThatBothHave) {
  const auto what = [](const char* text) {
    return asked_in(read_script(text).steps.front(), ground()).text();
  };
  EXPECT_EQ(what(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"), "tools/list");
  EXPECT_EQ(what(R"({"jsonrpc":"2.0","id":1,"method":"add"})"), "add");
  EXPECT_EQ(what(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})"),
            "tools/call echo");
  EXPECT_EQ(what(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}})"),
            "tools/call of no tool");
  EXPECT_EQ(what(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "a notification");
  EXPECT_EQ(what("!raw \"x\""), "bytes outside messages");
  EXPECT_EQ(what("!chunks 1\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"), "in pieces");
}

TEST(StillShows, AllowsLessOddityAndNothingElse) {
  const Difference odd{{{"id-huge", "version-missing"}, "ping"}, "result", "nothing", false, 0};
  Difference less = odd;
  less.asked.oddities = {"version-missing"};
  EXPECT_TRUE(still_shows(odd, less));
  EXPECT_FALSE(still_shows(less, odd));
  Difference sound = odd;
  sound.asked.oddities.clear();
  EXPECT_TRUE(still_shows(odd, sound));
  sound.asked.what = "tools/list";
  EXPECT_FALSE(still_shows(odd, sound));
  Difference unknown{{{"method-unknown"}, "some method"}, "result", "nothing", false, 0};
  Difference known = unknown;
  known.asked.oddities.clear();
  EXPECT_FALSE(still_shows(unknown, known));
  EXPECT_TRUE(explains(unknown, known));
  EXPECT_FALSE(explains(known, unknown));
  Difference other = odd;
  other.b = "error -32600";
  EXPECT_FALSE(still_shows(odd, other));
}

TEST(Compare, TakesMethodsThatNobodyServesForOne) {
  const char* list = R"({"jsonrpc":"2.0","id":1,"method":"tasks/list"})";
  Side none = said(list, {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"});
  Side failure = said(list, {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}})"});
  Side served = said(list, {kPong});
  EXPECT_THAT(apart(list, none, failure), ElementsAre("some method: error -32601 | error -32603"));
  EXPECT_THAT(apart(list, none, served), ElementsAre("tasks/list: error -32601 | result"));
}

TEST(Compare, NamesAMethodThatOneOfThemServes) {
  const char* list = R"({"jsonrpc":"2.0","id":1,"method":"subtract"})";
  Side none = said(list, {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"});
  Side served = said(list, {kPong});
  EXPECT_THAT(apart(list, served, none), ElementsAre("subtract: result | error -32601"));
}

TEST(Compare, LeavesWhatHeadersAreAboutToHttp) {
  Side a = said(kPing, {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}})"});
  Side b = said(kPing, {kPong});
  EXPECT_THAT(apart(kPing, a, b), ElementsAre("ping: error -32020 | result"));
  Ground one_has_headers = ground();
  one_has_headers.http_alone = true;
  EXPECT_THAT(compare(read_script(kPing), a.execution(), b.execution(), one_has_headers),
              IsEmpty());
}

TEST(Compare, LeavesLateRepliesToEarlierScriptsOut) {
  Side a = said(kPing, {R"({"jsonrpc":"2.0","id":77,"result":{}})", kPong});
  Side b = said(kPing, {kPong});
  EXPECT_THAT(apart(kPing, a, b), ElementsAre("ping: result and result with another id | result"));
  Execution late = a.execution();
  late.slices[0].earlier_ids.insert(wire::id_key(harness::json::number(77)));
  EXPECT_THAT(compare(read_script(kPing), late, b.execution(), ground()), IsEmpty());
}

TEST(Plainer, PutsARequestThatEveryServerKnowsInPlaceOfAny) {
  const auto& profile = *harness::spec::find_profile("mcp-2025-06-18");
  const auto plain = [&](const char* script, Difference difference) {
    const auto out = plainer(read_script(script), difference, profile);
    return out ? write_script(*out) : "";
  };
  const char* call = "{}\n!sync\n{\"id\":0,\"method\":\"tools/list\",\"params\":{\"a\":1}}\n";
  const Difference seen{{{"version-missing"}, "tools/list"}, "result", "nothing", false, 2};
  EXPECT_EQ(plain(call, seen), "{\"id\":0,\"method\":\"ping\"}\n");
  const Difference unserved{{{}, "some method"}, "error -32601", "error -32603", false, 2};
  EXPECT_EQ(plain(call, unserved),
            "{\"id\":0,\"method\":\"rpcspec/nobody\",\"params\":{\"a\":1}}\n");
  EXPECT_EQ(plain(kPing, {{{}, "ping"}, "result", "nothing", false, 0}), "");  // plain as it is
  EXPECT_EQ(plain("{", {{{"not-json"}, ""}, "nothing", "error", false, 0}), "");

  Difference now = unserved;
  now.asked = {{"method-unknown"}, "some method"};
  EXPECT_TRUE(same_but_plainer(unserved, now));
  now.asked.oddities = {"method-unknown", "version-missing"};
  EXPECT_FALSE(same_but_plainer(unserved, now));
}

}  // namespace
}  // namespace fuzz
