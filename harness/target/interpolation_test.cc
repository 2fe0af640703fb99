// SPDX-License-Identifier: Apache-2.0
#include "harness/target/interpolation.h"

#include <gtest/gtest.h>

namespace harness::target {
namespace {

std::optional<std::string> lookup(const std::string& name) {
  if (name == "HOME") return "/home/a";
  if (name == "EMPTY") return "";
  if (name == "MONEY") return "$HOME";
  return std::nullopt;
}

// What came out, or the complaint.
std::string text_of(const Result<std::string>& result) {
  return result ? *result : result.error().text();
}

TEST(Interpolation, FillsInReferencesOfOurDescriptions) {
  const struct {
    const char* text;
    const char* filled;
  } table[] = {
      {"", ""},
      {"plain", "plain"},
      {"$HOME", "/home/a"},
      {"${HOME}", "/home/a"},
      {"a$HOME/b${HOME}c", "a/home/a/b/home/ac"},
      {"$HOME-x", "/home/a-x"},
      {"$EMPTY", ""},
      {"${EMPTY:-x}", ""},
      {"${UNSET:-x y}", "x y"},
      {"${UNSET:-}", ""},
      {"${HOME:-x}", "/home/a"},
      {"$$HOME", "$HOME"},
      {"$$$HOME", "$/home/a"},
      {"5 $", "5 $"},
      {"5 $ a", "5 $ a"},
      {"$MONEY", "$HOME"},  // a value is not looked through
      {"$UNSET",
       "the environment variable UNSET is not set; set it, or write the value here; $$ is a dollar "
       "sign"},
      {"${HOME",
       "'${HOME' is not a reference to the environment; write $NAME or ${NAME}; $$ is a "
       "dollar sign"},
      {"${}",
       "'${}' is not a reference to the environment; write $NAME or ${NAME}; $$ is a dollar sign"},
  };
  for (const auto& row : table)
    EXPECT_EQ(text_of(interpolated(row.text, lookup)), row.filled) << row.text;
}

TEST(Interpolation, FillsInWhatClientsFillIn) {
  const struct {
    const char* text;
    const char* filled;
  } table[] = {
      {"", ""},
      {"$HOME", "$HOME"},
      {"$$", "$$"},
      {"${HOME}", "/home/a"},
      {"${env:HOME}/x", "/home/a/x"},
      {"${UNSET:-x}", "x"},
      {"${workspaceFolder}/a.js", "/project/a.js"},
      {"${workspaceFolder}${HOME}", "/project/home/a"},
      {"${input:key}",
       "'${input:key}' is a question of the editor; write ${NAME}, and set that in the "
       "environment"},
      {"${env:UNSET}",
       "the environment variable UNSET is not set; set it, or write the value here; $$ is a dollar "
       "sign"},
      {"a ${HOME",
       "'${HOME' is not a reference to the environment; write $NAME or ${NAME}; $$ is "
       "a dollar sign"},
  };
  for (const auto& row : table)
    EXPECT_EQ(text_of(interpolated_as_clients_do(row.text, "/project", lookup)), row.filled)
        << row.text;
}

TEST(Interpolation, TellsWhatReferencesPutIn) {
  const struct {
    const char* written;
    const char* filled;
    const char* inserted;
  } table[] = {
      {"$TOKEN", "s3cret", "s3cret"},
      {"Bearer $TOKEN", "Bearer s3cret", "s3cret"},
      {"Bearer ${TOKEN}", "Bearer s3cret", "s3cret"},
      {"a${TOKEN}b", "as3cretb", "s3cret"},
      {"a$TOKEN.b", "as3cret.b", "s3cret.b"},  // without a brace the end is not known
      {"long ${T} tail", "long  tail", ""},
  };
  for (const auto& row : table)
    EXPECT_EQ(inserted_text(row.written, row.filled), row.inserted) << row.written;
}

}  // namespace
}  // namespace harness::target
