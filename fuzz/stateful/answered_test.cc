// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/answered.h"

#include <gtest/gtest.h>

#include <memory>

#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

Execution came(std::initializer_list<const char*> lines) {
  auto transcript = std::make_shared<wire::Transcript>();
  wire::Messages messages;
  for (const char* line : lines) {
    messages.push_back(wire::read_shared(line));
    wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = wire::Direction::kReceived;
    frame.channel = wire::Channel::kStdout;
    frame.bytes = line;
    transcript->frames.push_back(std::move(frame));
  }
  Execution out;
  out.slices.push_back({transcript, std::move(messages), {}, {}, {}});
  return out;
}

constexpr const char* kError = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})";
constexpr const char* kResult = R"({"jsonrpc":"2.0","id":1,"result":{}})";

TEST(Answered, KnowsRepliesByTheirIds) {
  const Execution execution =
      came({kError, R"([{"jsonrpc":"2.0","id":"a","result":{"isError":true}}])",
            R"({"jsonrpc":"2.0","id":7,"method":"ping"})", "no JSON"});
  EXPECT_EQ(class_of(replies_to(execution, json::number(1))), "error -32602");
  EXPECT_EQ(class_of(replies_to(execution, json::string("a"))), "result that failed");
  EXPECT_EQ(class_of(replies_to(execution, json::number(7))), "nothing");
  EXPECT_EQ(class_of(replies_to(came({kResult}), json::number(1))), "result");
  EXPECT_EQ(class_of(replies_to(came({kResult, kResult}), json::number(1))), "several replies");
}

TEST(Answered, TellsWhatEverybodyReadsAsARequest) {
  for (const char* text :
       {"{", "[]", R"({"jsonrpc":"2.0","method":"x"})", R"({"id":null,"method":"x"})",
        R"({"id":1,"id":2,"method":"x"})", R"({"id":1,"method":2})",
        R"({"id":1,"method":"${1/x}"})", R"({"id":1,"method":"x","params":["\u0024{1/x}"]})",
        R"({"id":1.5,"method":"x"})"})
    EXPECT_FALSE(request_in({text, {}}).has_value()) << text;
  EXPECT_TRUE(request_in({R"({"id":1,"method":"x"})", {}}).has_value());
}

TEST(RefusedPart, LeavesOutWhatHadAnEffect) {
  const Script script = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"}
{"jsonrpc":"2.0","id":2,"method":"b"}
{"jsonrpc":"2.0","method":"c"}
{"jsonrpc":"2.0","id":3,"result":{}}
[{"jsonrpc":"2.0","id":4,"method":"d"}]
!sync
{"no":"message"}
{ no JSON
)");
  const Execution execution = came({kError, R"({"jsonrpc":"2.0","id":2,"result":{}})"});
  const Script part = refused_part(script, execution);
  ASSERT_EQ(part.steps.size(), 3u);
  EXPECT_EQ(std::get<Frame>(part.steps[0]).bytes, R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  EXPECT_EQ(std::get<Frame>(part.steps[2]).bytes, "{ no JSON");
}

TEST(AllRefused, IsFalseWhenAnythingWasServedOrChanged) {
  const Script script = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  EXPECT_TRUE(all_refused(script, came({kError, R"({"jsonrpc":"2.0","id":9,"result":{}})"})));
  EXPECT_FALSE(all_refused(script, came({kResult})));
  EXPECT_FALSE(all_refused(script, came({})));
  EXPECT_FALSE(all_refused(
      script, came({kError, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"})));
  EXPECT_FALSE(all_refused(read_script(R"({"jsonrpc":"2.0","method":"a"})"), came({})));
  Execution gone = came({kError});
  gone.ending = Ending::kGone;
  EXPECT_FALSE(all_refused(script, gone));
}

TEST(AllRefused, IsFalseWhereALenientReaderMayBeAtWork) {
  constexpr const char* kNull =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}})";
  for (const char* text : {"!frame \"\\xef\\xbb\\xbf{\\\"id\\\":4,\\\"method\\\":\\\"slow\\\"}\"",
                           R"({"id":4,"method":"slow",})", R"({"id":4,"\u006dethod":"slow",})"}) {
    const Script script = read_script(text);
    EXPECT_FALSE(all_refused(script, came({}))) << text;
    EXPECT_FALSE(all_refused(script, came({R"({"jsonrpc":"2.0","id":4,"result":{}})"}))) << text;
    EXPECT_TRUE(all_refused(script, came({kNull}))) << text;
  }
  const Script two = read_script("{\"method\"\n{\"method\":\n");
  EXPECT_FALSE(all_refused(two, came({kNull})));
  EXPECT_TRUE(all_refused(two, came({kNull, kNull})));
  EXPECT_TRUE(all_refused(read_script("{ no JSON"), came({})));
}

}  // namespace
}  // namespace fuzz
