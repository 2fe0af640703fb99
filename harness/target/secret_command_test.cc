// SPDX-License-Identifier: Apache-2.0
#include "harness/target/secret_command.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace harness::target {
namespace {

Result<std::string> shell(const std::string& script, std::chrono::milliseconds most = kSecretTime) {
  return printed_by({"sh", "-c", script}, "/", most);
}

TEST(SecretCommand, IsWhatTheCommandPrintsWithoutItsLineEnd) {
  EXPECT_EQ(*shell("printf 's3cret\\r\\n'"), "s3cret");
  EXPECT_EQ(*shell("echo two; echo lines"), "two\nlines");
  EXPECT_EQ(*shell("pwd"), "/");
}

TEST(SecretCommand, HasNoStdin) { EXPECT_EQ(*shell("cat; echo nothing"), "nothing"); }

TEST(SecretCommand, SaysWhyThereIsNoneAndNotWhatWasPrinted) {
  EXPECT_NE(shell("echo s3cret; exit 7").error().what.find("ended with 7"), std::string::npos);
  EXPECT_EQ(shell("echo s3cret; exit 7").error().text().find("s3cret"), std::string::npos);
  EXPECT_NE(shell("kill -9 $$").error().what.find("signal 9"), std::string::npos);
  EXPECT_NE(shell("true").error().what.find("prints nothing"), std::string::npos);
  EXPECT_NE(shell("yes").error().what.find("too much"), std::string::npos);
  EXPECT_NE(printed_by({"/no/such/program"}, "").error().what.find("cannot be started"),
            std::string::npos);
}

TEST(SecretCommand, EndsWhatDoesNotEnd) {
  const auto text = shell("sleep 1000", std::chrono::milliseconds(50));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().what.find("has not ended after 50 ms"), std::string::npos);
}

TEST(SecretCommand, DoesNotWaitForWhatTheCommandLeavesBehind) {
  EXPECT_EQ(*shell("sleep 1000 & echo s3cret"), "s3cret");
}

}  // namespace
}  // namespace harness::target
