// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/runs.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

std::string times(std::string_view unit, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

TEST(Runs, OfBracketsAreClosedAsOften) {
  const std::string text =
      "{\"id\":1,\"params\":" + times("[", 5000) + "7" + times("]", 5000) + "}";
  const auto run = longest_run(text, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->unit, "[");
  EXPECT_EQ(run->times, 5000u);
  EXPECT_EQ(with_times(text, *run, 5000), text);
  EXPECT_EQ(with_times(text, *run, 2), "{\"id\":1,\"params\":[[7]]}");
  EXPECT_EQ(with_times(text, *run, 0), "{\"id\":1,\"params\":7}");
}

TEST(Runs, MayHaveUnitsOfSeveralCharacters) {
  const std::string text = times("{\"a\":[", 100) + "0" + times("]}", 100);
  const auto run = longest_run(text, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(with_times(text, *run, 1), "{\"a\":[0]}");
  const std::string list = "[" + times("0,", 100) + "1]";
  EXPECT_EQ(with_times(list, *longest_run(list, {}), 2), "[0,0,1]");
}

TEST(Runs, AreOfThoseThatAreClosedTogether) {
  const std::string text = times("[", 101) + "1" + times("]", 100) + ",2]";
  const auto run = longest_run(text, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->times, 100u);
  EXPECT_EQ(with_times(text, *run, 1), "[[1],2]");
}

TEST(Runs, MayNeverBeClosed) {
  const std::string text = times("[", 100);
  const auto run = longest_run(text, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->closing, std::string::npos);
  EXPECT_EQ(with_times(text, *run, 3), "[[[");
}

TEST(Runs, AreTriedOnce) {
  const std::string text = times("7", 100) + " " + times("8", 50);
  EXPECT_EQ(longest_run(text, {})->unit, "7");
  EXPECT_EQ(longest_run(text, {"7"})->unit, "8");
  EXPECT_FALSE(longest_run(text, {"7", "8"}));
}

TEST(Runs, AreNoneInWhatVaries) {
  EXPECT_FALSE(longest_run("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", {}));
  EXPECT_FALSE(longest_run("", {}));
}

}  // namespace
}  // namespace fuzz
