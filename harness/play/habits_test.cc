// SPDX-License-Identifier: Apache-2.0
#include "harness/play/habits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness::run {
namespace {

TEST(InputClass, TellsWhatATextIsToTheTarget) {
  const struct {
    const char* text;
    const char* input;
  } kRows[] = {
      {" \t\n", "an empty line"},
      {"{\"a\":", "text that is not JSON"},
      {"[1}", "text that is not JSON"},
      {"\"\xff\"", "bytes that are not UTF-8"},
      {"7", "JSON of the form number"},
      {"\"\"", "JSON of the form an empty string"},
      {"{}", "JSON of the form {}"},
      {"[]", "JSON of the form []"},
      {R"({"jsonrpc":"2.0","id":4,"method":7})",
       "JSON of the form {jsonrpc: string, method: number}"},
      {R"([{"jsonrpc":"2.0","method":"ping","id":1}])",
       "a batch of {jsonrpc: string, method: string}"},
      {R"({"jsonrpc":"2.0","id":4,"method":"rpcspec/none","params":{"a":1}})",
       "a request for an unknown method"},
      {R"({"jsonrpc":"2.0","method":"rpcspec/none"})", "a notification of an unknown method"},
      {R"({"jsonrpc":"2.0","id":4,"method":"own/slow","params":[1]})",
       "a request for own/slow with [...]"},
      {R"({"jsonrpc":"2.0","id":4,"method":"ping"})", "a request for ping"},
      {R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"add","arguments":{"a":1}}})",
       "a request for tools/call with {arguments: {a: number}, name: \"add\"}"},
      {R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"arguments":{},"_meta":{}}})",
       "a request for tools/call with {arguments: {}}"},
  };
  for (const auto& row : kRows) EXPECT_EQ(input_class(row.text), row.input) << row.text;
  EXPECT_EQ(input_class(("\"" + std::string(40'000, 'x') + "\"").c_str()), "a long message");
  EXPECT_EQ(input_class(std::string(1000, '[').c_str()), "deeply nested JSON");
}

TEST(Habits, KnowWhatHarmedTwice) {
  Habits habits;
  habits.saw(Habit::kHarm, true, {"text that is not JSON"});
  EXPECT_FALSE(habits.known(Habit::kHarm, "text that is not JSON"));
  habits.saw(Habit::kHarm, true, {"text that is not JSON"});
  EXPECT_TRUE(habits.known(Habit::kHarm, "text that is not JSON"));
  EXPECT_TRUE(habits.any(Habit::kHarm));
  EXPECT_FALSE(habits.any(Habit::kSilence));
  EXPECT_FALSE(habits.known(Habit::kHarm, "number"));
  EXPECT_FALSE(habits.known(Habit::kSilence, "text that is not JSON"));
}

TEST(Habits, KnowAHugeMessageThatHarmedOnce) {
  const std::string huge = input_class(std::string(11 << 20, ' ') + "7");
  Habits habits;
  habits.saw(Habit::kHarm, true, {huge});
  EXPECT_TRUE(habits.known(Habit::kHarm, huge));
  EXPECT_FALSE(habits.known(Habit::kHarm, input_class("\"" + std::string(40'000, 'x') + "\"")));
}

TEST(Habits, ForgetWhatIsSurvived) {
  Habits habits;
  for (int i = 0; i < 2; ++i) habits.saw(Habit::kHarm, true, {"number"});
  habits.saw(Habit::kHarm, false, {"number"});
  EXPECT_FALSE(habits.known(Habit::kHarm, "number"));
  for (int i = 0; i < 2; ++i) habits.saw(Habit::kHarm, true, {"number"});
  EXPECT_TRUE(habits.known(Habit::kHarm, "number"));  // hardly ever is not never
}

TEST(Habits, TakeAMethodThatWasNeverAnsweredForOneThatNobodyHas) {
  Habits habits;
  const std::string listed = "a request for tools/call with {name: \"a\"}";
  const std::string none = "a request for prompts/get with {name: \"a\"}";
  habits.saw(Habit::kSilence, false, {"a request for tools/call with {}"});
  EXPECT_FALSE(habits.known(Habit::kSilence, none));
  for (int i = 0; i < 2; ++i)
    habits.saw(Habit::kSilence, true, {"a request for an unknown method"});
  EXPECT_TRUE(habits.known(Habit::kSilence, none));
  EXPECT_FALSE(habits.known(Habit::kSilence, listed)) << "it is answered otherwise";
  EXPECT_FALSE(habits.known(Habit::kSilence, "a notification of prompts/get"));
  EXPECT_FALSE(habits.known(Habit::kHarm, none));
}

TEST(Habits, TakeAMethodThatIsNeverAnsweredForSilentWhateverItsParams) {
  Habits habits;
  const auto call = [](const char* tool) {
    return input_class(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                       std::string(tool) + "\"}}");
  };
  for (const char* tool : {"a", "b"}) habits.saw(Habit::kSilence, true, {call(tool)});
  EXPECT_FALSE(habits.known(Habit::kSilence, call("d")));
  habits.saw(Habit::kSilence, true, {call("c")});
  EXPECT_TRUE(habits.known(Habit::kSilence, call("d")));
  EXPECT_FALSE(habits.known(Habit::kHarm, call("d")));
  EXPECT_FALSE(habits.known(Habit::kSilence, "a request for tools/callers"));
  habits.saw(Habit::kSilence, false, {call("e")});
  EXPECT_FALSE(habits.known(Habit::kSilence, call("d"))) << "now it was answered";
}

TEST(Habits, SuspectASilenceThatOnlyACanaryShowed) {
  Habits habits;
  const std::string ping = "a request for ping";
  for (int i = 0; i < 2; ++i) habits.saw(Habit::kSilence, true, {ping}, false);
  EXPECT_TRUE(habits.suspected(Habit::kSilence, ping));
  EXPECT_FALSE(habits.known(Habit::kSilence, ping)) << "no row is left out for it";
  habits.saw(Habit::kSilence, true, {ping});
  EXPECT_FALSE(habits.known(Habit::kSilence, ping)) << "once for sure is not enough";
  habits.saw(Habit::kSilence, false, {ping});
  EXPECT_FALSE(habits.suspected(Habit::kSilence, ping));
}

TEST(Habits, BlameWhatWasNotHarmlessBefore) {
  Habits habits;
  habits.saw(Habit::kHarm, false, {"a request for ping"});
  for (int i = 0; i < 2; ++i) habits.saw(Habit::kHarm, true, {"a request for ping", "number"});
  EXPECT_TRUE(habits.known(Habit::kHarm, "number"));
  EXPECT_FALSE(habits.known(Habit::kHarm, "a request for ping"));
  // Which of two it was nobody knows.
  for (int i = 0; i < 2; ++i) habits.saw(Habit::kHarm, true, {"[]", "{}"});
  EXPECT_FALSE(habits.known(Habit::kHarm, "[]") || habits.known(Habit::kHarm, "{}"));
}

}  // namespace
}  // namespace harness::run
