// SPDX-License-Identifier: Apache-2.0
// negotiate() over scripted servers: what they offer, and what of it may be used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/contact/negotiate_testing.h"
#include "harness/contact/questions.h"
#include "harness/json/write.h"
#include "harness/spec/known.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kPages[] = {
    R"("result":{"tools":[{"name":"one","inputSchema":{"type":"object"}},7],"nextCursor":"2"})",
    R"("result":{"tools":[{"name":"two","inputSchema":{"type":"object"}}]})"};

std::vector<transport::Arrival> pages(const Outgoing& sent) {
  const json::Value* cursor = json::at(message_of(sent), "/params/cursor");
  return serve({{"initialize", agreed("2025-06-18", R"({"tools":{}})")},
                {"tools/list", kPages[cursor ? 1 : 0]}},
               sent);
}

TEST(Negotiate, ListsAllPagesOfWhatIsDeclared) {
  Negotiation negotiation([](const Outgoing& sent, int) { return pages(sent); });
  const Result<Negotiated> met = negotiation.with("mcp-2025-06-18");
  ASSERT_TRUE(met);
  ASSERT_THAT(met->offer.tools.items, SizeIs(2));
  EXPECT_EQ(met->offer.tools.items[1].find("name")->text, "two");
  EXPECT_THAT(met->offer.prompts.items, SizeIs(0));
}

TEST(Negotiate, ForbidsToolsThatMayDoHarmUnlessTheyAreAllowed) {
  Negotiation negotiation([](const Outgoing& sent, int) { return pages(sent); });
  negotiation.target().listed_tools = {"one"};
  const Result<Negotiated> met = negotiation.with("mcp-2025-06-18");
  ASSERT_TRUE(met);
  EXPECT_FALSE(met->offer.forbidden.contains("one"));
  EXPECT_TRUE(met->offer.forbidden.contains("two"));
}

// Of the prompt's arguments one is completed, another by what that one is.
std::string completes(const Outgoing& sent) {
  const std::string text = json::write(message_of(sent));
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (has(R"("name":"name")"))
    return has(R"("context":{"arguments":{"team":"red"}})") ? R"(["ann"])" : "[]";
  return has(R"("name":"team")") ? R"(["red","blue"])" : "[]";
}

TEST(Negotiate, AsksForValuesOfArgumentsWhereTheServerCompletesThem) {
  const auto met_by = [](const std::string& capabilities, const std::string& version) {
    return Negotiation([=](const Outgoing& sent, int) {
             return serve({{"initialize", agreed(version, capabilities)},
                           {"prompts/list",
                            R"("result":{"prompts":[{"name":"p","arguments":[{"name":"team"},)"
                            R"({"name":"name"},{"name":"free"}]}]})"},
                           {"completion/complete",
                            R"("result":{"completion":{"values":)" + completes(sent) + "}}"}},
                          sent);
           })
        .with("mcp-" + version);
  };
  const auto met = met_by(R"({"prompts":{},"completions":{}})", "2025-06-18");
  ASSERT_TRUE(met);
  EXPECT_EQ(met->offer.completed, (std::map<std::pair<std::string, std::string>, std::string>{
                                      {{"p", "team"}, "red"}, {{"p", "name"}, "ann"}}));
  // Without the capability nobody is asked, and earlier revisions have no context.
  EXPECT_TRUE(met_by(R"({"prompts":{}})", "2025-06-18")->offer.completed.empty());
  EXPECT_EQ(met_by(R"({"prompts":{},"completions":{}})", "2025-03-26")->offer.completed.size(), 1u);
}

constexpr const char* kKnownTools =
    R"("result":{"tools":[
      {"name":"slow_operation","inputSchema":{"type":"object","properties":{"durationMs":{}}}},
      {"name":"longRunningOperation","annotations":{"readOnlyHint":true},
       "inputSchema":{"type":"object","properties":{"duration":{},"steps":{}}}},
      {"name":"test_image_content","inputSchema":{"type":"object"}},
      {"name":"echo","inputSchema":{"type":"object","properties":{"message":{}}}}]})";

TEST(Negotiate, RecognisesAToolThatMayBeCalledBeforeOneThatMayNot) {
  Negotiation negotiation([](const Outgoing& sent, int) {
    return serve(
        {{"initialize", agreed("2025-06-18", R"({"tools":{}})")}, {"tools/list", kKnownTools}},
        sent);
  });
  const Result<Negotiated> met = negotiation.with("mcp-2025-06-18");
  ASSERT_TRUE(met);
  const json::Value& known = met->offer.affordances;
  EXPECT_EQ(known.find("tool.slow")->find("name")->text, "longRunningOperation");
  EXPECT_EQ(known.find("tool.image")->find("name")->text, "test_image_content");
  EXPECT_EQ(known.find("tool.echo")->find("name")->text, "echo");
  EXPECT_FALSE(met->offer.forbidden.contains("test_image_content"));
  EXPECT_TRUE(met->offer.forbidden.contains("echo"));
}

TEST(Negotiate, CallsAMethodWithoutParamsWithNone) {
  Negotiation negotiation{Methods{{"sum", R"("result":0)"}}};
  negotiation.target().affordances =
      json::object({{"known_method", json::object({{"method", json::string("sum")}})}});
  const Result<Negotiated> met = negotiation.with("jsonrpc-2.0");
  ASSERT_TRUE(met);
  const json::Value* params = json::at(met->offer.affordances, "/known_method/params");
  ASSERT_NE(params, nullptr);
  EXPECT_TRUE(params->is_array());
}

TEST(Negotiate, CallsTheExamplesOfTheSpecificationThatAreAnsweredAsItSays) {
  Negotiation negotiation{Methods{{"sum", R"("result":7)"}, {"subtract", R"("result":-19)"}}};
  const Result<Negotiated> met = negotiation.with("jsonrpc-2.0");
  ASSERT_TRUE(met);
  EXPECT_THAT(met->offer.examples, testing::ElementsAre("sum"));
  const json::Value* known = met->offer.affordances.find("known_method");
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(json::write(*known->find("params")), "[1,2,4]");
  EXPECT_THAT(request_for_methods(met->offer), HasSubstr("examples of JSON-RPC 2.0: sum."));

  negotiation.target().affordances =
      json::object({{"known_method", json::object({{"method", json::string("sum")}})}});
  EXPECT_TRUE(negotiation.with("jsonrpc-2.0")->offer.examples.empty()) << "the operator named one";
}

TEST(Negotiate, AsksForParamsWhereAMethodIsRefusedWithoutThem) {
  Negotiation negotiation{Methods{{"sum", R"("error":{"code":-32602,"message":"no"})"}}};
  negotiation.target().affordances =
      json::object({{"known_method", json::object({{"method", json::string("sum")}})}});
  const Result<Negotiated> met = negotiation.with("jsonrpc-2.0");
  ASSERT_FALSE(met);
  EXPECT_THAT(met.error().what,
              HasSubstr("refuses sum, called without params, with {\"code\":-32602"));
  EXPECT_THAT(met.error().remedy, HasSubstr("--method 'sum:[1, 2]'"));
  negotiation.target().affordances.find("known_method")->set("params", json::parse("[1]"));
  EXPECT_TRUE(negotiation.with("jsonrpc-2.0")) << "its params were given, and may be right";
}

}  // namespace
}  // namespace harness::run
