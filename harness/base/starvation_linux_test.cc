// SPDX-License-Identifier: Apache-2.0
#include "harness/base/starvation.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace harness {
namespace {

using std::chrono::milliseconds;

TEST(Starvation, IsSeenOfChildrenThatShareAProcessor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  const Starvation quiet;
  const Starvation starved;
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      sched_setaffinity(0, sizeof one, &one);
      for (;;) {
      }
    }
  }
  milliseconds seen{0};
  // They wait two thirds of the time; how soon that adds up is the machine's affair.
  for (int i = 0; i < 600 && seen < milliseconds(100); ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    seen = starved.since();
  }
  for (const pid_t child : children) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_GE(seen, milliseconds(100));
  EXPECT_EQ(quiet.since(), milliseconds(0));  // they are gone
}

TEST(Starvation, IsNoneOfChildrenThatSleep) {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  const Starvation none;
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_LT(none.since(), milliseconds(100));
  EXPECT_LT(none.ran().value(), milliseconds(100));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(none.ran(), std::nullopt) << "nobody is left to run";
}

TEST(Starvation, KnowsWhoRuns) {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) {
    }
  const Starvation busy;
  milliseconds seen{0};
  for (int i = 0; i < 600 && seen < milliseconds(100); ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    seen = busy.ran().value();
  }
  EXPECT_GE(seen, milliseconds(100));
  EXPECT_TRUE(Starvation({child}, false).ran());
  EXPECT_FALSE(Starvation({}, false).ran()) << "it is not counted";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Starvation, MakesWhatTookLongSoManyTimesSlower) {
  EXPECT_DOUBLE_EQ(slowdown(milliseconds(3000), milliseconds(0)), 1);
  EXPECT_DOUBLE_EQ(slowdown(milliseconds(3000), milliseconds(2000)), 3);
  EXPECT_DOUBLE_EQ(slowdown(milliseconds(3000), milliseconds(9000)), 10);
  EXPECT_DOUBLE_EQ(slowdown(milliseconds(0), milliseconds(9)), 1);
}

}  // namespace
}  // namespace harness
