// SPDX-License-Identifier: Apache-2.0
#include "reports/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reports {
namespace {

using ::testing::ElementsAre;

TEST(Wrap, BreaksAtBlanksAndSplitsOnlyWordsThatAreTooLong) {
  EXPECT_THAT(wrap("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrap("abcdefghijkl mn", 8), ElementsAre("abcdefgh", "ijkl mn"));
  EXPECT_TRUE(wrap("  ", 20).empty());
}

TEST(Wrap, NeverSplitsACharacter) {
  EXPECT_THAT(wrap("éééééééééé", 8), ElementsAre("éééééééé", "éé"));
  EXPECT_THAT(wrap("日本語日本語", 8), ElementsAre("日本語日", "本語"));
}

TEST(Chunks, LoseNothing) {
  EXPECT_THAT(chunks("a  b  c", 3), ElementsAre("a  ", "b  ", "c"));
  EXPECT_THAT(chunks("日本語", 4), ElementsAre("日本", "語"));
  EXPECT_THAT(chunks("", 4), ElementsAre(""));
}

TEST(Fit, KeepsWhatFitsAndTellsWhatWasCut) {
  EXPECT_EQ(fit("short", 20), "short");
  EXPECT_EQ(fit(std::string(100, 'x'), 20), "xxxxxxx… (100 bytes)");
  EXPECT_EQ(fit("begin", 40, 5000), "begin… (5000 bytes)") << "bytes that were cut before";
}

TEST(FitWords, CutsBehindAWord) {
  EXPECT_EQ(fit_words("one two three", 13), "one two three");
  EXPECT_EQ(fit_words("one two three", 12), "one two …");
  EXPECT_EQ(fit_words(std::string(100, 'x'), 10), "xxxxxxxx …");
  EXPECT_LE(width_of(fit_words(std::string(1000, '\x1b'), 41)), 41u);
}

TEST(Fit, CountsEscapesAsTheColumnsTheyTake) {
  for (const std::size_t columns : {20u, 41u, 77u}) {
    EXPECT_LE(width_of(fit(std::string(1000, '\x1b'), columns)), columns);
    EXPECT_LE(width_of(fit(std::string(1000, '\xff'), columns)), columns);
  }
}

TEST(DurationText, UsesTheUnitAReaderWouldUse) {
  EXPECT_EQ(duration_text(850), "850 ms");
  EXPECT_EQ(duration_text(4210), "4.2 s");
  EXPECT_EQ(duration_text(125'000), "2 min 5 s");
}

}  // namespace
}  // namespace reports
