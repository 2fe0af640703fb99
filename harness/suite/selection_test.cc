// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/selection.h"

#include <gtest/gtest.h>

namespace harness::suite {
namespace {

Case make(std::string id, std::vector<std::string> covers) {
  Case out;
  out.id = std::move(id);
  out.covers = std::move(covers);
  return out;
}

TEST(Selection, APatternNamesIdsFoldersAndRequirements) {
  const auto item = make("base/ids/string", {"jsonrpc.id.string-echo"});
  for (const char* yes :
       {"base/ids/string", "base/*", "*string", "base", "base/ids/", "jsonrpc.id.*"}) {
    EXPECT_TRUE(matches(item, yes)) << yes;
  }
  for (const char* no : {"bas", "base/ids/str", "jsonrpc.id", "ids"})
    EXPECT_FALSE(matches(item, no)) << no;
}

TEST(Selection, ExcludeWins) {
  const auto item = make("a/b", {});
  EXPECT_TRUE(selected(item, {}));
  EXPECT_TRUE(selected(item, {{"a"}, {}, {}}));
  EXPECT_FALSE(selected(item, {{"c"}, {}, {}}));
  EXPECT_FALSE(selected(item, {{"a"}, {"*/b"}, {}}));
}

TEST(Selection, NamesPatternsThatMatchNothing) {
  EXPECT_EQ(unmatched({make("a/b", {})}, {{"a", "x"}, {"y*"}, {}}),
            (std::vector<std::string>{"x", "y*"}));
}

TEST(Shard, EveryCaseIsInExactlyOne) {
  std::size_t sizes[3] = {};
  for (int i = 0; i < 300; ++i) {
    int homes = 0;
    for (unsigned shard = 1; shard <= 3; ++shard) {
      if (!in_shard("case/" + std::to_string(i), {shard, 3})) continue;
      ++homes;
      ++sizes[shard - 1];
    }
    EXPECT_EQ(homes, 1);
  }
  for (const auto size : sizes) EXPECT_GT(size, 60u);
}

TEST(Shard, IsReadFromText) {
  const auto shard = read_shard("2/5");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->index, 2u);
  EXPECT_EQ(shard->count, 5u);
  for (const char* bad : {"", "2", "0/5", "6/5", "a/5", "2/5x", "1/0", "-1/5"}) {
    EXPECT_FALSE(read_shard(bad)) << bad;
  }
}

}  // namespace
}  // namespace harness::suite
