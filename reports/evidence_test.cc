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
