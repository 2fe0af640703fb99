// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/tree.h"

#include <gtest/gtest.h>

#include <random>

#include "harness/base/text.h"
#include "harness/json/read.h"

namespace fuzz {
namespace {

TEST(Tree, FindsWhereValuesStand) {
  const std::string_view text = R"( {"id" : 1,"params":{"a":[],"b\"":"x\\"}} )";
  Tree tree;
  ASSERT_TRUE(tree.read(text));

  ASSERT_EQ(tree.size(), 5u);
  EXPECT_EQ(text_of(text, tree[0]), text.substr(1, text.size() - 2));
  EXPECT_EQ(text_of(text, tree[1]), "1");
  EXPECT_EQ(text_of(text, tree[4]), R"("x\\")");
  EXPECT_EQ(tree[2].next, 5u);
  EXPECT_EQ(tree[3].parent, 2u);
  EXPECT_EQ(tree[3].next, 4u);
  EXPECT_EQ(tree.member(text, 0, "params"), 2u);
  EXPECT_EQ(tree.member(text, 0, "a"), Tree::kNone);
  EXPECT_EQ(tree.children(0), 2u);
  EXPECT_EQ(tree.child(2, 1), 4u);
}

TEST(Tree, RefusesWhatIsNoJson) {
  for (const char* text :
       {"",         " ",         "{",     "[",   "[1",         "[1 ,", "[1,]", "{\"a\"}",
        "{\"a\":}", "{a:1}",     "[1 2]", "1 2", "tru",        "]",    "{}}",  "{]",
        "\"a",      "[\"a\\\"]", "-",     "x",   "{\"a\":1,}", ",",    "nullx"}) {
    Tree tree;
    EXPECT_FALSE(tree.read(text)) << text;
  }
}

TEST(Tree, StaysUprightInDeepTexts) {
  const std::string text = std::string(60'000, '[') + std::string(60'000, ']');
  Tree tree;
  ASSERT_TRUE(tree.read(text));
  EXPECT_EQ(tree[0].next, 60'000u);
  EXPECT_FALSE(tree.read(std::string(100'000, '[') + std::string(100'000, ']')));
}

TEST(Tree, RemovesWithTheComma) {
  const struct {
    const char* text;
    std::size_t index;
    const char* left;
  } table[] = {
      {"[1, 2, 3]", 1, "[2, 3]"},
      {"[1, 2, 3]", 2, "[1, 3]"},
      {"[1, 2 , 3 ]", 3, "[1, 2  ]"},
      {"[1]", 1, "[]"},
      {"{\"a\":1}", 1, "{}"},
      {"{\"a\":1,\"b\":2}", 2, "{\"a\":1}"},
      {"1", 0, ""},
  };
  for (const auto& row : table) {
    std::string text = row.text;
    Tree tree;
    ASSERT_TRUE(tree.read(text));
    const Stretch stretch = removal(text, tree, row.index);
    text.erase(stretch.begin, stretch.end - stretch.begin);
    EXPECT_EQ(text, row.left) << row.text;
  }
}

// Texts that are nearly JSON.
std::string nearly_json(std::mt19937& random) {
  static const char* const kPieces[] = {"{",      "}",       "[",    "]",     ",",    ":",
                                        "\"a\"",  " 1 ",     "null", " ",     "true", "\"\\\"\"",
                                        " -2e3 ", "{\"b\":", "[1 ,", "\"c\":"};
  std::string text;
  for (std::size_t count = random() % 9; count > 0; --count) text += kPieces[random() % 16];
  return text;
}

TEST(Tree, AgreesWithTheStrictReader) {
  std::mt19937 random(1);
  std::size_t taken = 0;
  for (int i = 0; i < 300'000; ++i) {
    const std::string text = nearly_json(random);
    Tree tree;
    const auto reading = harness::json::read(text);
    const auto* strict = std::get_if<harness::json::Reading>(&reading);
    ASSERT_EQ(tree.read(text), strict != nullptr) << text;
    if (!strict) continue;
    ++taken;
    ASSERT_EQ(tree.size(), strict->values) << text;
    // Any value may go, and any place may take one: it stays JSON.
    const std::size_t index = random() % tree.size();
    std::string edited = text;
    if (index != 0) {
      const Stretch stretch = removal(text, tree, index);
      edited.erase(stretch.begin, stretch.end - stretch.begin);
    }
    Tree again;
    ASSERT_TRUE(again.read(edited)) << text << " without " << index << ": " << edited;
  }
  EXPECT_GT(taken, 5'000u);
}

}  // namespace
}  // namespace fuzz
