// SPDX-License-Identifier: Apache-2.0
#include "harness/results/oracle_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/oracle/finding_testing.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Findings = OracleLedger::Findings;

oracle::Finding finding(const std::string& requirement, oracle::Severity severity,
                        std::vector<std::uint64_t> frames = {2}) {
  oracle::Finding made;
  made.oracle = "replies";
  made.requirement = requirement;
  made.severity = severity;
  made.expected = "one reply";
  made.seen = "two";
  made.frames = std::move(frames);
  return made;
}

wire::Transcript conversation() {
  wire::Transcript transcript;
  for (const char* text : {"first", "second", "third"}) {
    wire::Frame frame;
    frame.seq = transcript.frames.size() + 1;
    frame.bytes = text;
    transcript.frames.push_back(frame);
  }
  return transcript;
}

const oracle::Finding kFailure =
    finding("jsonrpc.request.reply-exactly-one", oracle::Severity::kFail);

TEST(OracleLedger, PassesWhatNothingWasSeenOf) {
  const OracleLedger ledger;
  EXPECT_TRUE(ledger.empty());
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kPass);
}

TEST(OracleLedger, TakesNoSilenceForAFailureThatNobodyWaitedFor) {
  oracle::Finding silent = kFailure;
  silent.came = oracle::showing(oracle::Symptom::kSilence);
  OracleLedger ledger;
  ledger.saw({silent}, 1);
  ledger.saw({silent}, 2);
  ledger.keep(silent, conversation(), "jsonrpc/id/zero-echo");
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kPass) << "it may have come later";
  ledger.saw_again({silent}, {silent});
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kFail);
}

TEST(OracleLedger, FailsOnlyWhatCameAgain) {
  OracleLedger ledger;
  ledger.saw({kFailure}, 1);
  ledger.keep(kFailure, conversation(), "jsonrpc/id/zero-echo");
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kFlaky);
  EXPECT_THAT(ledger.tell("replies").findings, SizeIs(1));

  ledger.saw({kFailure}, 1);  // twice on one session may have one passing cause
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kFlaky);
  ledger.saw({kFailure}, 2);
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kFail);
  EXPECT_EQ(ledger.tell("replies").case_id, "jsonrpc/id/zero-echo");
}

TEST(OracleLedger, NeedNotSeeTwiceOfEachWhatIsSilentlyDroppedWhereThatBreaksNoMust) {
  const auto dropped = [](const std::string& requirement, oracle::Severity severity) {
    oracle::Finding made = finding(requirement, severity);
    made.came.came = oracle::Nothing{};
    return made;
  };
  const oracle::Finding one = dropped("a", oracle::Severity::kWarn),
                        other = dropped("b", oracle::Severity::kWarn),
                        failure = dropped("a", oracle::Severity::kFail),
                        said = finding("b", oracle::Severity::kWarn);
  OracleLedger ledger;
  ledger.saw({one}, 1);
  EXPECT_TRUE(ledger.unconfirmed({other}));
  ledger.saw({other}, 2);
  EXPECT_TRUE(ledger.confirmed(one));
  EXPECT_TRUE(ledger.unconfirmed({failure}));
  EXPECT_TRUE(ledger.unconfirmed({said}));
}

TEST(OracleLedger, TakesTheSecondPlayOfACaseForProof) {
  OracleLedger ledger;
  const oracle::Finding other = finding("jsonrpc.id.never-invented", oracle::Severity::kFail);
  ledger.saw_again({kFailure}, {other});
  EXPECT_FALSE(ledger.confirmed(kFailure));
  EXPECT_FALSE(ledger.confirmed(other));
  ledger.saw_again({kFailure}, {other, kFailure});
  EXPECT_TRUE(ledger.confirmed(kFailure));
  EXPECT_FALSE(ledger.confirmed(other));
}

TEST(OracleLedger, LooksAgainAtThreeCasesAndAtNoRemark) {
  OracleLedger ledger;
  const Findings seen{kFailure, kFailure};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ledger.look_again(seen)) << i;
  EXPECT_FALSE(ledger.look_again(seen));
  EXPECT_FALSE(ledger.look_again({finding("mcp.base.x", oracle::Severity::kInfo)}));
  ledger.saw_again({kFailure}, {kFailure});
  EXPECT_FALSE(ledger.unconfirmed(seen));
}

TEST(OracleLedger, DropsAWarningThatDidNotComeAgain) {
  OracleLedger ledger;
  ledger.keep(finding("mcp.base.y", oracle::Severity::kWarn), conversation(), "a");
  EXPECT_EQ(ledger.tell("replies").verdict, Verdict::kPass);
  EXPECT_THAT(ledger.tell("replies").findings, IsEmpty());
}

TEST(OracleLedger, KeepsTheFramesThatProveItNumberedAnew) {
  OracleLedger ledger;
  oracle::Finding one = finding("jsonrpc.request.reply-exactly-one", oracle::Severity::kFail, {3});
  oracle::Finding two = one;
  two.seen = "three";
  two.frames = {1, 2, 99};
  ledger.keep(one, conversation(), "b");
  ledger.keep(one, conversation(), "a");  // the same message again
  ledger.keep(two, conversation(), "a");
  ledger.saw_again({one}, {one});
  const OracleLedger::Told told = ledger.tell("replies");
  ASSERT_THAT(told.findings, SizeIs(2));
  EXPECT_THAT(told.findings[0].frames, ElementsAre(1u, 2u));
  EXPECT_THAT(told.findings[1].frames, ElementsAre(3u));
  EXPECT_EQ(told.transcript->frames[1].bytes, "second");
  EXPECT_EQ(told.transcript->frames[2].bytes, "third");
  EXPECT_THAT(told.notes, ElementsAre("its findings are from 2 cases"));
}

TEST(OracleLedger, KeepsTheSameThreeInWhateverOrderTheyCome) {
  std::vector<std::string> kept[2];
  for (const bool backwards : {false, true}) {
    OracleLedger ledger;
    for (int i = 0; i < 8; ++i) {
      oracle::Finding one = kFailure;
      const std::string number = std::to_string(backwards ? 7 - i : i);
      one.seen = "seen " + number;
      ledger.keep(one, conversation(), "case " + number);
    }
    ledger.saw_again({kFailure}, {kFailure});
    for (const oracle::Finding& finding : ledger.tell("replies").findings)
      kept[backwards].push_back(finding.row + " " + finding.seen);
  }
  EXPECT_THAT(kept[0], ElementsAre("case 0 seen 0", "case 1 seen 1", "case 2 seen 2"));
  EXPECT_EQ(kept[0], kept[1]);
}

TEST(OracleLedger, KeepsThreeOfAKindHoweverManyThereAre) {
  OracleLedger ledger;
  for (int i = 0; i < 100; ++i) {
    oracle::Finding one = kFailure;
    one.seen = std::to_string(i);
    ledger.keep(one, conversation(), "a");
  }
  ledger.saw_again({kFailure}, {kFailure});
  EXPECT_THAT(ledger.tell("replies").findings, SizeIs(3));
}

}  // namespace
}  // namespace harness::run
