// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/triage.h"

#include <gtest/gtest.h>

#include "fuzz/triage/case_draft.h"
#include "harness/json/yaml.h"

namespace fuzz {
namespace {

TEST(Outline, TellsScriptsApartByWhatTheyAreMadeOf) {
  const auto of = [](const std::string& text) { return outline(read_script(text)); };
  EXPECT_EQ(of(R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1,2]})"),
            of(R"({"id":"x","params":[3],"method":"a","jsonrpc":"2.0"})"));
  EXPECT_NE(of(R"({"method":"a","params":[]})"), of(R"({"method":"a","params":{}})"));
  EXPECT_NE(of(R"({"method":"a"})"), of(R"({"method":"b"})"));
  EXPECT_EQ(of("{\n{\n[[\n"), "text");  // the same thing again says nothing more
  EXPECT_EQ(of("!raw \"abc\"\n!sync\n!close\n"), "bytes");
  EXPECT_EQ(of("[]\n[1]\n"), "[] [number]");
  EXPECT_EQ(of("!chunks 3 1\n[42]\n"), of("!chunks 1\n{}\n"));
  EXPECT_NE(of("!chunks 1\n!eol crlf\n{}\n"), of("!chunks 1\n{}\n"));
  EXPECT_EQ(of('"' + std::string(5000, 'a') + '"'), of("{\"a\":[" + std::string(9000, ' ') + "]}"));
  EXPECT_EQ(of(std::string(100, '[')), of(std::string(9000, '{')));
}

TEST(Joined, PlaysScriptsOneAfterTheOtherAsOne) {
  const Script both = joined({read_script("!answer roots/list none\n{\"id\":1}\n"),
                              read_script("#! profile: p\n{\"id\":2}\n")});
  EXPECT_EQ(
      write_script(both),
      "#! profile: p\n!answer roots/list none\n{\"id\":1}\n!sync\n!answer * usual\n{\"id\":2}\n");
}

TEST(Joined, LetsReferencesFollowTheirFrames) {
  const Script both = joined({read_script("1\n2\n"), read_script("3\n!sync\n\"${1/id}\"\n")});
  EXPECT_EQ(write_script(both), "1\n2\n!sync\n!answer * usual\n3\n!sync\n\"${3/id}\"\n");
}

TEST(CaseDraft, IsYamlThatHoldsEveryByte) {
  Script script = read_script(
      "{\"id\":\"a'\\\"b\"}\n!frame \"\\xff${x}\"\n!raw \"two\\nlines\\x01\"\n!sync\n!close\n");
  const std::string text =
      case_draft(script, "A \"title\": with signs", "jsonrpc.request.reply-exactly-one",
                 *harness::spec::find_profile("jsonrpc-2.0"), "stdio");
  const auto read = harness::json::read_yaml(text, "case.yaml");
  ASSERT_TRUE(read) << read.error().text() << "\n" << text;
  EXPECT_EQ(read->find("title")->text, "A \"title\": with signs");
  const auto& steps = read->find("steps")->items;
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0].find("frame")->text, "{\"id\":\"a'\\\"b\"}");
  EXPECT_EQ(steps[1].find("frame")->items[0].find("hex")->text, "ff 24 7b 78 7d");
  EXPECT_EQ(steps[2].find("bytes")->items[0].find("hex")->text, "74 77 6f 0a 6c 69 6e 65 73 01");
  EXPECT_TRUE(steps[3].find("canary"));
  EXPECT_EQ(steps[4].find("reconnect")->text, "ready");
  EXPECT_TRUE(steps[5].find("canary"));
  EXPECT_TRUE(steps[6].find("canary"));
}

}  // namespace
}  // namespace fuzz
