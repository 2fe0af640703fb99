// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/readable_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/wire/message.h"

namespace harness::trace {
namespace {

struct Row {
  std::string_view text;
  std::vector<const char*> may_be;  // JSON
  std::vector<const char*> never;
  std::vector<const char*> spelled;  // out by keys()
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {R"({"id":41,"method":"x",})", {"41", "41.0", R"("41")"}, {"42", R"("42")"}, {"41"}},
      {R"({'id': 'q')", {R"("q")"}, {}, {R"("q")"}},
      {R"({"ID" : "a,b")", {R"("a,b")", R"("a")"}, {R"("c")"}, {}},
      {R"({"id":09})", {"9", "1"}, {}, {"9"}},
      {R"({"id":0x10})", {"16", "10"}, {}, {"10"}},
      {"id:", {"18446744073709551615", "0", R"("z")"}, {}, {}},
      {R"({"id":18446744073709551615)",
       {"18446744073709551615", "18446744073709551616"},
       {"7"},
       {}},
      {R"({"id":1.5,)", {"1", "1.5", "2"}, {"15"}, {"1.5"}},
      {R"({"id":1e400,)", {"0", "2147483647", "9e99"}, {"7"}, {}},
      {R"({"\u0069d":8)", {"8", "9", R"("x")"}, {}, {}},
      {std::string_view("{\0\"\0i\0d\0\"\0:\0"
                        "1\0",
                        16),
       {"1", R"("x")"},
       {},
       {}},  // UTF-16
      {R"({"idle":3,"method":"m")", {}, {"3"}, {}},
      {R"(["id"])", {}, {"1", R"("id")"}, {}},
      {"", {}, {"0", R"("")"}, {}},
  };
  return kRows;
}

TEST(ReadableIds, AreWhatALenientReaderCouldTake) {
  for (const Row& row : rows()) {
    const ReadableIds ids(row.text);
    for (const char* id : row.may_be) EXPECT_TRUE(ids.may_be(json::parse(id))) << row.text << id;
    for (const char* id : row.never) EXPECT_FALSE(ids.may_be(json::parse(id))) << row.text << id;
    std::vector<std::string> keys = ids.keys();
    for (const char* id : row.spelled) EXPECT_TRUE(ids.may_be(json::parse(id))) << row.text << id;
    for (const char* id : row.spelled)
      EXPECT_THAT(keys, testing::Contains(wire::id_key(json::parse(id)))) << row.text;
    for (const char* id : row.never)
      EXPECT_THAT(keys, testing::Not(testing::Contains(wire::id_key(json::parse(id))))) << row.text;
  }
}

TEST(ReadableIds, SpellOutABoundedNumber) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "id:" + std::to_string(i) + " ";
  EXPECT_EQ(ReadableIds(text).keys().size(), 2 * 64u);
  EXPECT_THAT(ReadableIds("id:" + std::string(101, '7')).keys(), testing::IsEmpty());
}

}  // namespace
}  // namespace harness::trace
