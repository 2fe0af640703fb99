// SPDX-License-Identifier: Apache-2.0
#include "harness/target/made_arguments.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::target {
namespace {

Lists prompts() {
  Lists out;
  out.prompts = json::parse(
      R"([{"name":"plain"},
          {"name":"both","arguments":[{"name":"topic","required":true},{"name":"noteUri"}]},
          {"name":"odd","arguments":[{"name":7},"x"]}])");
  out.resources = json::parse(R"([{"uri":"note://1"}])");
  return out;
}

std::string said(const std::vector<PromptArguments>& all) {
  std::string out;
  for (const PromptArguments& one : all) out += one.what + " " + json::write(one.arguments) + "\n";
  return out;
}

TEST(PromptArguments, AreMadeByTheNamesOfTheArguments) {
  EXPECT_EQ(said(prompt_arguments(prompts(), Arguments::kValid)),
            "plain {}\n"
            "both {\"topic\":\"text\",\"noteUri\":\"note://1\"}\n"
            "odd {}\n");
  EXPECT_EQ(said(prompt_arguments(prompts(), Arguments::kMinimal)),
            "plain with what is required {}\n"
            "both with what is required {\"topic\":\"text\"}\n"
            "odd with what is required {}\n");
}

TEST(PromptArguments, AreWhatTheServerCompletes) {
  Lists server = prompts();
  server.completed[{"both", "topic"}] = "rust";
  server.completed[{"plain", "noteUri"}] = "note://2";
  EXPECT_EQ(said(prompt_arguments(server, Arguments::kMinimal)),
            "plain with what is required {}\n"
            "both with what is required {\"topic\":\"rust\"}\n"
            "odd with what is required {}\n");
  EXPECT_EQ(json::write(completables(server)[1].context), R"({"topic":"rust"})");
}

TEST(PromptArguments, LackOneThatIsRequired) {
  const auto broken = prompt_arguments(prompts(), Arguments::kBroken);
  EXPECT_EQ(said(broken), "both without topic {\"noteUri\":\"note://1\"}\n");
  EXPECT_EQ(broken.front().argument, "topic");
}

TEST(PromptArguments, TakeGivenValuesOneAtATime) {
  EXPECT_EQ(said(prompt_arguments(prompts(), Arguments::kValid, {json::number(5)})),
            "both with topic = 5 {\"topic\":5,\"noteUri\":\"note://1\"}\n"
            "both with noteUri = 5 {\"topic\":\"text\",\"noteUri\":5}\n");
}

TEST(Completables, AreArgumentsOfPromptsAndVariablesOfTemplates) {
  Lists server = prompts();
  server.templates = json::parse(R"([{"uriTemplate":"t://{a}/{b}"},{"uriTemplate":"{"}])");
  const auto all = completables(server);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(json::write(all[0].ref), R"({"type":"ref/prompt","name":"both"})");
  EXPECT_EQ(json::write(all[0].context), R"({"noteUri":"note://1"})");
  EXPECT_EQ(json::write(all[3].ref), R"({"type":"ref/resource","uri":"t://{a}/{b}"})");
  EXPECT_EQ(all[3].what, "b of the template t://{a}/{b}");
}

}  // namespace
}  // namespace harness::target
