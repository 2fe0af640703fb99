// SPDX-License-Identifier: Apache-2.0
#include "harness/results/judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/oracle/finding_testing.h"
#include "harness/suite/testing.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using wire::Direction;

constexpr const char* kRequest = R"({"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]})";
constexpr const char* kReply = R"({"jsonrpc":"2.0","id":1,"result":3})";
constexpr const char* kInitialize = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";

const spec::Profile& plain() { return *spec::find_profile("jsonrpc-2.0"); }

struct Said {
  Direction direction;
  std::string text;
};

trace::Slice slice(const std::vector<Said>& all) {
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->profile = plain().name;
  transcript->transport = wire::TransportKind::kStdio;
  trace::Slice made;
  for (const Said& said : all) {
    wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = said.direction;
    frame.channel =
        said.direction == Direction::kSent ? wire::Channel::kStdin : wire::Channel::kStdout;
    frame.bytes = said.text;
    frame.size = said.text.size();
    transcript->frames.push_back(frame);
    made.messages.push_back(wire::read_shared(said.text));
  }
  made.transcript = transcript;
  return made;
}

Judgement judged(PlayedCase played) {
  static const Secrets kNoSecrets;
  return judge_played(std::move(played), plain(), suite::own_registry(), kNoSecrets);
}

oracle::Finding finding(oracle::Severity severity) {
  oracle::Finding made;
  made.requirement = "jsonrpc.request.reply-exactly-one";
  made.severity = severity;
  return made;
}

TEST(Judgement, IsTheWorstOfTheFindingsUnlessTheCaseCouldNotBePlayed) {
  struct Row {
    std::vector<oracle::Severity> findings;
    const char* not_applicable;
    const char* inconclusive;
    Verdict verdict;
  };
  using oracle::Severity;
  for (const Row& row : {
           Row{{}, "", "", Verdict::kPass},
           Row{{Severity::kInfo}, "", "", Verdict::kPass},
           Row{{Severity::kWarn, Severity::kInfo}, "", "", Verdict::kWarn},
           Row{{Severity::kWarn, Severity::kFail}, "", "", Verdict::kFail},
           Row{{}, "", "no affordance", Verdict::kInconclusive},
           Row{{Severity::kFail}, "", "no affordance", Verdict::kInconclusive},
           Row{{}, "no tools", "no affordance", Verdict::kNotApplicable},
       }) {
    PlayedCase played;
    for (const Severity severity : row.findings) played.findings.push_back(finding(severity));
    played.not_applicable = row.not_applicable;
    played.inconclusive = row.inconclusive;
    EXPECT_EQ(judged(played).verdict, row.verdict) << verdict_name(row.verdict);
  }
}

TEST(Judgement, HasTheOraclesLookAtEverySlice) {
  PlayedCase played;
  played.slices = {slice({{Direction::kSent, kRequest}, {Direction::kReceived, kReply}})};
  EXPECT_THAT(judged(played).by_oracles, IsEmpty());

  const std::string twice = R"({"jsonrpc":"2.0","id":1,"result":3,"error":{}})";
  played.slices.push_back(slice({{Direction::kSent, kRequest}, {Direction::kReceived, twice}}));
  const Judgement broken = judged(played);
  ASSERT_THAT(broken.by_oracles, testing::Not(IsEmpty()));
  // They have results of their own.
  EXPECT_EQ(broken.verdict, Verdict::kPass);
}

TEST(Judgement, JoinsTheSlicesToOneTranscript) {
  PlayedCase played;
  EXPECT_EQ(judged(played).transcript, nullptr);
  played.slices = {slice({{Direction::kSent, kRequest}}), slice({{Direction::kReceived, kReply}})};
  const Judgement both = judged(played);
  ASSERT_NE(both.transcript, nullptr);
  ASSERT_THAT(both.transcript->frames, SizeIs(2));
  EXPECT_EQ(both.transcript->frames[1].bytes, kReply);
  EXPECT_THAT(both.played.slices, IsEmpty());
}

TEST(Judgement, NamesSomeFramesOfThousandsAndTheLast) {
  PlayedCase played;
  played.findings = {finding(oracle::Severity::kFail), finding(oracle::Severity::kWarn)};
  for (std::uint64_t seq = 1; seq <= 5000; ++seq) played.findings[0].frames.push_back(seq);
  played.findings[1].frames = {1, 2};
  const Judgement judgement = judged(std::move(played));
  const std::vector<std::uint64_t>& frames = judgement.played.findings[0].frames;
  EXPECT_EQ(frames.size(), 64U);
  EXPECT_EQ(frames.front(), 1U);
  EXPECT_EQ(frames.back(), 5000U);
  EXPECT_EQ(judgement.played.findings[1].frames.size(), 2U);
}

TEST(Judgement, SaysWhetherAnythingWasAskedAndAnswered) {
  struct Row {
    const char* what;
    std::vector<Said> said;
    bool asked, answered;
  };
  for (const Row& row : {
           Row{"nothing was said", {}, false, false},
           Row{"a handshake is no question",
               {{Direction::kSent, kInitialize}, {Direction::kReceived, kReply}},
               false,
               false},
           Row{"silence", {{Direction::kSent, kRequest}}, true, false},
           Row{"a reply",
               {{Direction::kSent, kRequest}, {Direction::kReceived, kReply}},
               true,
               true},
           Row{"a reply to what was said before",
               {{Direction::kReceived, kReply}, {Direction::kSent, kRequest}},
               true,
               false},
           Row{"text is no reply",
               {{Direction::kSent, kRequest}, {Direction::kReceived, "hello"}},
               true,
               false},
       }) {
    PlayedCase played;
    played.slices = {slice(row.said)};
    const Judgement judgement = judged(played);
    EXPECT_EQ(judgement.asked, row.asked) << row.what;
    EXPECT_EQ(judgement.answered, row.answered) << row.what;
  }
}

TEST(Judgement, ReadsWhatCameAfterItsSliceWasTaken) {
  trace::Slice late = slice({{Direction::kSent, kRequest}});
  late.transcript =
      slice({{Direction::kSent, kRequest}, {Direction::kReceived, kReply}}).transcript;
  PlayedCase played;
  played.slices = {late};
  EXPECT_TRUE(judged(played).answered);
}

TEST(Judgement, OfACaseThatWasNotPlayedHasAReasonAndNoEvidence) {
  const Judgement judgement = not_played("no session");
  EXPECT_EQ(judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(judgement.played.inconclusive, "no session");
  EXPECT_EQ(judgement.transcript, nullptr);
  EXPECT_EQ(erred("a bug").verdict, Verdict::kError);
  EXPECT_EQ(erred("a bug").error, "a bug");
}

TEST(Judgement, ShowsTheLastFramesBeforeTheEndOfAProcess) {
  const trace::Slice all = slice({{Direction::kSent, kRequest},
                                  {Direction::kReceived, kReply},
                                  {Direction::kSent, kRequest},
                                  {Direction::kReceived, kReply},
                                  {Direction::kSent, kRequest}});
  const oracle::Finding end =
      end_of_process(*all.transcript, "jsonrpc.request.reply-exactly-one", "signal 11",
                     "listening\nTypeError: no\n    at x\n");
  EXPECT_EQ(end.requirement, "jsonrpc.request.reply-exactly-one");
  EXPECT_EQ(end.severity, oracle::Severity::kFail);
  EXPECT_THAT(end.seen, HasSubstr("signal 11; stderr: TypeError: no"));
  EXPECT_THAT(end.frames, ElementsAre(2u, 3u, 4u, 5u));
}

TEST(Judgement, IsHeavyWhereItsEvidenceIsLarge) {
  Judgement judgement;
  EXPECT_FALSE(heavy(judgement));
  judgement.transcript = slice({{Direction::kReceived, std::string(60 << 10, 'x')}}).transcript;
  EXPECT_FALSE(heavy(judgement));
  judgement.transcript = slice({{Direction::kReceived, std::string(70 << 10, 'x')}}).transcript;
  EXPECT_TRUE(heavy(judgement));
  judgement.transcript = lightened(judgement);
  EXPECT_FALSE(heavy(judgement));
  EXPECT_EQ(judgement.transcript->frames.front().size, 70u << 10);
}

}  // namespace
}  // namespace harness::run
