// SPDX-License-Identifier: Apache-2.0
#include "harness/target/permission.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::target {
namespace {

const json::Value& tools() {
  static const json::Value kTools = json::parse(
      R"([{"name":"look","annotations":{"readOnlyHint":true}},{"name":"erase"},
          {"name":"write","annotations":{"readOnlyHint":false}},
          {"name":"odd","annotations":{"readOnlyHint":"true"}},{"name":"slow"},
          {"name":"test_simple_text"}])");
  return kTools;
}

std::string forbidden(const Target& target, const char* recognised = "{}") {
  json::Value all = json::parse(recognised);
  for (const auto& own : target.affordances.members) all.set(own.name, own.value);
  std::string out;
  for (const auto& [name, why] : forbidden_tools(target, tools(), all)) out += name + " ";
  return out;
}

TEST(Permission, IsGivenByAnnotationListAndAffordance) {
  Target target;
  EXPECT_EQ(forbidden(target), "erase odd slow test_simple_text write ");
  target.listed_tools = {"erase"};
  target.affordances = json::parse(
      R"({"tool.slow":{"name":"slow"},"error.-32003":{"method":"tools/call","params":{"name":"odd"}}})");
  EXPECT_EQ(forbidden(target), "test_simple_text write ");
  target.allow = Allow::kAny;
  EXPECT_EQ(forbidden(target), "");
  target.allow = Allow::kListed;
  EXPECT_EQ(forbidden(target), "look test_simple_text write ");
}

TEST(Permission, OfARecognisedToolIsGivenToFixturesOfTheOfficialSuiteAlone) {
  Target target;
  const char* recognised =
      R"({"tool.echo":{"name":"write"},"tool.callable":{"name":"test_simple_text"}})";
  EXPECT_EQ(forbidden(target, recognised), "erase odd slow write ");
  target.allow = Allow::kListed;
  EXPECT_EQ(forbidden(target, recognised), "erase look odd slow test_simple_text write ");
}

TEST(Permission, SeesTheCallInWhatIsSent) {
  const std::map<std::string, std::string> forbidden = {{"erase", "why"}};
  const std::pair<const char*, const char*> kTable[] = {
      {R"({"method":"tools/call","params":{"name":"erase"}})", "erase"},
      {R"({"method":"tools\/call","params":{"name":"er\u0061se"}})", "erase"},
      {R"({"method":"tools/call","params":{"name":"look","name":"erase"}})", "erase"},
      {R"({"method":"ping","method":"Tools/Call","params":{"name":"erase"}})", "erase"},
      {R"([{"method":"ping"},{"method":"tools/call","params":{"name":"erase"}}])", "erase"},
      {R"({"method":"tools/call","params":["erase"]})", "erase"},
      {R"({"method":"tools/call","params":{"name":"erase",}})", "erase"},
      {R"({"method":"tools/call","params":{"name":"look","arguments":{"name":"erase"}}})", ""},
      {R"({"method":"tools/list","params":{"name":"erase"}})", ""},
      {R"({"method":"tools/call","params":{"name":"nobody"}})", ""},
      {"garbage", ""},
  };
  for (const auto& [text, name] : kTable) EXPECT_EQ(forbidden_call(text, forbidden), name) << text;
}

}  // namespace
}  // namespace harness::target
