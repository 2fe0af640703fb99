// SPDX-License-Identifier: Apache-2.0
#include "harness/base/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace harness {
namespace {

using std::chrono::seconds;

TEST(Child, ReturnsWhatItsWorkReturns) {
  const std::string large(3 << 20, 'x');  // more than a pipe holds
  const Result<std::string> told = run_in_child([&] { return large; }, seconds(60));
  ASSERT_TRUE(told) << told.error().text();
  EXPECT_EQ(*told, large);
  const Result<std::string> nothing = run_in_child([] { return std::string(); }, seconds(60));
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*nothing, "");
}

TEST(Child, IsAnErrorHoweverItsWorkFails) {
  struct Row {
    const char* what;
    std::function<std::string()> work;
    const char* why;
  };
  const Row rows[] = {
      {"an exception", []() -> std::string { throw std::out_of_range("no such place"); },
       "no such place"},
      {"something else is thrown", []() -> std::string { throw 7; }, "not an exception"},
      {"a crash",
       []() -> std::string {
         ::raise(SIGSEGV);
         return "";
       },
       "Segmentation fault"},
      {"an end", []() -> std::string { ::_exit(3); }, "ended"},
      {"no end",
       []() -> std::string {
         for (;;) ::pause();
       },
       "longer than 1 s"},
  };
  for (const Row& row : rows) {
    const Result<std::string> told = run_in_child(row.work, seconds(1));
    ASSERT_FALSE(told) << row.what;
    EXPECT_THAT(told.error().text(), testing::HasSubstr(row.why)) << row.what;
  }
}

TEST(Child, ChangesNothingHere) {
  int touched = 0;
  const Result<std::string> told = run_in_child(
      [&] {
        touched = 1;
        return std::to_string(touched);
      },
      seconds(60));
  ASSERT_TRUE(told);
  EXPECT_EQ(*told, "1");
  EXPECT_EQ(touched, 0);
}

}  // namespace
}  // namespace harness
