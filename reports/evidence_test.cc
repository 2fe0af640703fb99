// SPDX-License-Identifier: Apache-2.0
#include "reports/evidence.h"

#include <gtest/gtest.h>

#include "reports/sample_run_testing.h"

namespace reports {
namespace {

wire::Frame line(std::string bytes, wire::Channel channel = wire::Channel::kStdout) {
  wire::Frame frame;
  frame.direction = wire::Direction::kReceived;
  frame.channel = channel;
  frame.bytes = std::move(bytes);
  return frame;
}

TEST(WrongByte, IsWhereTextStopsBeingJsonInUtf8) {
  struct Row {
    const char* text;
    int offset;  // -1: nothing is pointed at
  };
  for (const Row& row : {
           Row{"{\"id\":1,}", 8},
           Row{"{\"id\":\"a\xff\"}", 8},
           Row{"{\"id\":1", 7},         // behind its end
           Row{"\xef\xbb\xbf{}", 0},    // a byte order mark
           Row{"{\"id\":1}", -1},       // nothing is wrong
           Row{"listening on 80", -1},  // no JSON from its first letter
           Row{"  ", -1},
       }) {
    const std::optional<WrongByte> wrong = wrong_byte(line(row.text));
    EXPECT_EQ(wrong ? static_cast<int>(wrong->offset) : -1, row.offset) << row.text;
    if (wrong) {
      EXPECT_FALSE(wrong->reason.empty()) << row.text;
    }
  }
  EXPECT_FALSE(wrong_byte(line("{,", wire::Channel::kStderr))) << "no message";
  wire::Frame cut = line("{\"id\":\"aaaa");
  cut.size = 1000;
  EXPECT_FALSE(wrong_byte(cut)) << "we cut it";
}

TEST(FrameText, ShowsTheHeaderFieldsOfACase) {
  wire::Frame frame = line("ab", wire::Channel::kStdin);
  frame.direction = wire::Direction::kSent;
  frame.head = wire::HttpHead{0, "", "", {{"X-Test", "1"}, {"Content-Length", "2"}}};
  EXPECT_EQ(frame_text(frame, 100), "X-Test: 1; Content-Length: 2  ab");
}

TEST(LevelText, SaysWhereAClauseOfALowerLayerIsAMust) {
  Clause clause;
  clause.level = "MUST";
  EXPECT_EQ(level_text(clause), "MUST");
  clause.level = "SHOULD";
  clause.written = "MUST";
  clause.source = "JSON-RPC 2.0 §5; RFC 8259 §6";
  EXPECT_EQ(level_text(clause), "SHOULD here (MUST in JSON-RPC 2.0)");
  clause.source = "2025-11-25 basic/transports#stdio; RFC 8259 §9 (derived)";
  EXPECT_EQ(level_text(clause), "SHOULD (derived)");
}

TEST(Conversation, IsThatOfTheSessionOfItsProof) {
  auto transcript = std::make_shared<wire::Transcript>();
  for (const std::int64_t time : {900, 950, 5, 10, 20}) {
    wire::Frame frame = line("{}");
    frame.seq = transcript->frames.size() + 1;
    frame.time_us = time;
    transcript->frames.push_back(frame);
  }
  transcript->frames.push_back(line("{}"));
  transcript->frames.back().seq = 40;
  transcript->frames.back().time_us = 30;
  run::CaseResult result = sample::result("a/b", "t", run::Verdict::kFail);
  result.transcript = transcript;
  const auto shown = conversation_of(result, sample::finding("c", "e", "s", {4}));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown.front()->seq, 3u) << "the first two are of the session before it";
  EXPECT_EQ(shown.back()->seq, 5u) << "what came between it and the last is not kept";
}

TEST(GraverClause, IsTheMustThatMostFindingsOfACauseBreak) {
  const char *should = "jsonrpc.error.message-short", *must = "jsonrpc.parse.code";
  Record record = sample::started();
  run::CaseResult one = sample::result("a/b", "t", run::Verdict::kFail);
  one.findings = {sample::finding(should, "e", "s"), sample::finding(must, "e", "s"),
                  sample::finding("jsonrpc.id.string-echo", "e", "s"),
                  sample::finding(must, "e", "s")};
  add_case(record, one);
  const std::vector<run::FindingRef> all = {{"a/b", 0}, {"a/b", 1}, {"a/b", 2}, {"a/b", 3}};
  const auto graver = [&](const char* cited, run::Verdict verdict) {
    return graver_clause(record, sample::cause("t", cited, verdict, all), sample::options());
  };
  EXPECT_EQ(graver(should, run::Verdict::kFail), must);
  EXPECT_EQ(graver(should, run::Verdict::kWarn), "") << "it gates nothing";
  EXPECT_EQ(graver("jsonrpc.id.string-echo", run::Verdict::kFail), "") << "a MUST itself";
}

}  // namespace
}  // namespace reports
