// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace harness::transport {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines(std::string_view stream, std::size_t size) {
  LineSplitter splitter(1u << 20);
  std::vector<std::string> out;
  for (; !stream.empty(); stream.remove_prefix(std::min(size, stream.size()))) {
    splitter.give(stream.substr(0, size));
    while (auto line = splitter.next()) out.push_back(line->bytes);
  }
  if (auto line = splitter.rest()) out.push_back((line->whole ? "" : "~") + line->bytes);
  return out;
}

TEST(LineSplitter, CutsAtNewlinesOnlyHoweverTheStreamIsCut) {
  for (std::size_t size : {1u, 2u, 3u, 100u}) {
    EXPECT_THAT(lines("one\n\ntwo\r\nth\rree\xE2\x80\xA8x\nrest", size),
                ElementsAre("one", "", "two\r", "th\rree\xE2\x80\xA8x", "~rest"));
  }
}

TEST(LineSplitter, AStreamThatEndsWithANewlineLeavesNothing) {
  EXPECT_THAT(lines("a\nb\n", 3), ElementsAre("a", "b"));
}

TEST(LineSplitter, JoinsAMessageThatIsPrintedOverSeveralLines) {
  for (std::size_t size : {1u, 5u, 100u}) {
    EXPECT_THAT(
        lines("{\n  \"a\": [\n    \"]}\",\n {}]\n}\n{\"b\":1}\n[\n{\"c\":1},\n{}\n]\n", size),
        ElementsAre("{\n  \"a\": [\n    \"]}\",\n {}]\n}", "{\"b\":1}", "[\n{\"c\":1},\n{}\n]"));
    EXPECT_THAT(lines("{\"cut\":\n{\"b\":1}\n", size), ElementsAre("{\"cut\":", "{\"b\":1}"))
        << "a message by itself";
    EXPECT_THAT(lines("{\nnot\n}\nrest\n", size), ElementsAre("{", "not", "}", "rest"));
    EXPECT_THAT(lines("[info] got: [\n{\"b\":1}\n", size),
                ElementsAre("[info] got: [", "{\"b\":1}"));
    EXPECT_THAT(lines("{\n\"a\":", size), ElementsAre("~{\n\"a\":"));
  }
  LineSplitter unended(100);
  unended.give("{\n\"a\":1\n}");
  EXPECT_FALSE(unended.next());
  EXPECT_EQ(unended.begun(), "{\n\"a\":1\n}") << "the newline at its end is missing";
  LineSplitter narrow(8);
  narrow.give("{\n\"a\":\n\"b\",\n");
  EXPECT_EQ(narrow.next()->bytes, "{") << "more than is kept";
}

TEST(LineSplitter, KeepsMemoryBoundedAndCountsOn) {
  LineSplitter splitter(4);
  for (const char* piece : {"abc", "def", "ghi"}) {
    splitter.give(piece);
    EXPECT_FALSE(splitter.next());
  }
  splitter.give("j\nshort\nok\n");
  auto line = splitter.next();
  EXPECT_EQ(line->bytes, "abcd");
  EXPECT_EQ(line->size, 10u);
  EXPECT_EQ(splitter.next()->bytes, "shor");
  EXPECT_EQ(splitter.next()->size, 2u);
  EXPECT_FALSE(splitter.next());
}

}  // namespace
}  // namespace harness::transport
