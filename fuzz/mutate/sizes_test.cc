// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fuzz/mutate/testing.h"

namespace fuzz {
namespace {

TEST(Sizes, MakeEachPlaceDeepLongAndMany) {
  Sizes sizes(testing::vocabulary());
  ASSERT_GT(sizes.count(), 100u);
  std::size_t made = 0, deep = 0, in_ids = 0, in_params = 0, longest = 0, open = 0;
  while (const auto script = sizes.next()) {
    ++made;
    const std::string& bytes = std::get<Frame>(script->steps.front()).bytes;
    longest = std::max(longest, bytes.size());
    const auto levels = std::count(bytes.begin(), bytes.end(), '[');
    deep += levels >= 1'000'000;
    open += levels >= 10'000 && bytes.ends_with("[[[[");
    in_ids += bytes.find("\"id\":[[[[") != std::string::npos;
    in_params += bytes.find("\"params\":[[[[") != std::string::npos;
    if (made > 600) break;  // it takes memory, and they go on like that
  }
  EXPECT_GT(deep + open + in_params, 0u);
  EXPECT_GT(in_params, 0u);
  EXPECT_GE(longest, 250'000u);
  EXPECT_LE(longest, 8u << 20);
}

TEST(Sizes, AreTheSameEachTime) {
  Sizes one(testing::vocabulary()), other(testing::vocabulary());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(one.next(), other.next());
}

}  // namespace
}  // namespace fuzz
