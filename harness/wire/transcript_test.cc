// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "harness/wire/frame.h"

namespace harness::wire {
namespace {

using namespace std::string_literals;

Frame frame(std::uint64_t seq, Direction direction, Channel channel, std::string bytes) {
  Frame out;
  out.seq = seq;
  out.time_us = static_cast<std::int64_t>(seq) * 10;
  out.direction = direction;
  out.channel = channel;
  out.size = bytes.size();
  out.bytes = std::move(bytes);
  return out;
}

Transcript sample() {
  Transcript out{"mcp-2025-06-18", TransportKind::kHttp, "http://127.0.0.1/\xFF", {}};
  out.frames.push_back(frame(1, Direction::kSent, Channel::kStdin, R"({"id":1})"));
  out.frames.push_back(frame(2, Direction::kReceived, Channel::kStdout, "\xFF\x00x"s));
  out.frames.back().unframed = true;
  out.frames.push_back(frame(3, Direction::kReceived, Channel::kStderr, "line\r\x1b"));
  out.frames.back().size = 5'000'000'000;
  Frame http = frame(4, Direction::kSent, Channel::kHttp, "{}");
  http.exchange = 2;
  http.head = HttpHead{0, "POST", "/mcp?x=1", {{"Accept", "a"}, {"X", "\xE9"}}};
  out.frames.push_back(http);
  http.head = HttpHead{404, "", "", {}};
  http.bytes.clear();
  http.size = 0;
  out.frames.push_back(http);
  out.frames.push_back(frame(6, Direction::kReceived, Channel::kSse, ""));
  out.frames.push_back(frame(7, Direction::kReceived, Channel::kExit, "exit 0"));
  out.frames.push_back(frame(8, Direction::kSent, Channel::kClose, "stdin"));
  out.frames.push_back(frame(9, Direction::kReceived, Channel::kSocket, "[]"));
  out.frames.push_back(frame(10, Direction::kSent, Channel::kPing, "\xff"));
  out.frames.push_back(frame(11, Direction::kReceived, Channel::kPong, "\xff"));
  out.framing = "content-length";
  out.behind_handshake = true;
  return out;
}

TEST(Transcript, IsWrittenOneObjectALine) {
  Transcript transcript{"jsonrpc-2.0", TransportKind::kStdio, "./server", {}};
  transcript.frames.push_back(frame(1, Direction::kReceived, Channel::kStdout, "\xFF"));
  EXPECT_EQ(to_json_lines(transcript),
            R"({"format":"rpcspec-transcript/1","profile":"jsonrpc-2.0","transport":"stdio",)"
            R"("target":"./server"})"
            "\n"
            R"({"seq":1,"time_us":10,"direction":"received","channel":"stdout","base64":"/w=="})"
            "\n");
}

TEST(Transcript, ShowsNothingATerminalActsOn) {
  Transcript transcript{"jsonrpc-2.0", TransportKind::kStdio, "./server", {}};
  transcript.frames.push_back(
      frame(1, Direction::kReceived, Channel::kStdout, "\"\x7f \xe2\x80\xae\""));
  const std::string text = to_json_lines(transcript);
  EXPECT_NE(text.find(R"("text":"\"\u007f \u202e\"")"), std::string::npos) << text;
  EXPECT_EQ(from_json_lines(text, "t.jsonl")->frames[0].bytes, transcript.frames[0].bytes);
}

TEST(Transcript, ReadingGivesBackWhatWasWritten) {
  const Transcript written = sample();
  const Result<Transcript> read = from_json_lines(to_json_lines(written), "t.jsonl");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->profile, written.profile);
  EXPECT_EQ(read->framing, written.framing);
  EXPECT_EQ(read->behind_handshake, written.behind_handshake);
  EXPECT_EQ(read->transport, written.transport);
  EXPECT_EQ(read->target, written.target);
  ASSERT_EQ(read->frames.size(), written.frames.size());
  for (std::size_t i = 0; i < written.frames.size(); ++i) {
    const Frame& a = written.frames[i];
    const Frame& b = read->frames[i];
    EXPECT_EQ(a.seq, b.seq);
    EXPECT_EQ(a.time_us, b.time_us);
    EXPECT_EQ(a.direction, b.direction);
    EXPECT_EQ(a.channel, b.channel);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.unframed, b.unframed);
    EXPECT_EQ(a.exchange, b.exchange);
    ASSERT_EQ(a.head.has_value(), b.head.has_value());
    if (!a.head) continue;
    EXPECT_EQ(a.head->status, b.head->status);
    EXPECT_EQ(a.head->method, b.head->method);
    EXPECT_EQ(a.head->target, b.head->target);
    ASSERT_EQ(a.head->headers.size(), b.head->headers.size());
    for (std::size_t h = 0; h < a.head->headers.size(); ++h) {
      EXPECT_EQ(a.head->headers[h].name, b.head->headers[h].name);
      EXPECT_EQ(a.head->headers[h].value, b.head->headers[h].value);
    }
  }
  EXPECT_EQ(to_json_lines(*read), to_json_lines(written));
}

TEST(Transcript, BrokenLinesAreNamed) {
  const std::string head =
      R"({"format":"rpcspec-transcript/1","profile":"p","transport":"stdio","target":"t"})"
      "\n";
  const struct {
    std::string text;
    const char* error;
  } table[] = {
      {"", "t: the transcript is empty"},
      {"{}\n", "t:1: the member 'format' is missing"},
      {R"({"format":"other/1"})", "t:1: the format is 'other/1', not 'rpcspec-transcript/1'"},
      {head + "\n[]\n", "t:3: the line is not a JSON object"},
      {head + "{\n",
       "t:2: the line is not JSON: a member name in double quotes was expected "
       "(byte 1)"},
      {head + R"({"seq":-1})", "t:2: 'seq' is not a whole number from 0 to 9223372036854775807"},
      {head + R"({"seq":1,"time_us":0,"direction":"up"})",
       "t:2: the direction 'up' is neither sent nor received"},
      {head + R"({"seq":1,"time_us":0,"direction":"sent","channel":"pipe"})",
       "t:2: there is no channel 'pipe'"},
      {head + R"({"seq":1,"time_us":0,"direction":"sent","channel":"stdin"})",
       "t:2: the member 'text' is missing"},
      {head + R"({"seq":1,"time_us":0,"direction":"sent","channel":"stdin","base64":"?"})",
       "t:2: 'base64' is not base64"},
      {head + R"({"seq":1,"time_us":0,"direction":"sent","channel":"http","head":{"headers":[1]}})",
       "t:2: a header is not a pair of name and value"},
      {head +
           R"({"seq":1,"time_us":0,"direction":"sent","channel":"http","head":{"status":4294967496}})",
       "t:2: 'status' is not a whole number from 0 to 2147483647"},
  };
  for (const auto& row : table) {
    const Result<Transcript> read = from_json_lines(row.text, "t");
    ASSERT_FALSE(read) << row.text;
    EXPECT_EQ(read.error().where + ": " + read.error().what, row.error);
  }
}

TEST(HttpHead, HeaderNamesIgnoreCase) {
  const HttpHead head{200, "", "", {{"Content-Type", "text/plain"}, {"content-type", "second"}}};
  ASSERT_NE(head.header("CONTENT-TYPE"), nullptr);
  EXPECT_EQ(*head.header("CONTENT-TYPE"), "text/plain");
  EXPECT_EQ(head.header("Content"), nullptr);
}

}  // namespace
}  // namespace harness::wire
