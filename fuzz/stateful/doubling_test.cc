// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/doubling.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr const char* kRequest =
    R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"s":"ab","l":[1],"o":{"k":0}}})";

TEST(Doubling, AddsAboutAsMuchAsItIsAsked) {
  for (const Dimension dimension : {Dimension::kString, Dimension::kEscapes, Dimension::kList,
                                    Dimension::kObject, Dimension::kDepth}) {
    for (const std::size_t bytes : {64u, 1024u, 65536u}) {
      const auto text = enlarged(kRequest, dimension, bytes);
      ASSERT_TRUE(text.has_value()) << dimension_name(dimension);
      const auto added = static_cast<double>(text->size() - std::string(kRequest).size());
      EXPECT_GT(added, 0.8 * static_cast<double>(bytes)) << dimension_name(dimension);
      EXPECT_LT(added, 1.6 * static_cast<double>(bytes) + 32) << dimension_name(dimension);
      if (dimension != Dimension::kDepth && dimension != Dimension::kEscapes) {
        const std::size_t more =
            size_in(*text, dimension).value() - size_in(kRequest, dimension).value();
        EXPECT_EQ(static_cast<double>(more), added) << dimension_name(dimension);
      }
      const auto reading = json::read(*text, {.max_depth = 100'000});
      const auto* good = std::get_if<json::Reading>(&reading);
      ASSERT_NE(good, nullptr) << dimension_name(dimension);
      EXPECT_EQ(good->value.find("method")->text, "x");
      EXPECT_EQ(good->value.find("id")->text, "1");
    }
  }
}

TEST(Doubling, LeavesWhatHasNoSuchPart) {
  const char* bare = R"({"jsonrpc":"2.0","id":1,"method":"x"})";
  for (const Dimension dimension : kDimensions)
    EXPECT_FALSE(enlarged(bare, dimension, 64).has_value() || size_in(bare, dimension))
        << dimension_name(dimension);
  EXPECT_FALSE(enlarged("", Dimension::kText, 64).has_value());
  EXPECT_FALSE(enlarged("[1]", Dimension::kList, 64).has_value());
  // _meta is not what a method works on.
  const char* meta = R"({"id":1,"method":"x","params":{"_meta":{"k":"some text"}}})";
  EXPECT_FALSE(enlarged(meta, Dimension::kString, 64).has_value());
}

TEST(Doubling, RepeatsTextThatIsNoJson) {
  EXPECT_EQ(enlarged("{\"", Dimension::kText, 4), "{\"{\"{\"");
}

}  // namespace
}  // namespace fuzz
