// SPDX-License-Identifier: Apache-2.0
#include "harness/target/own_methods.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::target {
namespace {

TEST(OwnMethods, AreKnownMethodsByTheKindOfTheirParams) {
  json::Value affordances = json::object();
  for (const char* words : {"add:[1, 2]", "sum:{\"a\": [1], \"b\": 2}", "status", "ns:get:[1]"})
    ASSERT_TRUE(name_method(affordances, std::string(words))) << words;
  const auto at = [&](const char* pointer) {
    const json::Value* value = json::at(affordances, pointer);
    return value ? json::write(*value) : "";
  };
  EXPECT_EQ(at("/known_method"), R"({"method":"add","params":[1,2]})");
  EXPECT_EQ(at("/method.positional"), at("/known_method"));
  EXPECT_EQ(at("/method.named"), R"({"method":"sum","params":{"a":[1],"b":2}})");
  EXPECT_EQ(at("/methods/list/2"), R"({"method":"status","params":[]})");
  EXPECT_EQ(at("/methods/list/3"), R"({"method":"ns:get","params":[1]})");
}

TEST(OwnMethods, LeaveWhatTheOperatorTold) {
  json::Value affordances = json::parse(R"({"known_method":{"method":"ping"}})");
  ASSERT_TRUE(name_method(affordances, std::string("add:[1]")));
  EXPECT_EQ(json::at(affordances, "/known_method/method")->text, "ping");
}

TEST(OwnMethods, AreRefusedWhereTheParamsAreNone) {
  for (const char* words : {"", ":[1]", "add:[1", "add:{]"}) {
    json::Value affordances = json::object();
    const Status told = name_method(affordances, std::string(words));
    ASSERT_FALSE(told) << words;
    EXPECT_NE(told.error().text().find("--method 'add:[1, 2]'"), std::string::npos);
  }
}

}  // namespace
}  // namespace harness::target
