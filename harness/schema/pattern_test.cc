// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(Pattern, FindsTextsForWhatPeopleWrite) {
  for (const char* expression :
       {"^[a-z][a-z0-9_]*$", "^\\d{4}-\\d{2}-\\d{2}$", "^(foo|bar)\\.txt$", "^https?:\\/\\/.+",
        "^#[0-9a-fA-F]{6}$", "[^/]+", "^\\+?[1-9]\\d{1,14}$", "^(?:a|b){2}$", "^(?<year>\\d{4})$",
        "^\\u0041+$", "^.{3,5}$", "\\bword\\b", "^$", "x", "^[\\w.-]+@[\\w.-]+$"}) {
    const auto pattern = Pattern::compile(expression);
    ASSERT_TRUE(pattern) << expression;
    const auto texts = pattern->samples(0, 200);
    EXPECT_THAT(texts, Not(IsEmpty())) << expression;
    for (const auto& text : texts) EXPECT_TRUE(pattern->found_in(text)) << expression;
  }
}

TEST(Pattern, MakesTextsOfTheLengthWanted) {
  EXPECT_THAT(Pattern::compile("^[a-z]+$")->samples(7, 7), ElementsAre("aaaaaaa"));
  EXPECT_THAT(Pattern::compile("^a{2,3}$")->samples(4, 9), IsEmpty());
  EXPECT_THAT(Pattern::compile("^ab")->samples(5, 5), ElementsAre("abaaa"));
}

TEST(Pattern, RefusesWhatRe2DoesNotKnow) {
  for (const char* expression : {"(?=a)", "(a)\\1", "[", "(?<!a)b"})
    EXPECT_FALSE(Pattern::compile(expression)) << expression;
}

TEST(Pattern, AFaultIsWhatNoDialectHas) {
  EXPECT_EQ(Pattern::fault("[a-z"), "a bracket [ is not closed");
  EXPECT_EQ(Pattern::fault("(a"), "a parenthesis ( is not closed");
  EXPECT_EQ(Pattern::fault("a)"), "a parenthesis ) closes nothing");
  EXPECT_EQ(Pattern::fault("a\\"), "it ends in a backslash");
  EXPECT_EQ(Pattern::fault("*a"), "a repetition repeats nothing");
  for (const char* fine :
       {"^a$", "(?=a)b", "(a)\\1", "a{1,5000}", "(?i)a", "(?<!a)b", "(?<name>a)"})
    EXPECT_EQ(Pattern::fault(fine), "") << fine;
}

}  // namespace
}  // namespace harness::schema
