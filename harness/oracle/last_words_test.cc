// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/last_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using wire::Channel;

class LastWords : public testing::Test {
 protected:
  std::uint64_t add(Channel channel, const std::string& bytes) {
    wire::Frame frame;
    frame.seq = said_.frames.size() + 1;
    frame.channel = channel;
    frame.direction =
        channel == Channel::kStdin ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.bytes = bytes;
    said_.frames.push_back(frame);
    return frame.seq;
  }
  void stderr_line(const std::string& line) { add(Channel::kStderr, line); }
  std::uint64_t asked() { return add(Channel::kStdin, "{}"); }

  wire::Transcript said_;
};

TEST_F(LastWords, AreThoseOfTheProcessThatEnded) {
  asked();
  stderr_line("KeyError: 'first'");
  add(Channel::kExit, "exit 1");
  const auto second = asked();
  stderr_line("listening");
  stderr_line("KeyError: 'second'");
  add(Channel::kExit, "exit 1");
  stderr_line("still in the pipe");
  asked();
  stderr_line("KeyError: 'third'");
  EXPECT_THAT(last_lines(said_, second),
              ElementsAre("listening", "KeyError: 'second'", "still in the pipe"));
}

TEST_F(LastWords, OfASilenceAreTheExceptionThatWasWrittenMeanwhile) {
  Finding silent;
  silent.came.came = Nothing{};
  silent.frames = {asked()};
  stderr_line("thread '<unnamed>' panicked at parts.rs:7:5:");
  stderr_line("no part");
  silent.frames.push_back(add(Channel::kStdout, "{}"));
  asked();
  stderr_line("KeyError: 'later'");
  silent.seen = "no reply";
  add_last_words(silent, said_);
  EXPECT_EQ(silent.seen, "no reply; stderr: no part (panicked at parts.rs:7:5)");
  Finding other;
  other.came.came = Nothing{};
  other.frames = {asked()};
  stderr_line("request done");
  add_last_words(other, said_);
  EXPECT_EQ(other.seen, "") << "a log is no reason";
}

TEST_F(LastWords, AreFewAndShort) {
  asked();
  for (int i = 0; i < 1000; ++i) stderr_line(std::string(100'000, 'x'));
  const std::vector<std::string> lines = last_lines(said_, 1);
  EXPECT_LE(lines.size(), 20u);
  for (const std::string& line : lines) EXPECT_LT(line.size(), 400u);
}

TEST_F(LastWords, KeepTheLineThatSaysWhyAboveALongStack) {
  const auto seq = asked();
  stderr_line("Error: Cannot find module 'x'");
  for (int i = 0; i < 30; ++i) stderr_line("    at Module._load (node:internal)");
  stderr_line("}");
  EXPECT_EQ(telling_line(last_lines(said_, seq)), "Error: Cannot find module 'x'");
}

TEST_F(LastWords, AreAddedToAnEndAlone) {
  const auto seq = asked();
  stderr_line("Traceback (most recent call last):");
  stderr_line("KeyError: 'name'");
  add(Channel::kExit, "exit 1");
  Finding end;
  end.frames = {seq};
  end.seen = "the connection ended (exit 1)";
  Finding other = end;
  end.came.came = Ended{"exit 1"};
  add_last_words(end, said_);
  EXPECT_EQ(end.seen, "the connection ended (exit 1); stderr: KeyError: 'name'");
  EXPECT_EQ(came_as<Ended>(end.came)->why, "KeyError: 'name'");
  add_last_words(other, said_);
  EXPECT_EQ(other.seen, "the connection ended (exit 1)");
}

TEST(TellingLine, OfAPanicIsItsMessageAndItsPlace) {
  EXPECT_EQ(telling_line({"", "thread 'main' (71) panicked at src/main.rs:7:5:", "no metres",
                          "note: run with `RUST_BACKTRACE=1`"}),
            "no metres (panicked at src/main.rs:7:5)");
  EXPECT_EQ(telling_line({"thread 'main' panicked at 'no metres', src/main.rs:7:5"}),
            "thread 'main' panicked at 'no metres', src/main.rs:7:5");
}

TEST(TellingLine, IsTheOneThatSaysWhy) {
  const struct {
    std::vector<std::string> lines;
    const char* telling;
  } kRows[] = {
      {{"Traceback (most recent call last):", "  File \"a.py\", line 3, in <module>",
        "KeyError: 'name'"},
       "KeyError: 'name'"},
      {{"/srv/a.mjs:3", "    JSON.parse(line)", "         ^",
        "SyntaxError: Unexpected token } in JSON at position 3", "    at JSON.parse (<anonymous>)",
        "Node.js v20.20.2"},
       "SyntaxError: Unexpected token } in JSON at position 3"},
      {{"Not a HASH reference at words.pl line 22, <STDIN> line 3."},
       "Not a HASH reference at words.pl line 22, <STDIN> line 3."},
      {{"adder.sh: line 9: x: syntax error: operand expected (error token is \"x\")"},
       "adder.sh: line 9: x: syntax error: operand expected (error token is \"x\")"},
      {{"panic: runtime error: index out of range [0]", "", "goroutine 1 [running]:", "main.main()",
        "\t/srv/main.go:8 +0x1d", "exit status 2"},
       "panic: runtime error: index out of range [0]"},
      {{"terminate called after throwing an instance of 'std::out_of_range'", "  what():  map::at"},
       "  what():  map::at"},
      {{"  what():  map::at", "terminate called without an active exception"}, "  what():  map::at"},
      {{"tally.rb:87:in `strip': invalid byte sequence in UTF-8 (ArgumentError)",
        "\\tfrom tally.rb:87:in `block in <main>'"},
       "tally.rb:87:in `strip': invalid byte sequence in UTF-8 (ArgumentError)"},
      {{"lua5.4: tasks.lua:9: attempt to index a number value (local 'm')",
        "stack traceback:", "\\ttasks.lua:9: in main chunk", "\\t[C]: in ?"},
       "lua5.4: tasks.lua:9: attempt to index a number value (local 'm')"},
      {{"Bad frame at 12", "2026-11-30 22-31-11 [Info] (Server) 1 client left"}, "Bad frame at 12"},
      {{"10:04:17 INFO  ready", "debug: 3 bytes", "level=info msg=ready"}, ""},
      {{"no more info about it"}, "no more info about it"},
      {{}, ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(telling_line(row.lines), row.telling);
}

}  // namespace
}  // namespace harness::oracle
