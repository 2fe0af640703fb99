// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/io_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/yaml.h"

namespace harness::suite {
namespace {

using testing::HasSubstr;

std::string read(std::string_view text, bool chain = false) {
  const auto read = case_of_io(text, "a/b.io", chain);
  return read ? case_text(*read) : read.error().text();
}

TEST(IoTests, ARoundTripIsACallAndItsReply) {
  EXPECT_EQ(read("// a level\n\n"
                 ">> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[\"${a}\",1]}\r\n"
                 "<< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"$any\":1.0}}\n"
                 ">> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"n\"}\n"
                 "<< {\"error\":{\"code\":3,\"message\":\"no\"}}"),
            "title: \"a level\"\n"
            "clause: {\"level\":\"MUST\",\"statement\":\"It is answered as recorded.\","
            "\"source\":\"a/b.io\"}\n"
            "profiles: [\"jsonrpc-2.0\"]\n"
            "steps:\n"
            "  - call: {\"method\":\"m\",\"params\":[\"$${a}\",1]}\n"
            "    reply: {\"result\":{\"$recorded\":{\"$any\":1.0}}}\n"
            "  - call: {\"method\":\"n\"}\n"
            "    reply: {\"error\":{\"$recorded\":{\"code\":3,\"message\":\"no\"}}}\n");
}

TEST(IoTests, WhatIsSaidBySchemaAloneIsNotCompared) {
  EXPECT_THAT(
      read("// speconly: the head moves\n>> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n"
           "<< {\"result\":[1]}\n"),
      HasSubstr("title: \"the head moves\"\n"));
  EXPECT_THAT(read("// speconly: x\n>> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n"
                   "<< {\"result\":[1]}\n"),
              HasSubstr("reply: {\"result\":\"$any\"}"));
}

TEST(IoTests, WhatIsNoUsualRequestIsSentAsItStands) {
  EXPECT_THAT(read(">> [1]\n"), HasSubstr("- send: [1]\n"));
  EXPECT_THAT(read(">> {\"id\":1,\"method\":\"m\"}\n"), HasSubstr("- send: {\"id\":1,"));
  EXPECT_THAT(read(">> {\"id\":\n"), HasSubstr("- frame: [{\"text\":\"{\\\"id\\\":\"}]\n"));
}

TEST(IoTests, ATestThatNeedsAChainSaysSo) {
  EXPECT_THAT(read(">> [1]\n", true), HasSubstr("requires: [{\"affordance\":\"chain\"}]\n"));
}

TEST(IoTests, MistakesHaveAPlace) {
  EXPECT_THAT(read("// nothing\n"), HasSubstr("a/b.io:1: the test sends nothing"));
  EXPECT_THAT(read("\n== x\n"), HasSubstr("a/b.io:2: the line begins with none of"));
  EXPECT_THAT(read(">> 1\n<< {\n"), HasSubstr("a/b.io:2: the reply is not JSON"));
  EXPECT_THAT(read("<< {}\n"), HasSubstr("a/b.io:1: no earlier request fits this reply"));
  EXPECT_THAT(read(">> 1\n<< {\"id\":1}\n"), HasSubstr("a/b.io:2: the reply has neither"));
  EXPECT_THAT(read(">> " + std::string(kLongestIoLine, ' ')), HasSubstr("more than 20 MiB"));
}

TEST(IoTests, TheTextIsYaml) {
  const auto back =
      json::read_yaml(read("// \"a\": é \\ x\n>> [\"\\u0001\\ud83d\\ude00\"]\n"), "x");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->find("title")->text, "\"a\": é \\ x");
  EXPECT_EQ(back->find("steps")->items[0].find("send")->items[0].text, "\x01😀");
}

}  // namespace
}  // namespace harness::suite
