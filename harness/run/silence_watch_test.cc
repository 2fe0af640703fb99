// SPDX-License-Identifier: Apache-2.0
#include "harness/run/silence_watch.h"

#include <gmock/gmock.h>

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct SilenceWatchTest : testing::Test {
  SilenceWatchTest() {
    watch.played(first, {"n:1", "n:2"}, true);
    watch.played(lenient, {"n:3"}, false);
    watch.played(last, {"s:a"}, true);
  }

  Entry first, lenient, last;
  SilenceWatch watch;
};

TEST_F(SilenceWatchTest, LaysALateReplyToTheCaseItNames) {
  const auto late = watch.late({"n:2", "n:1"});
  EXPECT_THAT(late.named, ElementsAre(&first));
  EXPECT_THAT(late.all, IsEmpty());
  EXPECT_FALSE(late.unnamed);
  EXPECT_THAT(watch.end(), ElementsAre(&last));
}

TEST_F(SilenceWatchTest, TakesNoHarmFromALateReplyThatACaseAllowed) {
  const auto late = watch.late({"n:3"});
  EXPECT_THAT(late.named, IsEmpty());
  EXPECT_THAT(late.all, IsEmpty());
  EXPECT_THAT(watch.end(), ElementsAre(&first, &last));
}

TEST_F(SilenceWatchTest, DoubtsAllWhereAReplyNamesNoneOfTheirMessages) {
  for (const char* key : {"null", "n:7", ""}) {
    SilenceWatch own = watch;
    const auto late = own.late({"s:a", key});
    EXPECT_THAT(late.named, ElementsAre(&last)) << key;
    EXPECT_THAT(late.all, ElementsAre(&first)) << key;
    EXPECT_TRUE(own.empty()) << key;
  }
}

TEST_F(SilenceWatchTest, ForgetsWithItsSession) {
  EXPECT_THAT(watch.end(), ElementsAre(&first, &last));
  EXPECT_TRUE(watch.empty());
  watch.played(first, {}, true);
  EXPECT_THAT(watch.late({"n:1"}).all, ElementsAre(&first));
}

}  // namespace
}  // namespace harness::run
