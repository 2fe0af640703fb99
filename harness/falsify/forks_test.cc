// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/forks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

namespace harness::falsify {
namespace {

TEST(Forks, HandOverWhatEachPieceWroteHoweverItEnded) {
  std::map<std::size_t, std::string> all;
  fork_each(
      4, 2, 1,
      [](std::size_t number, int out) {
        write_line(out, "piece " + std::to_string(number));
        if (number == 1) _exit(3);
        if (number == 2) raise(SIGKILL);
        if (number == 3) pause();  // until its second is over
        write_line(out, "end");
      },
      [&](std::size_t number, const std::string& written) { all[number] = written; });
  EXPECT_EQ(all[0], "piece 0\nend\n");
  EXPECT_EQ(all[1], "piece 1\n");
  EXPECT_EQ(all[2], "piece 2\n");
  EXPECT_EQ(all[3], "piece 3\n");
}

}  // namespace
}  // namespace harness::falsify
