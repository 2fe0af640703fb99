// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/mutate/mutate_testing.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> names(const std::vector<Method>& methods) {
  std::vector<std::string> out;
  for (const Method& method : methods) out.push_back(method.name);
  return out;
}

Vocabulary bare(const char* profile) { return Vocabulary(*harness::spec::find_profile(profile)); }

TEST(Vocabulary, KnowsWhatARevisionHas) {
  EXPECT_THAT(names(bare("mcp-2025-06-18").methods()), Contains("resources/subscribe"));
  EXPECT_THAT(names(bare("mcp-2026-07-28").methods()), Not(Contains("resources/subscribe")));
  EXPECT_THAT(bare("mcp-2026-07-28").foreign_methods(), Contains("resources/subscribe"));
  EXPECT_THAT(names(bare("mcp-2026-07-28").methods()), Contains("server/discover"));
  EXPECT_THAT(bare("mcp-2024-11-05").server_methods(), Not(Contains("elicitation/create")));
  EXPECT_THAT(names(bare("mcp-tutorial").methods()), Contains("tools/call"));
  EXPECT_THAT(bare("jsonrpc-2.0").methods(), IsEmpty());
}

TEST(Vocabulary, HasNoMethodBothWays) {
  for (const harness::spec::Profile& profile : harness::spec::profiles()) {
    const Vocabulary vocabulary(profile);
    for (const std::string& name : vocabulary.foreign_methods())
      EXPECT_THAT(names(vocabulary.methods()), Not(Contains(name))) << profile.name;
  }
}

TEST(Vocabulary, MakesArgumentsFromSchemas) {
  const Vocabulary vocabulary = testing::vocabulary();
  ASSERT_EQ(vocabulary.tools().size(), 2u);  // not the forbidden one
  const Tool& echo = vocabulary.tools()[0];
  EXPECT_EQ(echo.name, "\"echo\"");
  EXPECT_THAT(echo.valid, Contains(R"({"text":"text"})"));
  EXPECT_THAT(echo.broken, Contains("{}"));
  EXPECT_THAT(echo.boundary, Not(IsEmpty()));
  EXPECT_THAT(vocabulary.uris(), ElementsAre("\"test://a\"", "\"test://{x}\""));
}

TEST(Vocabulary, TakesAnySurface) {
  Vocabulary vocabulary = bare("mcp-2025-06-18");
  Surface surface;
  surface.tools = json::parse(
      R"([1,null,{},{"name":1},{"name":"a"},{"name":"b","inputSchema":7},{"name":"c","inputSchema":{"$ref":"#"}}])");
  surface.prompts = json::parse(R"({"name":"x"})");
  surface.resources = json::parse(R"([{"uri":{}},{}])");
  vocabulary.offer(surface);

  ASSERT_EQ(vocabulary.tools().size(), 3u);
  for (const Tool& tool : vocabulary.tools()) EXPECT_THAT(tool.valid, Not(IsEmpty()));
  EXPECT_THAT(vocabulary.uris(), IsEmpty());
}

TEST(Vocabulary, LearnsFromReplies) {
  const Vocabulary vocabulary = testing::vocabulary();
  EXPECT_THAT(vocabulary.cursors(), ElementsAre("\"c2\""));
  EXPECT_THAT(vocabulary.mined_uris(), ElementsAre("\"file:///b\""));
  EXPECT_THAT(vocabulary.handles(), ElementsAre("\"t-1\""));
  EXPECT_THAT(vocabulary.numbers(), ElementsAre("3", "77"));
  EXPECT_THAT(vocabulary.pointers(), Contains("/result/taskId"));
}

TEST(Vocabulary, LearnsWhatAServerWantsToKnow) {
  Vocabulary vocabulary = bare("mcp-2026-07-28");
  vocabulary.learn(
      R"({"result":{"inputRequests":{"who":{"method":"elicitation/create"},"why":{}}}})");
  EXPECT_THAT(vocabulary.input_keys(), ElementsAre("\"who\"", "\"why\""));
}

TEST(Vocabulary, KeepsRequestsThatAreAskedSomethingBack) {
  Vocabulary vocabulary = bare("mcp-2026-07-28");
  vocabulary.learn_asking(R"({"id":"a","method":"tools/call","params":{"name":"greet"}})");
  vocabulary.learn_asking(R"({"id":77,"method":"tools/call","params":{"name":"greet"}})");
  vocabulary.learn_asking(R"({"method":"tools/call"})");
  vocabulary.learn_asking(R"({"id":1,"method":"")" + std::string(2000, 'x') + "\"}");
  vocabulary.learn_asking("{");
  EXPECT_THAT(vocabulary.asking(),
              ElementsAre(R"({"id":1,"method":"tools/call","params":{"name":"greet"}})"));
}

TEST(Vocabulary, ForgetsTheOldestAndKnowsNothingTwice) {
  Vocabulary vocabulary = bare("jsonrpc-2.0");
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 300; ++i)
      vocabulary.learn("{\"n\":" + std::to_string(i) + ",\"s\":\"" + std::to_string(i) + "\"}");

  std::vector<std::string> numbers = vocabulary.numbers();
  EXPECT_EQ(numbers.size(), 128u);
  EXPECT_THAT(numbers, Contains("299"));
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
  EXPECT_EQ(vocabulary.strings().size(), 256u);
}

TEST(Vocabulary, LearnsNoForbiddenNameAndNothingFromGarbage) {
  Vocabulary vocabulary = testing::vocabulary();
  const std::size_t before = vocabulary.strings().size();
  vocabulary.learn(R"({"a":"rm"})");
  vocabulary.learn("{\"a\":\"b\"");
  vocabulary.learn("{\"a\":\"" + std::string(1000, 'x') + "\"}");
  EXPECT_EQ(vocabulary.strings().size(), before);
}

// What a stranger reads must be a message, in every profile.
TEST(Messages, AreJsonWithWhatTheProfileWants) {
  for (const harness::spec::Profile& profile : harness::spec::profiles()) {
    Vocabulary vocabulary(profile);
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      const std::string text = i % 3 == 0   ? notification_text(vocabulary, random)
                               : i % 3 == 1 ? request_text(vocabulary, random, "7")
                                            : canary_text(vocabulary, "\"c\"");
      const auto reading = harness::json::read(text);
      const auto* message = std::get_if<json::Reading>(&reading);
      ASSERT_TRUE(message) << text;
      EXPECT_EQ(message->duplicate_name, "") << text;
      EXPECT_EQ(text.find("${"), std::string::npos) << text;
      EXPECT_EQ(message->value.find("id") != nullptr, i % 3 != 0) << text;
      if (!vocabulary.meta().empty() && i % 3 != 0) {
        const json::Value* version =
            json::at(message->value, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
        ASSERT_TRUE(version) << text;
        EXPECT_EQ(version->text, "2026-07-28");
      }
    }
  }
}

TEST(Messages, KeepTheOperatorsParamsAsTheyAre) {
  Vocabulary vocabulary = bare("jsonrpc-2.0");
  vocabulary.know_method("price", R"(["$5",{"a$b":1}])");
  Random random(1);
  EXPECT_EQ(request_text(vocabulary, vocabulary.methods()[0], random, "1"),
            R"({"jsonrpc":"2.0","id":1,"method":"price","params":["$5",{"a$b":1}]})");
}

}  // namespace
}  // namespace fuzz
