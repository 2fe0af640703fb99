// SPDX-License-Identifier: Apache-2.0
#include "harness/results/clue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/oracle/finding_testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using testing::Contains;
using testing::Not;
using testing::SizeIs;
using wire::Channel;

// A conversation over stdio, and findings about its frames.
class ClueOf : public testing::Test {
 protected:
  ClueOf() {
    transcript_->profile = "mcp-2025-11-25";
    transcript_->transport = wire::TransportKind::kStdio;
    result_.id = "a/case";
    result_.verdict = Verdict::kFail;
  }

  std::uint64_t add(Channel channel, const std::string& bytes) {
    wire::Frame frame;
    frame.seq = transcript_->frames.size() + 1;
    frame.direction = channel == Channel::kStdin || channel == Channel::kHttp
                          ? wire::Direction::kSent
                          : wire::Direction::kReceived;
    frame.channel = channel;
    frame.bytes = bytes;
    frame.size = bytes.size();
    transcript_->frames.push_back(frame);
    return frame.seq;
  }
  std::uint64_t sent(const std::string& bytes) { return add(Channel::kStdin, bytes); }
  std::uint64_t came(const std::string& bytes) { return add(Channel::kStdout, bytes); }

  void finding(const std::string& requirement, std::vector<std::uint64_t> frames,
               Symptom symptom = Symptom::kAnswer) {
    oracle::Finding made;
    made.requirement = requirement;
    made.frames = std::move(frames);
    made.came = oracle::showing(symptom);
    result_.findings.push_back(made);
  }

  Clues clues(const std::vector<oracle::Finding>& by_oracles = {}) {
    result_.transcript = transcript_;
    Clues out;
    add_clues(out, result_, by_oracles, *spec::find_profile("mcp-2025-11-25"));
    return out;
  }

  std::shared_ptr<wire::Transcript> transcript_ = std::make_shared<wire::Transcript>();
  CaseResult result_;
};

constexpr const char* kCall =
    R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":6,"method":"ping"})";

TEST_F(ClueOf, AFindingKnowsItsMessageAndWhatCameForIt) {
  const auto asked = sent(kCall);
  const auto reply = came(R"({"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no"}})");
  finding("x", {asked, reply});
  const Clue clue = clues().all.at(0);
  EXPECT_EQ(clue.ref.case_id, "a/case");
  EXPECT_EQ(clue.trigger.method, "tools/call");
  EXPECT_TRUE(clue.trigger.valid);
  EXPECT_EQ(clue.trigger.members.at("params.name"), "\"slow\"");
  EXPECT_EQ(clue.trigger.members.at("id"), "a number") << "which one says nothing";
  EXPECT_EQ(clue.came.code, "-32603");
  EXPECT_EQ(clue.came.text, "no");
  EXPECT_TRUE(clue.answered);
}

TEST_F(ClueOf, TextThatIsNoMessageIsAnAnswerThoughNoFrameOfItIsNamed) {
  finding("x", {sent(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})")});
  result_.findings.back().came.came = oracle::NotAMessage{};
  const Clue clue = clues().all.at(0);
  EXPECT_TRUE(clue.answered);
  EXPECT_FALSE(clue.came.message);
}

TEST_F(ClueOf, AnEndKnowsTheLineOnStderrWithoutItsNumbers) {
  finding("x", {sent(kCall)}, Symptom::kEnd);
  oracle::Ended ended{"exit 1", true};
  ended.why = "SyntaxError: line 7, column 12";
  result_.findings.back().came.came = ended;
  EXPECT_EQ(clues().all.at(0).why, "SyntaxError:line,column");
}

TEST_F(ClueOf, ASilenceIsAboutTheMessageAndNotAboutTheCanaryBehindIt) {
  const auto asked = sent(kCall), canary = sent(kPing);
  finding("x", {asked, canary}, Symptom::kSilence);
  EXPECT_EQ(clues().all.at(0).trigger.method, "tools/call");
}

TEST_F(ClueOf, AMessageOfACaseIsNoCanaryThoughItsMethodIsTheSame) {
  const auto padded =
      sent(R"({"jsonrpc":"2.0","id":8,"method":"ping","params":{"pad":"xxxxxxxxxxxxxxxx"}})");
  add(Channel::kExit, "exit 1");
  finding("x", {padded}, Symptom::kEnd);
  EXPECT_EQ(clues().all.at(0).trigger.seq, padded);
}

TEST_F(ClueOf, AnEndIsLaidToWhatWasSentLast) {
  const auto named = sent(kCall);
  const auto killer =
      sent(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  sent(kPing);  // a canary does no harm
  add(Channel::kClose, "stdout");
  add(Channel::kExit, "exit 1");
  finding("x", {named}, Symptom::kEnd);
  const Clues all = clues();
  EXPECT_EQ(all.all.at(0).trigger.seq, killer);
  EXPECT_EQ(all.all.at(0).end, "exit 1");
  EXPECT_THAT(all.survived, Contains("method=\"tools/call\""));
  EXPECT_THAT(all.survived, Not(Contains("method=\"notifications/cancelled\"")));
}

TEST_F(ClueOf, FramesThatACaseMadeAreNoText) {
  transcript_->transport = wire::TransportKind::kWebSocket;
  const auto named = sent("\x89\x01");
  transcript_->frames.back().unframed = true;
  add(Channel::kClose, "close 1002");
  finding("x", {named}, Symptom::kEnd);
  EXPECT_TRUE(clues().all.at(0).trigger.raw_frames);
  transcript_->transport = wire::TransportKind::kStdio;
  EXPECT_FALSE(clues().all.at(0).trigger.raw_frames);
}

TEST_F(ClueOf, TheCanaryBehindAHeaderOfACaseIsNone) {
  const auto asked = sent(kPing);
  wire::HttpHead head;
  head.headers.push_back({"X-Test", "1"});
  transcript_->frames.back().head = head;
  add(Channel::kClose, "stdout");
  finding("x", {asked}, Symptom::kEnd);
  const Trigger trigger = clues().all.at(0).trigger;
  EXPECT_EQ(trigger.seq, asked);
  EXPECT_TRUE(trigger.own_header);
}

TEST_F(ClueOf, AHeaderMayStandInRawBytes) {
  for (const auto& [bytes, header] : {std::pair{"Content-Length: 2\r\nX: 1\r\n\r\n{}", true},
                                      {"{\"a\": 1}\r\n", false},
                                      {"{\"a\":1}", false}}) {
    const auto named = sent(bytes);
    transcript_->frames.back().unframed = true;
    finding("x", {named}, Symptom::kEnd);
    EXPECT_EQ(clues().all.back().trigger.own_header, header) << bytes;
  }
}

TEST_F(ClueOf, LessThanItsLengthIsUnfinished) {
  transcript_->transport = wire::TransportKind::kHttp;
  for (const auto& [length, unfinished] : {std::pair{"1000", true}, {"26", false}, {"x", false}}) {
    const auto named = sent(R"({"jsonrpc":"2.0","method":)");
    wire::HttpHead head;
    head.headers.push_back({"Content-Length", length});
    transcript_->frames.back().channel = Channel::kHttp;
    transcript_->frames.back().head = head;
    transcript_->frames.back().size = 26;
    finding("x", {named}, Symptom::kHang);
    EXPECT_EQ(clues().all.back().trigger.unfinished, unfinished) << length;
  }
}

TEST_F(ClueOf, AnEndThatACanaryMetIsLaidToWhatWasSentBeforeIt) {
  sent(kCall);
  came(R"({"jsonrpc":"2.0","id":"s","method":"roots/list"})");
  const auto killer = sent(R"({"jsonrpc":"2.0","id":"s","result":[]})");
  const auto canary = sent(kPing);
  add(Channel::kExit, "exit 1");
  finding("x", {canary}, Symptom::kEnd);
  const Clue clue = clues().all.at(0);
  EXPECT_EQ(clue.trigger.seq, killer);
  EXPECT_TRUE(clue.trigger.valid) << "an answer of ours";
}

TEST_F(ClueOf, AnEndIsNotLaidToAnAnswerLikeOneThatDidNoHarm) {
  constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  sent(kInitialized);
  const auto again = sent(kInitialized);
  came(R"({"jsonrpc":"2.0","id":"s1","method":"roots/list"})");
  sent(R"({"jsonrpc":"2.0","id":"s1","result":null})");
  came(R"({"jsonrpc":"2.0","id":"s2","method":"roots/list"})");
  sent(R"({"jsonrpc":"2.0","id":"s2","result":null})");
  add(Channel::kExit, "exit 2");
  finding("x", {again}, Symptom::kEnd);
  EXPECT_EQ(clues().all.at(0).trigger.seq, again);
}

TEST_F(ClueOf, ACallIsWorkedOnUntilItsReply) {
  sent(kCall);
  const auto waiting = sent(kPing);
  came(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  const auto later = sent(R"({"jsonrpc":"2.0","id":7,"method":"ping"})");
  finding("x", {waiting}, Symptom::kHang);
  finding("x", {later}, Symptom::kHang);
  const Clues all = clues();
  EXPECT_TRUE(all.all.at(0).busy);
  EXPECT_FALSE(all.all.at(1).busy);
}

TEST_F(ClueOf, AServerThatWaitsForOurAnswerIsNotBlocked) {
  sent(kCall);
  came(R"({"jsonrpc":"2.0","id":"s","method":"roots/list"})");
  const auto waiting = sent(kPing);
  finding("x", {waiting}, Symptom::kHang);
  EXPECT_FALSE(clues().all.at(0).busy);
}

TEST_F(ClueOf, AFrameOfWrongShapeExplainsWhatIsMissedInIt) {
  const auto asked = sent(kCall);
  const auto reply = came(R"({"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text"}]}})");
  finding("mcp.base.utf8", {asked, reply});
  oracle::Finding shape;
  shape.requirement = "mcp.content.text-string";
  shape.oracle = "shapes";
  shape.frames = {asked, reply};
  EXPECT_EQ(clues({shape}).all.at(0).below, "mcp.content.text-string");
  shape.severity = oracle::Severity::kWarn;
  EXPECT_EQ(clues({shape}).all.at(0).below, "") << "a warning explains no failure";
}

TEST_F(ClueOf, AReplyUnderAnotherIdIsNoOther) {
  const auto asked = sent(kCall);
  const auto kept = came(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  finding("mcp.base.utf8", {asked, kept});
  EXPECT_FALSE(clues().all.at(0).altered);
}

TEST_F(ClueOf, BrokenFramingExplainsAllOfACase) {
  finding("mcp.base.utf8", {sent(kCall)}, Symptom::kHang);
  oracle::Finding lines;
  lines.requirement = "mcp.stdio.no-embedded-newlines";
  lines.oracle = "stdout";
  EXPECT_EQ(clues({lines}).all.at(0).garbled, "mcp.stdio.no-embedded-newlines");
  lines.flaw = "spread";
  EXPECT_EQ(clues({lines}).all.at(0).garbled, "") << "its lines were joined";
}

TEST_F(ClueOf, ALineThatCameBeforeTheMessageExplainsNothing) {
  oracle::Finding line;
  line.requirement = "mcp.stdio.stdout-only-messages";
  line.oracle = "stdout";
  line.frames = {came("=== ready ===")};
  finding("json.valid.whitespace", {sent(kCall)}, Symptom::kSilence);
  EXPECT_EQ(clues({line}).all.at(0).garbled, "");
  line.frames.push_back(came("called"));
  EXPECT_EQ(clues({line}).all.at(0).garbled, line.requirement);
}

TEST_F(ClueOf, IdsAreKeptOrAltered) {
  const auto asked = sent(kCall);
  came(R"({"jsonrpc":"2.0","id":"5","result":{}})");
  sent(kPing);
  came(R"({"jsonrpc":"2.0","id":6,"result":{}})");
  finding("x", {asked});
  const IdTally tally = clues().ids.at("a/case");
  EXPECT_EQ(tally.kept_numbers, 1u);
  EXPECT_EQ(tally.kept_strings, 0u);
  EXPECT_EQ(tally.altered.at(trace::Change::kType), 1u);
  EXPECT_EQ(tally.example, "\"5\"");
}

TEST_F(ClueOf, AReplyWithoutAnIdKeepsNone) {
  const auto asked = sent(R"({"jsonrpc":"2.0","method":7})");
  came(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}})");
  sent("[]");
  came(R"([{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}])");
  finding("x", {asked});
  EXPECT_EQ(clues().ids.count("a/case"), 0u);
}

TEST_F(ClueOf, AnsweredMessagesSayHowLongOneMayBe) {
  const auto asked = sent(kCall);
  came(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  finding("x", {asked});
  EXPECT_EQ(clues().longest_survived, std::string(kCall).size());
}

TEST_F(ClueOf, ALongLineThatAnotherRunsIntoIsParted) {
  const std::string whole = R"({"jsonrpc":"2.0","id":6,"result":{}})";
  const std::string begun = R"({"jsonrpc":"2.0","id":5,"result":{"a":")" + std::string(5000, 'a');
  finding("mcp.ping.result", {sent(kCall)}, Symptom::kHang);
  const std::uint64_t runs_on = came(begun + whole), cut = came(begun), rest = came("\"}}");
  const std::uint64_t brief = came("{\"short\": " + whole);
  const auto is_parted = [&](std::uint64_t seq) {
    oracle::Finding line;
    line.requirement = "mcp.stdio.stdout-only-messages";
    line.oracle = "stdout";
    line.frames = {seq};
    return clues({line}).all[0].parted;
  };
  EXPECT_TRUE(is_parted(runs_on));
  EXPECT_TRUE(is_parted(cut));
  EXPECT_FALSE(is_parted(rest));
  EXPECT_FALSE(is_parted(brief));
}

TEST_F(ClueOf, ALineThatHoldsAMessageWithinAnotherIsMixed) {
  const std::string whole = R"({"jsonrpc":"2.0","id":6,"result":{}})";
  finding("mcp.ping.result", {sent(kCall)}, Symptom::kHang);
  const auto is_mixed = [&](const std::string& text) {
    oracle::Finding line;
    line.requirement = "mcp.stdio.stdout-only-messages";
    line.oracle = "stdout";
    line.frames = {came(text)};
    return clues({line}).all[0].mixed;
  };
  EXPECT_TRUE(is_mixed(R"({"jsonrpc":"2.0","id":5,"res)" + whole + "ult\":{}}"));
  EXPECT_FALSE(is_mixed(whole + whole)) << "one behind the other";
  EXPECT_FALSE(is_mixed(R"({"jsonrpc":"2.0","id":5,"res)")) << "cut off";
}

TEST_F(ClueOf, ADeathKnowsTheRequestThatWasOpenBeforeIt) {
  sent(R"({"jsonrpc":"2.0","id":9,"method":"initialize","params":{}})");
  const std::uint64_t note = sent(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  finding("mcp.ping.result", {note}, Symptom::kEnd);
  add(Channel::kExit, "exit 1");
  EXPECT_EQ(clues().all[0].trigger.method, "notifications/cancelled");
  EXPECT_EQ(clues().all[0].behind, "initialize");
}

TEST_F(ClueOf, TheMessageOfACaseIsNoCanary) {
  const std::string odd = R"({"jsonrpc":"2.0","id":[1],"method":"ping"})";
  sent(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  finding("mcp.ping.result", {sent(odd)}, Symptom::kEnd);
  add(Channel::kExit, "exit 2");
  EXPECT_EQ(clues().all[0].trigger.method, "ping");
}

TEST_F(ClueOf, AnEndThatWasDueIsAnAnswer) {
  finding("a.b", {sent(kCall)}, Symptom::kEnd);
  EXPECT_EQ(clues().all[0].symptom, Symptom::kEnd);
  result_.findings[0].wanted.end = true;
  EXPECT_EQ(clues().all[0].symptom, Symptom::kAnswer);
}

TEST_F(ClueOf, SomeIdsAreKnownByTheirValue) {
  finding("a.b", {sent(R"({"jsonrpc":"2.0","id":0,"method":"ping"})")});
  finding("a.b", {sent(R"({"jsonrpc":"2.0","id":"","method":"ping"})")});
  finding("a.b", {sent(R"({"jsonrpc":"2.0","id":7,"method":"ping"})")});
  const std::vector<Clue> all = clues().all;
  EXPECT_EQ(all[0].trigger.members.at(kIdValue), "0");
  EXPECT_EQ(all[1].trigger.members.at(kIdValue), "\"\"");
  EXPECT_EQ(all[2].trigger.members.count(kIdValue), 0u);
}

TEST_F(ClueOf, BlankLinesAndHugeNumbersAreKnown) {
  finding("a.b", {sent(" \t")});
  finding("a.b", {sent(R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":[1e400]}})")});
  finding("a.b", {sent(R"({"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":[1e300]}})")});
  const std::vector<Clue> all = clues().all;
  EXPECT_TRUE(all[0].trigger.blank);
  EXPECT_FALSE(all[1].trigger.blank);
  EXPECT_EQ(all[1].trigger.members.count(kHugeNumber), 1u);
  EXPECT_EQ(all[2].trigger.members.count(kHugeNumber), 0u);
}

// Nobody asks the canary under a text.
TEST_F(ClueOf, APingUnderAStringIdIsBlamedForItsOwnEnd) {
  sent(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  const auto ping = sent(R"({"jsonrpc":"2.0","id":"a-7","method":"ping"})");
  add(Channel::kExit, "exit 1");
  finding("x", {ping}, Symptom::kEnd);
  EXPECT_EQ(clues().all.at(0).trigger.seq, ping);
}

TEST_F(ClueOf, AMessageOfWhichOnlyTheBeginningWasKeptMayBeginDeep) {
  const std::string head = R"({"jsonrpc":"2.0","id":)";
  const auto kept = [&](const std::string& text) {
    const auto seq = sent(text);
    transcript_->frames.back().size = 200000;
    finding("x", {seq});
  };
  kept(head + std::string(100, '['));
  kept(head + '"' + std::string(100, '[') + R"(\"[)");
  kept(head + R"(1,"params":{"a":[1],"b":[2],"c":[[]]})");
  const std::vector<Clue> all = clues().all;
  EXPECT_TRUE(all[0].trigger.deep);
  EXPECT_FALSE(all[1].trigger.deep) << "in a string they open nothing";
  EXPECT_FALSE(all[2].trigger.deep);
}

TEST_F(ClueOf, ABodyLongerThanItsHeaderSaysHoldsAnotherRequest) {
  finding("x", {add(Channel::kHttp, kPing)});
  transcript_->frames.back().head = wire::HttpHead{0, "POST", "/", {{"Content-Length", "5"}}};
  EXPECT_TRUE(clues().all.at(0).trigger.overfull);
  EXPECT_FALSE(clues().all.at(0).trigger.unfinished);
}

TEST_F(ClueOf, AFindingWithoutFramesOrTranscriptIsOneToo) {
  finding("x", {});
  result_.findings[0].severity = oracle::Severity::kInfo;
  finding("y", {99});
  EXPECT_THAT(clues().all, SizeIs(1)) << "what only informs is none";
  Clues out;
  result_.transcript = nullptr;
  add_clues(out, result_, {}, *spec::find_profile("mcp-2025-11-25"));
  EXPECT_EQ(out.all.at(0).trigger.seq, 0u);
}

}  // namespace
}  // namespace harness::run
