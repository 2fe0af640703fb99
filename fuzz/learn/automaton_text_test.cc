// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/automaton_text.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

Automaton door() {
  return {{"open", "x:lock"},
          {{{1, "opened"}, {0, "-"}}, {{1, "error -1"}, {1, "closed, exit 1"}}}};
}
const std::vector<Mark> kMarks = {{1, 1, "some.clause"}};

TEST(ToText, SaysEachStateAndHowItIsReached) {
  EXPECT_EQ(to_text(door(), kMarks),
            "s0, at the beginning\n"
            "  open    > s1  opened\n"
            "  x:lock  = s0  -\n"
            "\n"
            "s1, after open\n"
            "  open    = s1  error -1\n"
            "! x:lock  = s1  closed, exit 1   (some.clause)\n");
}

TEST(ToMermaid, HasOneColonALine) {
  EXPECT_EQ(to_mermaid(door(), kMarks),
            "stateDiagram-v2\n"
            "  [*] --> s0\n"
            "  s0 --> s0: x.lock / -\n"
            "  s0 --> s1: open / opened\n"
            "  s1 --> s1: (!) x.lock / closed, exit 1\n"
            "  s1 --> s1: open / error -1\n");
}

TEST(ToDot, IsReadAgain) {
  const std::string dot = to_dot(door(), kMarks, "a \"door\"");
  EXPECT_NE(dot.find("s1 -> s1 [label=\"x:lock / closed, exit 1\" color=red"), dot.npos);
  const auto read = read_dot(dot, "door.dot");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, door());
}

TEST(ReadDot, SaysWhichLineIsWrong) {
  const auto error = [](const char* text) {
    const auto read = read_dot(text, "f.dot");
    return read ? std::string("none") : read.error().text();
  };
  EXPECT_NE(error("").find("f.dot:1: it contains no edge"), std::string::npos);
  EXPECT_NE(error("digraph {\n  s0 -> s1 [label=\"x\"]\n").find("f.dot:2: the line is not an edge"),
            std::string::npos);
  EXPECT_NE(error("  s0 -> s99999 [label=\"a / b\"]\n").find("f.dot:1:"), std::string::npos);
  EXPECT_NE(error("  s0 -> s1 [label=\"a / b\"]\n").find("1 edges, and 2 states"),
            std::string::npos);
}

}  // namespace
}  // namespace fuzz
