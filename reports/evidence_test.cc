// SPDX-License-Identifier: Apache-2.0
#include "reports/evidence.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

namespace wire = harness::wire;

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

}  // namespace
}  // namespace reports
