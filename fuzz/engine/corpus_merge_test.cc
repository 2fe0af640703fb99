// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/corpus_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LeastSet, TakesTheShortestThatShowsAFeature) {
  EXPECT_THAT(least_set({{9, {1, 2}}, {3, {1}}, {4, {2}}, {5, {1, 2}}}), ElementsAre(1, 2));
}

TEST(LeastSet, LeavesOutWhatOthersShowTogether) {
  // The first two are taken before the third, which shows all that they show.
  EXPECT_THAT(least_set({{1, {1}}, {2, {2}}, {3, {1, 2, 3}}}), ElementsAre(2));
}

TEST(LeastSet, CountsAFeatureOnceThatAScriptShowsTwice) {
  EXPECT_THAT(least_set({{1, {1, 1}}, {2, {2}}, {3, {2, 3}}}), ElementsAre(0, 2));
}

TEST(LeastSet, IsEmptyWhereNothingIsShown) {
  EXPECT_THAT(least_set({}), IsEmpty());
  EXPECT_THAT(least_set({{4, {}}}), IsEmpty());
}

}  // namespace
}  // namespace fuzz
