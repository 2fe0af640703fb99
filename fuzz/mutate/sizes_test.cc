// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fuzz/mutate/mutate_testing.h"

namespace fuzz {
namespace {

TEST(Sizes, MakeEachPlaceDeepLongAndMany) {
  const Vocabulary vocabulary = testing::vocabulary();
  Sizes sizes(vocabulary);
  ASSERT_GT(sizes.count(), 100u);
  std::size_t made = 0, open = 0, in_params = 0, batches = 0, longest = 0;
  std::size_t segments = 0, escapes = 0, fractions = 0;
  while (const auto script = sizes.next()) {
    ++made;
    const std::string& bytes = std::get<Frame>(script->steps.front()).bytes;
    longest = std::max(longest, bytes.size());
    open += bytes.ends_with("[[[[");
    in_params += bytes.find("\"params\":[[[[") != std::string::npos;
    batches += bytes.starts_with("[{\"jsonrpc\"");
    segments += bytes.find("test://a/a/a/a/a") != std::string::npos;
    escapes += bytes.find(R"("\n\n\n\n)") != std::string::npos;
    fractions += bytes.find(":0.7777") != std::string::npos;
    if (made > 1500) break;  // it takes memory, and they go on like that
  }
  for (const std::size_t count : {open, in_params, batches, segments, escapes, fractions})
    EXPECT_GT(count, 0u);
  EXPECT_GE(longest, 250'000u);
  EXPECT_LE(longest, 20u << 20);
}

// What has a new name is large in most ways before every place was large in a few.
TEST(Sizes, ComeEarlyToManyWays) {
  const Vocabulary vocabulary = testing::vocabulary();
  Sizes sizes(vocabulary);
  bool longer = false, members = false, fraction = false;
  for (std::size_t i = 0; i < sizes.count() / 8; ++i) {
    const std::string bytes = std::get<Frame>(sizes.next()->steps.front()).bytes;
    longer |= bytes.find("test://aaaaaaaa") != std::string::npos;
    members |= bytes.find(R"({"0":0,"1":0,)") != std::string::npos;
    fraction |= bytes.find(":0.7777") != std::string::npos;
  }
  EXPECT_TRUE(longer);
  EXPECT_TRUE(members);
  EXPECT_TRUE(fraction);
}

TEST(Sizes, MakeHeadersLongAndManyOverHttpAlone) {
  const Vocabulary http = testing::vocabulary("mcp-2025-06-18", "http");
  const Vocabulary stdio = testing::vocabulary("mcp-2025-06-18", "stdio");
  const auto headers_of_first = [](const Vocabulary& vocabulary) {
    Sizes sizes(vocabulary);
    std::size_t most = 0;
    for (int i = 0; i < 8; ++i)
      most = std::max(most, std::get<Frame>(sizes.next()->steps.front()).delivery.headers.size());
    return most;
  };
  EXPECT_EQ(headers_of_first(http), 128u);
  EXPECT_EQ(headers_of_first(stdio), 0u);
}

TEST(Sizes, AreTheSameEachTime) {
  const Vocabulary vocabulary = testing::vocabulary();
  Sizes one(vocabulary), other(vocabulary);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.next(), other.next());
}

}  // namespace
}  // namespace fuzz
