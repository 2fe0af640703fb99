// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/offered.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;

json::Value value(const char* text) {
  const auto reading = json::read(text);
  return std::get<json::Reading>(reading).value;
}

std::string all_of(const Vocabulary& vocabulary) {
  std::string out;
  for (const Script& script : offered_scripts(vocabulary)) out += write_script(script);
  return out;
}

TEST(OfferedScripts, AskForEveryMethodAndTool) {
  Vocabulary vocabulary(*harness::spec::find_profile("mcp-2025-06-18"));
  Surface surface;
  surface.tools = value(R"([
    {"name":"look","inputSchema":{"type":"object","properties":{"depth":{"type":"integer","minimum":1}},
     "required":["depth"]}},
    {"name":"erase","inputSchema":{"type":"object"}}])");
  surface.forbidden = {"erase"};
  vocabulary.offer(surface);
  const std::string all = all_of(vocabulary);
  for (const Method& method : vocabulary.methods())
    EXPECT_NE(all.find("\"method\":\"" + method.name + "\""), std::string::npos) << method.name;
  EXPECT_NE(all.find(R"("name":"look","arguments":{"depth":1}})"), std::string::npos) << all;
  EXPECT_NE(all.find(R"("name":"look","arguments":{"depth":0}})"), std::string::npos) << all;
  EXPECT_EQ(all.find("erase"), std::string::npos);
  EXPECT_EQ(all, all_of(vocabulary));
}

TEST(OfferedScripts, AskForMethodsOfTheOperator) {
  Vocabulary vocabulary(*harness::spec::find_profile("jsonrpc-2.0"));
  vocabulary.know_method("subtract", "[3,1]");
  EXPECT_NE(all_of(vocabulary).find(R"("method":"subtract","params":[3,1])"), std::string::npos);
}

}  // namespace
}  // namespace fuzz
