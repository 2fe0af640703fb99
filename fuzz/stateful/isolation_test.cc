// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/isolation.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

TEST(WithWord, PutsItWhereItChangesNothingElse) {
  struct Row {
    const char* request;
    const char* params;
  };
  for (const Row& row :
       {Row{R"({"id":1,"method":"x"})", R"({"word":"!"})"},
        Row{R"({"id":1,"method":"x","params":{"name":"t","arguments":{"a":1,"b":"c"}}})",
            R"({"name":"t","arguments":{"a":1,"b":"c!"}})"},
        Row{R"({"id":1,"method":"x","params":{"uri":"a:b"}})", R"({"uri":"a:b","word":"!"})"},
        Row{R"({"id":1,"method":"x","params":[1]})", R"([1,"!"])"},
        Row{R"({"id":1,"method":"x","params":["a"]})", R"(["a!"])"}}) {
    const auto with = with_word(json::parse(row.request), "!");
    ASSERT_TRUE(with.has_value()) << row.request;
    EXPECT_EQ(json::write(*with->find("params")), row.params);
  }
  EXPECT_FALSE(with_word(json::parse(R"({"id":1,"method":"x","params":1})"), "!").has_value());
}

}  // namespace
}  // namespace fuzz
