// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/triage.h"

#include <gtest/gtest.h>

#include "fuzz/triage/case_draft.h"
#include "harness/json/yaml.h"

namespace fuzz {
namespace {

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
