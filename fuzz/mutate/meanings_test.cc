// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/meanings.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <variant>

#include "fuzz/mutate/mutate_testing.h"
#include "harness/json/read.h"

namespace fuzz {
namespace {

std::vector<std::string> all_texts(const Vocabulary& vocabulary) {
  Meanings meanings(vocabulary);
  std::vector<std::string> out;
  while (const auto script = meanings.next())
    for (const Step& step : script->steps) out.push_back(std::get<Frame>(step).bytes);
  return out;
}

TEST(Meanings, PutEachTextIntoEachStringAloneTwiceBehindAndAtEdges) {
  const Vocabulary vocabulary = testing::vocabulary();
  const std::vector<std::string> texts = all_texts(vocabulary);
  const auto has = [&](const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& one) { return one.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(has(R"("arguments":{"text":"%n"})"));
  EXPECT_TRUE(has(R"("arguments":{"text":"%n%n"})"));
  EXPECT_TRUE(has(R"("arguments":{"who":"{{7*7}}"})"));
  EXPECT_TRUE(has(R"("uri":"test://a%2e%2e%2f")"));
  EXPECT_TRUE(has(R"("level":"DEBUG")"));
  EXPECT_TRUE(has(R"("name":"__proto__")"));
  EXPECT_TRUE(has(R"("constructor":{},"constructor":{}})"));
  EXPECT_TRUE(has("\"" + std::string(255, 'a') + "'\"") ||
              has("\"" + std::string(1023, 'a') + "'\"") ||
              has("\"" + std::string(15, 'a') + "'\""));
}

// A server that minds what stands in a text meets it joined with others, long before each was
// alone.
TEST(Meanings, PutSeveralIntoOneStringOrObjectBeforeEachAlone) {
  const Vocabulary vocabulary = testing::vocabulary();
  Meanings meanings(vocabulary);
  std::map<std::string, std::size_t> after{
      {"%2e%2e", 0}, {"%n", 0}, {"{{7*7}}", 0}, {R"("constructor":)", 0}, {R"("then":)", 0}};
  for (std::size_t i = 1; i <= meanings.count() / 10; ++i) {
    const auto script = meanings.next();
    ASSERT_TRUE(script);
    for (const Step& step : script->steps)
      for (auto& [part, first] : after)
        if (first == 0 && std::get<Frame>(step).bytes.find(part) != std::string::npos) first = i;
  }
  for (const auto& [part, first] : after) EXPECT_NE(first, 0u) << part;
}

// Joined with others a run is none, and yet it comes before those.
TEST(Meanings, PutRunsOfALetterOrADigitIntoEachStringFirst) {
  const Vocabulary vocabulary = testing::vocabulary();
  Meanings meanings(vocabulary);
  std::map<std::string, std::size_t> count{{'"' + std::string(48, 'a') + "!\"", 0},
                                           {'"' + std::string(48, '0') + "x\"", 0}};
  for (std::size_t i = 1; i <= meanings.count() / 100; ++i) {
    const auto script = meanings.next();
    ASSERT_TRUE(script);
    for (const Step& step : script->steps)
      for (auto& [run, times] : count)
        times += std::get<Frame>(step).bytes.find(run) != std::string::npos;
  }
  for (const auto& [run, times] : count) EXPECT_GT(times, 10u) << run;
}

TEST(Meanings, AreJsonEachWithAnIdOfItsOwn) {
  const Vocabulary vocabulary = testing::vocabulary();
  std::set<std::string> ids;
  for (const std::string& text : all_texts(vocabulary)) {
    const auto reading = harness::json::read(text);
    const auto* good = std::get_if<harness::json::Reading>(&reading);
    ASSERT_NE(good, nullptr) << text;
    const harness::json::Value* id = good->value.find("id");
    ASSERT_NE(id, nullptr) << text;
    EXPECT_TRUE(ids.insert(id->text).second) << text;
  }
  EXPECT_GT(ids.size(), 10'000u);
}

TEST(Meanings, TryEachWordThatASchemaNames) {
  Vocabulary vocabulary = testing::vocabulary();
  Surface surface;
  surface.tools = harness::json::parse(R"([{"name":"paint","inputSchema":{"type":"object",
    "properties":{"colour":{"type":"string","enum":["red","green","blue"]}},
    "required":["colour"]}}])");
  vocabulary.offer(surface);
  std::set<std::string> seen;
  for (const std::string& text : all_texts(vocabulary))
    for (const char* word : {"red", "green", "blue"})
      if (text.find("\"colour\":\"" + std::string(word) + "\"}") != std::string::npos)
        seen.insert(word);
  EXPECT_EQ(seen.size(), 3u);
}

TEST(Meanings, MakeEachStringTheLongestInTurn) {
  const Vocabulary vocabulary = testing::vocabulary();
  const std::vector<Script> scripts = with_long_strings(vocabulary, 64);
  ASSERT_FALSE(scripts.empty());
  EXPECT_LE(scripts.size(), 64u);
  bool in_argument = false;
  for (const Script& script : scripts)
    in_argument |=
        std::get<Frame>(script.steps.front()).bytes.find("\"text\":\"aaaa") != std::string::npos;
  EXPECT_TRUE(in_argument);
}

}  // namespace
}  // namespace fuzz
