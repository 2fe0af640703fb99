// SPDX-License-Identifier: Apache-2.0
#include "harness/json/marked.h"

#include <gtest/gtest.h>

namespace harness::json {
namespace {

std::string place_at(const Value& root, const std::string& pointer) {
  const Value* found = at(root, pointer);
  return found == nullptr
             ? "nothing"
             : std::to_string(found->mark.line) + ":" + std::to_string(found->mark.column);
}

TEST(MarkedJson, EachValueKnowsItsLineAndColumn) {
  const auto read = read_marked(
      "{\"a\": [1,\n  -2.5e3, true],\n\"b\\\"}\": {\n \"c\" : \"é]\" , \"d\": null}}", "f");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(place_at(*read, ""), "1:1");
  EXPECT_EQ(place_at(*read, "/a"), "1:7");
  EXPECT_EQ(place_at(*read, "/a/0"), "1:8");
  EXPECT_EQ(place_at(*read, "/a/1"), "2:3");
  EXPECT_EQ(place_at(*read, "/a/2"), "2:11");
  EXPECT_EQ(read->members[1].mark.line, 3);
  EXPECT_EQ(place_at(*read, "/b\"}/c"), "4:8");
  // Columns count characters, not bytes.
  EXPECT_EQ(place_at(*read, "/b\"}/d"), "4:20");
}

TEST(MarkedJson, AMistakeIsToldWithItsPlace) {
  const auto read = read_marked("{\"a\": 1,\n \"b\" 2}", "f.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().text(),
            "f.json:2:6: the text is not readable JSON: a colon was expected after the "
            "member name");
}

}  // namespace
}  // namespace harness::json
