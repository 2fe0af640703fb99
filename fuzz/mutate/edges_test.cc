// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/edges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/mutate/mutate_testing.h"
#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

std::vector<std::string> texts(const std::vector<Script>& scripts) {
  std::vector<std::string> out;
  for (const Script& script : scripts)
    for (const Step& step : script.steps)
      if (const auto* frame = std::get_if<Frame>(&step)) out.push_back(frame->bytes);
  return out;
}

bool any_has(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

TEST(Edges, StandWhereTheContextGivesThemAMeaning) {
  const std::vector<std::string> all = texts(edge_scripts(testing::vocabulary()));
  for (const char* part :
       {R"("uri":"test://a%zz")", R"("uri":"TEST://A")", R"("uri":"test:")", R"("uri":"a")",
        R"("uri":"test:///a")", R"("name":"echo%")", R"("name":"ECHO")", R"("name":"%65cho")",
        R"("name":"greet/..")", R"("id":{"a":0,"a":0})", R"("id":[{"a":0,"a":0}])",
        R"("jsonrpc":[])", R"("method":{})", R"("params":"a")", R"("requestId":{"a":0})",
        R"("m32":"a"})"})
    EXPECT_TRUE(any_has(all, part)) << part;
  EXPECT_FALSE(any_has(all, "\"rm"));  // may not be called
}

TEST(Edges, TextsEndAroundPowersOfTwoAndInsideOfCharacters) {
  const std::vector<std::string> all = texts(edge_scripts(testing::vocabulary()));
  for (const std::size_t length : {255u, 256u, 257u, 4095u, 4096u, 4097u})
    EXPECT_TRUE(any_has(all, '"' + std::string(length, 'a') + '"')) << length;
  for (const std::size_t size : {64u, 256u, 1024u, 4096u}) {
    const auto is_across = [&](const std::string& one) {
      const std::size_t begin = one.find("\"aé");
      return begin != std::string::npos && begin + 1 + size < one.size() &&
             (static_cast<unsigned char>(one[begin + 1 + size]) & 0xC0) == 0x80;
    };
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), is_across)) << size;
  }
}

TEST(Edges, UndoBeforeTheyDoOnASessionOfItsOwn) {
  const std::vector<Script> scripts = edge_scripts(testing::vocabulary());
  std::vector<Script> closing;
  for (const Script& script : scripts)
    if (std::holds_alternative<Close>(script.steps.front())) closing.push_back(script);
  ASSERT_EQ(closing.size(), 1u);
  const std::vector<std::string> said = texts(closing);
  const auto first = [&](const char* method) {
    return std::find_if(
               said.begin(), said.end(),
               [&](const std::string& one) { return one.find(method) != std::string::npos; }) -
           said.begin();
  };
  EXPECT_LT(first("resources/unsubscribe"), first("resources/subscribe"));
  EXPECT_LT(first("resources/subscribe"), static_cast<std::ptrdiff_t>(said.size()));
  EXPECT_THAT(said.at(static_cast<std::size_t>(first("\"emergency\"")) + 1),
              ::testing::HasSubstr("\"debug\""));
}

TEST(Edges, AreBoundedAndAlwaysTheSame) {
  for (const char* profile : {"jsonrpc-2.0", "mcp-2025-03-26", "mcp-2026-07-28"}) {
    const std::vector<Script> scripts = edge_scripts(testing::vocabulary(profile));
    EXPECT_EQ(scripts, edge_scripts(testing::vocabulary(profile)));
    EXPECT_LT(scripts.size(), 1200u);
    EXPECT_GT(scripts.size(), 10u);
    for (const Script& script : scripts) EXPECT_EQ(read_script(write_script(script)), script);
  }
}

}  // namespace
}  // namespace fuzz
