// SPDX-License-Identifier: Apache-2.0
// First what holds for the whole table, then a row for every mutator: a script, and one that comes
// of it.
#include "fuzz/mutate/mutator.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/mutate_testing.h"
#include "fuzz/mutate/tree.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

namespace json = harness::json;

bool is_json(std::string_view text) {
  const auto reading = json::read(text, {.max_depth = 10'000});
  return std::holds_alternative<json::Reading>(reading);
}

// Never refuses, never does anything: the hook's place.
std::size_t count_up(std::uint8_t* bytes, std::size_t size, std::size_t most) {
  if (size == 0 && most > 0) size = 1;
  if (size > 0) ++bytes[0];
  return size;
}

Vocabulary full_vocabulary() {
  Vocabulary vocabulary = testing::vocabulary();
  vocabulary.byte_mutator = count_up;
  return vocabulary;
}

TEST(Mutators, HaveNamesHelpAndWeights) {
  std::set<std::string_view> names;
  Level level = Level::kSequence;
  for (const Mutator& mutator : mutators()) {
    EXPECT_TRUE(names.insert(mutator.name).second) << mutator.name;
    EXPECT_EQ(find_mutator(mutator.name), &mutator);
    const std::string_view help = mutator.help;
    EXPECT_TRUE(!help.empty() && help.size() < 80 && help.back() != '.') << mutator.name;
    EXPECT_GT(mutator.weight, 0);
    EXPECT_GE(mutator.level, level) << "a level stands together: " << mutator.name;
    level = mutator.level;
  }
  EXPECT_GT(names.size(), 80u);
}

TEST(Mutators, ApplyEachToSomeSeed) {
  const Vocabulary vocabulary = full_vocabulary();
  for (const Mutator& mutator : mutators()) {
    Random random(1);
    int applied = 0;
    int changed = 0;
    for (int i = 0; i < 60; ++i) {
      for (const Script& seed : testing::seeds()) {
        Script script = seed;
        if (mutator.apply(script, vocabulary, random)) {
          ++applied;
          changed += script != seed;
        } else {
          ASSERT_EQ(script, seed) << mutator.name << " changed what it did not apply to";
        }
      }
    }
    EXPECT_GT(applied, 0) << mutator.name;
    EXPECT_GT(changed * 2, applied) << mutator.name;
  }
}

TEST(Mutators, TakeAnyScript) {
  const Vocabulary vocabulary = full_vocabulary();
  const char* texts[] = {"",
                         "!sync",
                         "!raw \"\"",
                         "!frame \"\"",
                         "1",
                         "[]",
                         "{}",
                         "[[]]",
                         "[1,{}]",
                         "{\"id\":{}}",
                         "x",
                         "{\"\":\"\"}",
                         "!close\n!pause 1",
                         "{\"method\":\"\"}",
                         "{\"method\":1,\"params\":1}",
                         "{\"params\":{}}",
                         "{\"params\":[--1,1-2,+3,.5],\"method\":\"m\"}",
                         "\"\\ud800\"",
                         "[{\"id\":1,\"id\":2}]",
                         "!answer * \"x\"",
                         "{\"id\":\"1\",\"method\":\"a\\n\"}",
                         "{\"method\":\"é\",\"params\":\"\"}",
                         "{\"params\":[[[1]]],\"id\":-0}"};
  for (const Mutator& mutator : mutators()) {
    Random random(2);
    for (const char* text : texts) {
      const Script seed = read_script(text);
      for (int i = 0; i < 40; ++i) {
        Script script = seed;
        const bool applied = mutator.apply(script, vocabulary, random);
        ASSERT_TRUE(applied || script == seed) << mutator.name << " on " << text;
        ASSERT_EQ(read_script(write_script(script)), script) << mutator.name << " on " << text;
      }
    }
  }
}

TEST(Mutate, MakesTheSameScriptsOfTheSameSeed) {
  const auto played = [](std::uint64_t seed) {
    Vocabulary vocabulary = full_vocabulary();
    Random random(seed);
    std::string text;
    for (const Script& first : testing::seeds()) {
      Script script = first;
      for (int i = 0; i < 30; ++i) mutate(script, vocabulary, random);
      text += write_script(script);
    }
    return text;
  };
  EXPECT_EQ(played(1), played(1));
  EXPECT_NE(played(1), played(2));
}

TEST(Mutate, KeepsWithinTheBoundsAndTheTextForm) {
  const Vocabulary vocabulary = full_vocabulary();
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    Script script = random.pick(testing::seeds());
    for (int i = 0; i < 60; ++i) {
      const Mutator* used = round % 5 == 4 && i % 3 == 0 ? &mutators()[0] : nullptr;
      if (used) {
        script = cross_over(script, random.pick(testing::seeds()), vocabulary, random);
      } else {
        used = mutate(script, vocabulary, random);
      }
      ASSERT_TRUE(used);
      ASSERT_LE(script.steps.size(), kMostSteps) << used->name;
      ASSERT_LE(bytes_of(script), kMostBytes) << used->name;
      ASSERT_EQ(read_script(write_script(script)), script) << used->name;
    }
  }
}

TEST(Mutate, LetsNoScriptGrowThatIsAtTheBounds) {
  const Vocabulary vocabulary = full_vocabulary();
  Script many;
  for (std::size_t i = 0; i < kMostSteps; ++i)
    many.steps.emplace_back(Frame{R"({"id":1,"method":"m","params":{"a":"b"}})", {}});
  Script large;
  large.steps.emplace_back(Frame{R"({"id":1,"method":"m","params":{"a":"b"}})", {}});
  large.steps.emplace_back(Raw{std::string(kMostBytes - bytes_of(large), 'x')});
  Script headed;  // headers count
  headed.steps.emplace_back(
      Frame{R"({"id":1})", {.headers = {{"X", std::string(kMostBytes - 10'000, 'x')}}}});
  for (const Mutator& mutator : mutators()) {
    Random random(4);
    for (int i = 0; i < 20; ++i) {
      Script script = headed;
      mutator.apply(script, vocabulary, random);
      ASSERT_LE(bytes_of(script), kMostBytes) << mutator.name;
      script = many;
      mutator.apply(script, vocabulary, random);
      ASSERT_LE(script.steps.size(), kMostSteps) << mutator.name;
      script = large;
      mutator.apply(script, vocabulary, random);
      ASSERT_LE(bytes_of(script), kMostBytes) << mutator.name;
    }
  }
}

TEST(Mutate, MakesRoomForReferencesThatGrow) {
  const Vocabulary vocabulary = full_vocabulary();
  Script script;
  for (int i = 0; i < 9; ++i) script.steps.emplace_back(Frame{"1", {}});
  std::string references = "\"";
  while (references.size() + 20 < kMostBytes) references += "${9/a}";
  script.steps.emplace_back(Frame{references, {}});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Script mutated = script;
    mutate(mutated, Level::kSequence, vocabulary, random);
    ASSERT_LE(bytes_of(mutated), kMostBytes);
    ASSERT_LE(bytes_of(cross_over(mutated, script, vocabulary, random)), kMostBytes);
  }
}

TEST(Mutate, KeepsMessagesJsonAtTheLevelsOfTheTree) {
  const Vocabulary vocabulary = full_vocabulary();
  for (const Level level : {Level::kEnvelope, Level::kArguments}) {
    Random random(5);
    int valid = 0;
    for (int i = 0; i < 1000; ++i) {
      Script script = testing::seeds()[static_cast<std::size_t>(i % 2)];
      ASSERT_TRUE(mutate(script, level, vocabulary, random));
      bool all = true;
      for (const Step& step : script.steps)
        if (const auto* frame = std::get_if<Frame>(&step)) all = all && is_json(frame->bytes);
      valid += all;
    }
    EXPECT_EQ(valid, 1000) << level_name(level);
  }
}

TEST(CrossOver, JoinsPartsAndLetsReferencesFollow) {
  const Vocabulary vocabulary = full_vocabulary();
  const Script a = read_script("\"a1\"\n\"a2\"\n\"a${2/x}\"\n");
  const Script b = read_script("\"b1\"\n\"b${1/y}\"\n");
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    seen.insert(write_script(cross_over(a, b, vocabulary, random)));
  }
  EXPECT_TRUE(seen.count("\"a1\"\n\"b1\"\n\"b${2/y}\"\n"));                       // end to end
  EXPECT_TRUE(seen.count("\"a1\"\n\"b1\"\n\"a2\"\n\"a${3/x}\"\n"));               // between
  EXPECT_TRUE(seen.count("\"b1\"\n\"a1\"\n\"a2\"\n\"b${1/y}\"\n\"a${3/x}\"\n"));  // woven
  EXPECT_TRUE(seen.count("\"b1\"\n\"a2\"\n\"a${2/x}\"\n"));                       // a value
  EXPECT_EQ(cross_over(Script{}, b, vocabulary, *std::make_unique<Random>(1)), b);
}

TEST(Shorten, TakesStepsOutAndLetsReferencesFollow) {
  std::string text;
  for (int i = 1; i <= 40; ++i)
    text += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"ping"})" + "\n!sync\n";
  const std::string last = R"({"jsonrpc":"2.0","id":"${40/id}","method":"ping"})";
  Random random(3);
  int kept = 0;
  for (int round = 0; round < 200; ++round) {
    Script script = read_script(text + last + "\n");
    shorten(script, 400, random);
    ASSERT_LE(bytes_of(script), 400u);
    ASSERT_GT(bytes_of(script), 300u);
    for (const Step& step : script.steps) {
      const auto* frame = std::get_if<Frame>(&step);
      if (frame == nullptr || frame->bytes.find("\"${") == std::string::npos) continue;
      const std::size_t number = references(frame->bytes).front().frame;
      if (number == 0 || number >= count_frames(script)) continue;
      const auto& named = std::get<Frame>(script.steps[step_of_frame(script, number - 1)]);
      kept += named.bytes == R"({"jsonrpc":"2.0","id":40,"method":"ping"})";
    }
  }
  EXPECT_GT(kept, 0);
  Script one = read_script(last + "\n");
  shorten(one, 1, random);
  EXPECT_EQ(one.steps.size(), 1u);
}

TEST(Vary, KeepsToTheRoomACampaignHas) {
  Vocabulary vocabulary = full_vocabulary();
  vocabulary.room = 64;
  Random random(4);
  for (int round = 0; round < 3000; ++round) {
    Script script = read_script("{\"id\":1,\"method\":\"ping\"}\n");
    vary(script, vocabulary, random);
    EXPECT_TRUE(script.steps.size() == 1 || bytes_of(script) <= 64) << write_script(script);
  }
}

TEST(Mutators, SayWhenThereIsNoRoom) {
  const Vocabulary vocabulary = full_vocabulary();
  Script full;
  full.steps.emplace_back(Frame{R"({"id":1,"method":"tools/list"})", {}});
  full.steps.emplace_back(Frame{std::string(kMostBytes - bytes_of(full), 'x'), {}});
  for (const char* name : {"insert-request", "insert-notification", "repeat", "splice",
                           "interleave", "cancel", "handshake", "again-at-end", "follow-up",
                           "answer-kind", "answer-result", "unasked", "stray-bytes", "long-line"}) {
    Random random(6);
    for (int i = 0; i < 20; ++i) {
      Script script = full;
      EXPECT_FALSE(find_mutator(name)->apply(script, vocabulary, random)) << name;
    }
  }
}

struct Shown {
  const char* mutator;
  const char* script;
  const char* becomes;  // * stands for anything
};

// Most are whole texts, so that a mutator that changes more than it should is found out.
constexpr Shown kShown[] = {
    {"insert-request", "1\n",
     "1\n{\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"resources/read\",\"params\":{\"uri\":\"test://"
     "a\"}}\n"},
    {"insert-notification", "1\n",
     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n1\n"},
    {"insert-notification", "1\n", "{*:\"notifications/*\n{*:\"notifications/*\n{*\n1\n"},
    {"drop-step", "1\n2\n\"${2/a}\"\n", "2\n\"${1/a}\"\n"},
    {"drop-many", "1\n2\n\"${2/a}\"\n", "2\n\"${1/a}\"\n"},
    {"swap-steps", "1\n2\n3\n", "3\n2\n1\n"},
    {"reverse-steps", "1\n2\n3\n", "3\n2\n1\n"},
    {"duplicate-step", "{\"id\":1}\n", "{\"id\":1}\n{\"id\":1}\n"},
    {"repeat", "{\"id\":1}\n", "{\"id\":1}\n{\"id\":*}\n{\"id\":*}\n"},
    {"repeat", "{\"method\":\"m\"}\n",
     "{\"method\":\"m\"}\n{\"method\":\"m\"}\n{\"method\":\"m\"}\n"},
    {"variants", "1\n", "{\"jsonrpc\":*}\n{\"jsonrpc\":*}\n{\"jsonrpc\":*}\n"},
    {"conversation", "1\n",
     "1\n*\"method\":\"resources/subscribe\"*\n*\"method\":\"resources/unsubscribe\"*\n"},
    {"fill-buffer", "1\n2\n", "{\"jsonrpc\":\"2.0\",\"id\":*     }\n"},
    {"splice", "1\n2\n", "1\n1\n2\n2\n"},
    {"interleave", "{\"id\":1}\n[]\n{\"id\":2}\n",
     "{\"id\":1}\n{\"id\":*}\n[]\n{\"id\":2}\n{\"id\":*}\n"},
    {"middle", "{\"id\":1,\"method\":\"m\"}\n{\"id\":2}\n", "{\"method\":\"m\"}\n{\"id\":2}\n"},
    {"middle", "{\"id\":1,\"method\":\"m\"}\n",
     "{\"method\":\"m\"}\n!sync\n{\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"ping\"}\n"},
    {"cancel", "{\"id\":7}\n",
     "{\"id\":7}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
     "cancelled\",\"params\":{\"requestId\":7}}\n"},
    {"cancel", "{\"id\":7}\n", "{\"id\":7}\n*\"requestId\":7}}\n{\"id\":*}\n"},
    {"handshake", "1\n",
     "1\n*\"method\":\"initialize\"*\n*\"method\":\"notifications/initialized\"}\n"},
    {"follow-up", "!pause 1\n{\"id\":1,\"method\":\"tools/list\"}\n",
     "!pause 1\n{\"id\":1,\"method\":\"tools/list\"}\n!sync\n"
     "{\"id\":*,\"method\":\"tools/list\",\"params\":{\"cursor\":\"${1/result/nextCursor}\"}}\n"},
    {"follow-up", "1\n{\"id\":1,\"method\":\"resources/list\"}\n\"${2/a}${3/b}\"\n",
     "1\n{\"id\":1,\"method\":\"resources/list\"}\n!sync\n*\"method\":\"resources/"
     "read\",\"params\":"
     "{\"uri\":\"${2/result/resources/0/uri}\"}}\n\"${2/a}${4/b}\"\n"},
    {"sync-insert", "1\n2\n", "1\n!sync\n2\n"},
    {"sync-drop", "1\n!sync\n2\n", "1\n2\n"},
    {"pause", "1\n", "!pause 5\n1\n"},
    {"close", "1\n2\n", "1\n!close\n2\n"},
    {"again-at-end", "{\"id\":1}\n2\n", "{\"id\":1}\n2\n!sync\n{\"id\":*}\n"},

    {"id-value", "{\"id\":1,\"method\":\"m\"}\n", "{\"id\":9007199254740993,\"method\":\"m\"}\n"},
    {"id-kind", "{\"method\":\"m\"}\n", "{\"method\":\"m\",\"id\":null}\n"},
    {"id-long", "{\"id\":1,\"method\":\"m\"}\n",
     "{\"id\":\"iiiiiiiiiiiiiiiiiiiiiiiiiiiii*\",\"method\":\"m\"}\n"},
    {"id-absent", "{\"id\":1,\"method\":\"m\"}\n", "{\"method\":\"m\"}\n"},
    {"id-in-flight", "{\"id\":1}\n{\"id\":\"a\"}\n", "{\"id\":\"a\"}\n{\"id\":\"a\"}\n"},
    {"id-twin", "{\"id\":1}\n", "{\"id\":\"1\"}\n"},
    {"id-twin", "{\"id\":\"12\"}\n", "{\"id\":12}\n"},
    {"version-value", "{\"jsonrpc\":\"2.0\"}\n", "{\"jsonrpc\":2.0}\n"},
    {"method-other", "{\"method\":\"m\",\"id\":1}\n", "{\"method\":\"tools/call\",\"id\":1}\n"},
    {"method-foreign", "{\"method\":\"m\"}\n", "{\"method\":\"server/discover\"}\n"},
    {"method-near", "{\"method\":\"ping\"}\n", "{\"method\":\"Ping\"}\n"},
    {"method-near", "{\"method\":\"ping\"}\n", "{\"method\":\"рing\"}\n"},
    {"method-near", "{\"method\":\"ping\"}\n", "{\"method\":\"ping\\u0000\"}\n"},
    {"method-kind", "{\"method\":\"m\"}\n", "{\"method\":[]}\n"},
    {"params-kind", "{\"method\":\"m\"}\n", "{\"method\":\"m\",\"params\":null}\n"},
    {"params-wrapped", "{\"params\":{}}\n", "{\"params\":[{}]}\n"},
    {"member-missing", "{\"jsonrpc\":\"2.0\",\"id\":1}\n", "{\"id\":1}\n"},
    {"member-extra", "{\"id\":1}\n", "{\"id\":1,\"result\":{}}\n"},
    {"member-renamed", "{\"id\":1}\n", "{\"ID\":1}\n"},
    {"batch-wrap", "{\"id\":1}\n", "[{\"id\":1}]\n"},
    {"batch-wrap", "[1]\n", "[[1]]\n"},
    {"batch-join", "{\"id\":1}\n!sync\n{\"id\":2}\n\"${3/a}\"\n",
     "[{\"id\":1},{\"id\":2}]\n!sync\n\"${2/a}\"\n"},
    {"batch-odd", "{\"id\":1}\n", "[]\n"},
    {"batch-mixed", "{\"id\":1}\n", "[{\"id\":1},1]\n"},
    {"batch-mixed", "[2]\n", "[null,2]\n"},
    {"batch-many", "{\"id\":1}\n", "[{\"id\":*},{\"id\":*},{\"id\":*}]\n"},
    {"response-shaped", "{\"id\":1,\"method\":\"m\"}\n",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"},
    {"top-scalar", "{\"id\":1}\n", "1\n"},
    {"revision-value", "{\"params\":{\"protocolVersion\":\"x\"}}\n",
     "{\"params\":{\"protocolVersion\":\"2024-11-05\"}}\n"},
    {"meta-value", "{\"params\":{}}\n", "{\"params\":{\"_meta\":{\"progressToken\":1.5}}}\n"},
    {"meta-value", "{\"params\":{\"_meta\":{\"a\":1}}}\n", "{\"params\":{\"_meta\":{}}}\n"},

    {"call-valid", "{\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{}}}\n",
     "{\"method\":\"tools/"
     "call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"text\"}}}\n"},
    {"call-boundary", "{\"id\":1,\"method\":\"ping\"}\n",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
     "call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":0,\"b\":*}}}\n"},
    {"call-broken",
     "{\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1}}}\n",
     "{\"method\":\"tools/"
     "call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":-1,\"b\":*}}}\n"},
    {"type-swap", "{\"params\":{\"a\":1}}\n", "{\"params\":{\"a\":\"1\"}}\n"},
    {"value-other", "{\"params\":{\"a\":1}}\n", "{\"params\":{\"a\":null}}\n"},
    {"value-other", "{\"params\":[\"a\"]}\n", "{\"params\":[-0]}\n"},
    {"string-special", "{\"params\":[\"a\"]}\n", "{\"params\":[\"a%\"]}\n"},
    {"value-edge", "{\"params\":[1]}\n", "{\"params\":[9223372036854775808]}\n"},
    {"value-nudge", "{\"params\":[1]}\n", "{\"params\":[2]}\n"},
    {"value-nudge", "{\"params\":[\"é!\"]}\n", "{\"params\":[\"!\"]}\n"},
    {"value-mined", "{\"params\":{\"cursor\":\"x\"}}\n", "{\"params\":{\"cursor\":\"c2\"}}\n"},
    {"value-mined", "{\"params\":{\"taskId\":\"x\"}}\n", "{\"params\":{\"taskId\":\"t-1\"}}\n"},
    {"value-forged", "{\"params\":{\"cursor\":\"x\"}}\n", "{\"params\":{\"cursor\":\"c3\"}}\n"},
    {"value-reference", "{}\n{\"params\":{\"cursor\":\"x\"}}\n",
     "{}\n{\"params\":{\"cursor\":\"${1/result/nextCursor}\"}}\n"},
    {"string-long", "{\"params\":[\"\"]}\n", "{\"params\":[\"AAAAAAAAAAAAAAA*\"]}\n"},
    {"value-deep", "{\"params\":[1]}\n", "{\"params\":[[[1]]]}\n"},
    {"value-wide", "{\"params\":[1]}\n", "{\"params\":[{\"k0\":1,\"k1\":1}]}\n"},
    {"extra-member", "{\"params\":{\"a\":1}}\n", "{\"params\":{\"a\":1,\"extra\":null}}\n"},
    {"input-response", "{\"params\":{\"inputResponses\":{}}}\n",
     "{\"params\":{\"inputResponses\":{\"extra\":null}}}\n"},
    {"input-response", "{\"params\":{\"inputResponses\":{\"a\":1}}}\n",
     "{\"params\":{\"inputResponses\":{}}}\n"},
    {"input-response", "{\"params\":{\"inputResponses\":{\"a\":1}}}\n",
     "{\"params\":{\"inputResponses\":{\"length\":1}}}\n"},
    {"drop", "{\"params\":{\"a\":1,\"b\":2}}\n", "{\"params\":{\"a\":1}}\n"},
    {"rename", "{\"params\":{\"a\":1}}\n", "{\"params\":{\"A\":1}}\n"},
    {"element-twice", "{\"params\":[1,2]}\n", "{\"params\":[1,2,1]}\n"},
    {"swap-values", "{\"params\":{\"a\":1,\"b\":\"x\"}}\n", "{\"params\":{\"a\":\"x\",\"b\":1}}\n"},
    {"graft", "{\"params\":[1]}\n\"other\"\n", "{\"params\":[\"other\"]}\n\"other\"\n"},

    {"escape-character", "\"/\"\n", "\"\\u002f\"\n"},
    {"reorder", "{\"a\":1, \"b\":2}\n", "{\"b\":2, \"a\":1}\n"},
    {"space", "[1]\n", "[ 1]\n"},
    {"number-spelling", "[1]\n", "[1.0]\n"},
    {"line-break", "[1]\n", "!frame \"[\\n1]\"\n"},
    {"duplicate-name", "{\"a\":1}\n", "{\"a\":1,\"a\":null}\n"},
    {"lone-surrogate", "\"x\"\n", "\"x\\ud800\"\n"},
    {"odd-character", "\"x\"\n", "\"\\u0000x\"\n"},
    {"pad-size", "{}\n", "{\"pad\":\"xxxxxxxxxxxxxxx*\"}\n"},
    {"pad-size", "{}\n", "{\"pad\":\"\\n\\n\\n*\"}\n"},
    {"pad-size", "1\n{\"a\":1}\n2\n", "1\n{\"a\":1     *}\n2\n"},
    {"nest", "1\n", "[[1]]\n"},
    {"nest", "1\n", "{\"a\":{\"a\":1\n"},
    {"number-broken", "[1]\n", "[01]\n"},
    {"literal-broken", "[1]\n", "[None]\n"},
    {"escape-broken", "\"x\"\n", "\"x\\x41\"\n"},
    {"control-raw", "\"x\"\n", "!frame \"\\\"\\x01x\\\"\"\n"},
    {"utf8-broken", "\"x\"\n", "!frame \"\\\"x\\xed\\xa0\\x80\\\"\"\n"},
    {"comma-trailing", "[1]\n", "[1,]\n"},
    {"mark-missing", "{\"a\":1}\n", "{\"a\" 1}\n"},
    {"name-unquoted", "{\"a\":1}\n", "{a:1}\n"},
    {"comment", "[1]\n", "[/* c */1]\n"},
    {"space-odd", "[1]\n", "!frame \"[\\x0b1]\"\n"},
    {"byte-order-mark", "1\n", "!frame \"\\xef\\xbb\\xbf1\"\n"},
    {"tail", "1\n", "!frame \"1\\x00\"\n"},
    {"cut", "{\"a\":1}\n", "{\"a\"\n"},
    {"utf16", "1\n", "!frame \"1\\x00\"\n"},

    {"chunks", "[1]\n", "!chunks 2 1\n[1]\n"},
    {"chunks", "[1]\n", "!chunks 4\n[1]\n"},
    {"eol", "[1]\n", "!eol crlf\n[1]\n"},
    {"eol", "[1]\n", "!chunks 4\n!eol crlf\n[1]\n"},
    {"merge", "1\n2\n\"${3/a}\"\n", "1,2\n\"${2/a}\"\n"},
    {"split", "[1]\n\"${2/a}\"\n", "[\n1]\n\"${3/a}\"\n"},
    {"halting", "[1]\n", "!raw \"[\"\n!pause 2\n!raw \"1]\\n\"\n"},
    {"halting", "[1]\n", "!raw \"[\"\n!close\n"},
    {"stray-bytes", "1\n", "!raw \"Content-Length: 2\\r\\n\\r\\n{}\"\n1\n"},
    {"long-line", "1\n", "1\n!raw \"xxxxxxxxxx*\\n\"\n"},
    {"length-lie", "1\n", "!length -1\n1\n"},
    {"header", "1\n", "!header Accept: text/html\n1\n"},
    {"header", "1\n", "!header Mcp-Session-Id\n1\n"},
    {"header-mined", "1\n", "!header Mcp-Session-Id: t-1\n1\n"},
    {"http-method", "1\n", "!http-method DELETE\n1\n"},
    {"fragments", "[1]\n", "!fragments 0 1\n[1]\n"},
    {"opcode", "1\n", "!opcode binary\n1\n"},
    {"usual", "!eol cr\n1\n", "1\n"},

    {"answer-kind", "1\n", "!answer roots/list twice\n1\n"},
    {"answer-result", "1\n", "!answer elicitation/create {\"action\":\"decline\"}\n1\n"},
    {"answer-result", "1\n", "!answer sampling/createMessage {*\"type\":\"image\"*}\n1\n"},
    {"answer-result", "1\n", "!answer roots/list {\"roots\":null}\n1\n"},
    {"answer-changed", "!answer * {\"a\":1}\n", "!answer * {\"a\":null}\n"},
    {"answer-drop", "!answer * none\n1\n", "1\n"},
    {"capabilities", "{\"params\":{\"capabilities\":{}}}\n",
     "{\"params\":{\"capabilities\":{\"sampling\":{}}}}\n"},
    {"unasked", "1\n", "1\n{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"roots\":[]}}\n"},

    {"flip-bit", "1\n", "0\n"},
    {"set-byte", "12\n", "1{\n"},
    {"insert-bytes", "1\n", "!frame \"1\\xff\"\n"},
    {"erase-bytes", "123\n", "13\n"},
    {"copy-bytes", "12\n", "122\n"},
    {"insert-word", "1\n", "1jsonrpc\n"},
    {"engine", "1\n", "2\n"},
};

TEST(Mutators, MakeWhatTheyAreNamedFor) {
  const Vocabulary vocabulary = full_vocabulary();
  std::set<std::string_view> shown;
  for (const Shown& row : kShown) {
    const Mutator* mutator = find_mutator(row.mutator);
    ASSERT_TRUE(mutator) << row.mutator;
    shown.insert(row.mutator);
    const Script seed = read_script(row.script);
    ASSERT_FALSE(harness::matches_glob(row.becomes, write_script(seed))) << row.mutator;
    bool found = false;
    std::set<std::string> results;
    for (std::uint64_t i = 0; i < 20'000 && !found; ++i) {
      Random random(i);
      Script script = seed;
      if (!mutator->apply(script, vocabulary, random)) continue;
      const std::string text = write_script(script);
      found = harness::matches_glob(row.becomes, text);
      if (results.size() < 12 && text.size() < 300) results.insert(text);
    }
    std::string seen;
    for (const std::string& result : results) seen += result;
    EXPECT_TRUE(found) << row.mutator << " never makes\n"
                       << row.becomes << "of\n"
                       << row.script << "but\n"
                       << seen;
  }
  for (const Mutator& mutator : mutators())
    EXPECT_TRUE(shown.count(mutator.name)) << mutator.name << " has no row";
}

// The state of a multi round-trip request goes back, changed by other mutators or not.
TEST(Mutators, GiveAStateBack) {
  Vocabulary vocabulary = testing::vocabulary("mcp-2026-07-28");
  vocabulary.learn(R"({"result":{"inputRequests":{"who":{}}}})");
  const Script seed = read_script(R"({"id":1,"method":"tools/call","params":{"name":"echo"}})");
  vocabulary.learn_asking(R"({"id":7,"method":"prompts/get","params":{"name":"p"}})");
  bool to_what_stands_there = false, to_a_call_of_its_own = false, to_what_asked_before = false;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(i);
    Script script = seed;
    if (!find_mutator("follow-up")->apply(script, vocabulary, random)) continue;
    const std::string text = write_script(script);
    to_what_stands_there |= harness::matches_glob(
        "*\n!sync\n{\"id\":*,\"params\":{\"name\":\"echo\",\"requestState\":"
        "\"${1/result/requestState}\",\"inputResponses\":{\"who\":{*}}}}\n",
        text);
    to_what_asked_before |= harness::matches_glob(
        "*\n{\"id\":*,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\"}}\n!sync\n{\"id\":*,"
        "\"method\":\"prompts/get\",*,\"requestState\":\"${2/result/requestState}\",*}}\n",
        text);
    to_a_call_of_its_own |= harness::matches_glob(
        "*\n{*\"method\":\"tools/call\",*\"name\":\"add\",*}\n!sync\n{*\"name\":\"add\",*,"
        "\"requestState\":\"${2/result/requestState}\",\"inputResponses\":{\"input\":{*}}}}\n",
        text);
  }
  EXPECT_TRUE(to_what_stands_there);
  EXPECT_TRUE(to_a_call_of_its_own);
  EXPECT_TRUE(to_what_asked_before);
}

TEST(Mutators, LeaveWhatTheTransportDoesNotHave) {
  const Vocabulary stdio = testing::vocabulary("mcp-2025-06-18", "stdio");
  const Vocabulary http = testing::vocabulary("mcp-2025-06-18", "http");
  for (const char* name : {"header", "http-method", "length-lie", "fragments", "opcode"}) {
    Random random(1);
    Script script = testing::seeds()[0];
    EXPECT_FALSE(find_mutator(name)->apply(script, stdio, random)) << name;
  }
  for (const char* name : {"eol", "stray-bytes", "halting", "fragments"}) {
    Random random(1);
    Script script = testing::seeds()[0];
    EXPECT_FALSE(find_mutator(name)->apply(script, http, random)) << name;
  }
}

}  // namespace
}  // namespace fuzz
