// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace harness::transport {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view stream, std::size_t size) {
  TextSplitter splitter(1u << 20);
  std::vector<std::string> out;
  for (; !stream.empty(); stream.remove_prefix(std::min(size, stream.size()))) {
    splitter.give(stream.substr(0, size));
    while (auto text = splitter.next()) out.push_back(text->bytes);
  }
  if (auto text = splitter.rest()) out.push_back((text->whole ? "" : "~") + text->bytes);
  return out;
}

TEST(TextSplitter, EndsAMessageWhereItIsCompleteHoweverTheStreamIsCut) {
  for (std::size_t size : {1u, 2u, 3u, 100u}) {
    EXPECT_THAT(texts(R"({"a":"}\"{"}[1,[2]] {"b":{}})"
                      "\nstarted\n{\n\"c\":1}\n{\"d\":",
                      size),
                ElementsAre(R"({"a":"}\"{"})", "[1,[2]]", R"({"b":{}})", "started", "{\n\"c\":1}",
                            "~{\"d\":"));
  }
}

TEST(TextSplitter, TellsAPromptFromTheMessageBehindIt) {
  for (std::size_t size : {1u, 2u, 100u}) {
    EXPECT_THAT(texts("> {\"a\":1}\n> {\"b\":[2]}\r\n12:00:00 a long line {\"c\":3}\n> ", size),
                ElementsAre("> ", R"({"a":1})", "> ", R"({"b":[2]})",
                            R"(12:00:00 a long line {"c":3})", "~> "));
  }
}

TEST(TextSplitter, KeepsMemoryBoundedAndCountsOn) {
  TextSplitter splitter(4);
  splitter.give("[12345678]");
  const auto text = splitter.next();
  ASSERT_TRUE(text);
  EXPECT_EQ(text->bytes, "[123");
  EXPECT_EQ(text->size, 10u);
}

}  // namespace
}  // namespace harness::transport
