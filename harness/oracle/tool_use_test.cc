// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/tool_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::oracle {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

std::string said(const std::string& role, const std::string& content) {
  return R"({"role":")" + role + R"(","content":)" + content + "}";
}

std::vector<std::string> slips(const std::string& messages) {
  const json::Value read = json::parse("[" + messages + "]");
  return slips_of_tool_use(&read);
}

const std::string kText = R"({"type":"text","text":"t"})";
const std::string kUse = R"({"type":"tool_use","id":"1","name":"n","input":{}})";
const std::string kResult = R"({"type":"tool_result","toolUseId":"1","content":[]})";
const std::string kStrange = R"({"type":"tool_result","toolUseId":"9","content":[]})";

TEST(ToolUse, ResultsFollowTheirUsesAlone) {
  EXPECT_THAT(slips_of_tool_use(nullptr), IsEmpty());
  EXPECT_THAT(slips(said("user", kText)), IsEmpty());
  EXPECT_THAT(slips(said("assistant", "[" + kText + "," + kUse + "]") + "," +
                    said("user", "[" + kResult + "]") + "," + said("assistant", kText)),
              IsEmpty());
}

TEST(ToolUse, SlipsAreFound) {
  const std::string use = said("assistant", kUse) + ",";
  EXPECT_THAT(slips(use + said("user", kText)), ElementsAre("mcp.sampling.tool-use-balanced"));
  EXPECT_THAT(slips(said("user", kText) + "," + said("assistant", kUse)),
              ElementsAre("mcp.sampling.tool-use-balanced"));
  EXPECT_THAT(slips(use + said("user", "[" + kResult + "," + kText + "]")),
              Contains("mcp.sampling.tool-result-only-message"));
  EXPECT_THAT(slips(said("user", kStrange)), ElementsAre("mcp.sampling.tool-result-id-known"));
}

}  // namespace
}  // namespace harness::oracle
