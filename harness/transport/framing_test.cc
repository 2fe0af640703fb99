// SPDX-License-Identifier: Apache-2.0
// Both framings with sound streams, and the one that can be lied to with hostile ones.
#include "harness/transport/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/wire/header_fault.h"

namespace harness::transport {
namespace {

using target::Framing::kContentLength;
using target::Framing::kLine;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// What a stream is cut into when it arrives `size` bytes at a time: the messages, and what is wrong
// as "fault: bytes".
std::vector<std::string> cut(target::Framing framing, std::string_view stream, std::size_t size,
                             std::size_t most = 1u << 20) {
  const auto splitter = framing_of(framing).splitter(most);
  std::vector<std::string> out;
  const auto take = [&](const Piece& piece) {
    EXPECT_LE(piece.bytes.size(), std::max<std::size_t>(most, 8192));
    out.push_back((piece.whole ? "" : piece.fault + ": ") + piece.bytes);
  };
  for (; !stream.empty(); stream.remove_prefix(std::min(size, stream.size()))) {
    splitter->give(stream.substr(0, size));
    while (auto piece = splitter->next()) take(*piece);
  }
  if (auto piece = splitter->rest()) take(*piece);
  return out;
}

std::vector<std::string> cut(std::string_view stream) {
  const auto whole = cut(kContentLength, stream, stream.size() + 1);
  for (std::size_t size : {1u, 2u, 7u, 64u}) {
    EXPECT_EQ(cut(kContentLength, stream, size), whole) << "in pieces of " << size;
  }
  return whole;
}

TEST(Framing, CutsWhatItFramedHoweverTheStreamIsCut) {
  const std::vector<std::string> messages{R"({"a":1})", "", "\xC3\xA9\xE2\x98\x83", "x"};
  for (auto kind : {kLine, kContentLength}) {
    std::string stream;
    for (const std::string& text : messages) stream += framing_of(kind).frame(text);
    for (std::size_t size : {1u, 2u, 3u, 1000u}) EXPECT_EQ(cut(kind, stream, size), messages);
  }
}

TEST(ContentLength, AMessageMayHoldNewlinesAndHeaders) {
  const std::string message = "{\n\"Content-Length: 3\\r\\n\\r\\n\"\r\n\r\n}\n";
  EXPECT_THAT(cut(framing_of(kContentLength).frame(message)), ElementsAre(message));
}

TEST(ContentLength, ReadsHeadersInAnyOrderAndLetterCase) {
  EXPECT_THAT(cut("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:2 \r\n"
                  "X-More: 1\r\n\r\n{}Content-Length: 2\n\n[]"),
              ElementsAre("{}", "[]"));
}

TEST(ContentLength, SaysWhatIsOddAboutTheHeaderOfAWholeMessage) {
  for (const auto& [header, odd] : std::vector<std::pair<std::string, std::string>>{
           {"Content-Length: 2\r\nContent-Type: a/b; charset=utf-8\r\n\r\n", ""},
           {"Content-Length: 2\r\nContent-Type: a/b; charset=utf8\r\n\r\n", ""},
           {"Content-Length: 2\n\n", wire::kLineFeedAlone},
           {"Content-Length: 2\r\nX: \xC3\xA9\r\n\r\n", wire::kBeyondAscii},
           {"Content-Length: 2\r\nContent-Type: a/b; charset=utf-16\r\n\r\n", wire::kOtherCharset},
       }) {
    const auto splitter = framing_of(kContentLength).splitter(100);
    const std::string stream = header + "{}Content-Length: 2\r\n\r\n[]";
    splitter->give(stream);
    const auto first = splitter->next();
    EXPECT_TRUE(first->whole);
    EXPECT_EQ(first->bytes, "{}");
    EXPECT_EQ(first->fault, odd);
    EXPECT_EQ(splitter->next()->fault, "");
  }
}

TEST(ContentLength, TheSameLengthTwiceIsNoContradiction) {
  EXPECT_THAT(cut("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), ElementsAre("{}"));
}

TEST(ContentLength, CountsBeyondWhatItKeeps) {
  const auto splitter = framing_of(kContentLength).splitter(4);
  splitter->give("Content-Length: 10\r\n\r\n0123456789Content-Length: 1\r\n\r\nx");
  const auto piece = splitter->next();
  EXPECT_EQ(piece->bytes, "0123");
  EXPECT_EQ(piece->size, 10u);
  EXPECT_TRUE(piece->whole);
  EXPECT_EQ(splitter->next()->bytes, "x");
}

struct Hostile {
  const char* name;
  std::string stream;
  const char* fault;
};
void PrintTo(const Hostile& row, std::ostream* out) { *out << row.name; }

class BadLength : public testing::TestWithParam<Hostile> {};

// After each of them the next message is found again.
TEST_P(BadLength, IsToldAndDoesNotHideWhatFollows) {
  const auto pieces = cut(GetParam().stream + "Content-Length: 4\r\n\r\ngood");
  ASSERT_GE(pieces.size(), 2u);
  EXPECT_THAT(pieces.front(), HasSubstr(GetParam().fault));
  EXPECT_EQ(pieces.back(), "good");
}

INSTANTIATE_TEST_SUITE_P(
    All, BadLength,
    testing::Values(
        Hostile{"negative", "Content-Length: -5\r\n\r\n{\"a\":1}", "not a number: '-5'"},
        Hostile{"plus", "Content-Length: +5\r\n\r\n{\"a\":1}", "not a number: '+5'"},
        Hostile{"empty", "Content-Length:\r\n\r\n{\"a\":1}", "not a number: ''"},
        Hostile{"word", "Content-Length: many\r\n\r\n{\"a\":1}", "not a number: 'many'"},
        Hostile{"fraction", "Content-Length: 7.0\r\n\r\n{\"a\":1}", "not a number: '7.0'"},
        Hostile{"hexadecimal", "Content-Length: 0x7\r\n\r\n{\"a\":1}", "not a number: '0x7'"},
        Hostile{"two_numbers", "Content-Length: 7 7\r\n\r\n{\"a\":1}", "not a number: '7 7'"},
        Hostile{"beyond_64_bits", "Content-Length: 99999999999999999999\r\n\r\n{}", "beyond"},
        Hostile{"huge", "Content-Length: 4194305\r\n\r\n{}", "beyond 4194304 bytes: 4194305"},
        Hostile{"doubled", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "two different"},
        Hostile{"missing", "Content-Type: a/b\r\n\r\n{}", "no Content-Length"},
        Hostile{"no_header_at_all", "{\"jsonrpc\":\"2.0\"}", "bytes before a header"},
        Hostile{"stray_line", "ready on port 80\n", "a line that is not a header"},
        Hostile{"empty_line", "\r\n", "an empty line before a header"},
        Hostile{"endless_line", std::string(20000, 'x'), "no end of a header"},
        Hostile{"endless_block", std::string(20000, 'x') + "\n", "no end of a header"},
        Hostile{"many_headers",
                [] {
                  std::string block;
                  for (int i = 0; i < 1000; ++i) block += "X-Header: value\r\n";
                  return block;
                }(),
                "no end of a header"},
        Hostile{"long_number", "Content-Length: " + std::string(20000, '1') + "\n", "no end"},
        Hostile{"nul_in_it", std::string("Content-Length: 2\0\r\n\r\n{}", 23), "not a number"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ContentLength, ALengthTooShortLeavesTheRestBeforeTheNextHeader) {
  EXPECT_THAT(cut("Content-Length: 5\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"),
              ElementsAre("{\"a\":", "bytes before a header: 1}", "{}"));
}

TEST(ContentLength, ALengthTooLongTakesFromTheNextMessageOnly) {
  const auto pieces = cut("Content-Length: 9\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}" +
                          framing_of(kContentLength).frame("good"));
  EXPECT_EQ(pieces.front(), "{\"a\":1}Co");
  EXPECT_EQ(pieces.back(), "good");
}

TEST(ContentLength, TellsWhatTheEndCutOff) {
  EXPECT_THAT(cut("Content-Length: 10\r\n\r\n{\"a\""),
              ElementsAre("the stream ended after 4 of 10 bytes: {\"a\""));
  EXPECT_THAT(cut("Content-Le"), ElementsAre("the stream ended inside a header: Content-Le"));
  EXPECT_THAT(cut(""), ElementsAre());
  EXPECT_THAT(cut("Content-Length: 2\r\n\r\n{}"), ElementsAre("{}"));
}

TEST(ContentLength, AFloodWithoutAHeaderIsToldOnceALine) {
  const auto splitter = framing_of(kContentLength).splitter(1024);
  std::size_t told = 0;
  const std::string chunk(1u << 16, '#');
  for (int i = 0; i < 100; ++i) {
    splitter->give(chunk);
    while (auto piece = splitter->next()) {
      EXPECT_FALSE(piece->whole);
      ++told;
    }
  }
  EXPECT_EQ(told, 1u);
}

}  // namespace
}  // namespace harness::transport
