// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/answered.h"

#include <gtest/gtest.h>

#include <memory>

#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

// The conversation about a script whose steps are frames: "0" plays step 0, "c" a canary that is
// answered; anything else is what came.
Execution played(const Script& script, std::initializer_list<const char*> lines) {
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->transport = wire::TransportKind::kStdio;
  Execution out;
  const auto add = [&](bool sent, const std::string& text) {
    wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = sent ? wire::Direction::kSent : wire::Direction::kReceived;
    frame.channel = sent ? wire::Channel::kStdin : wire::Channel::kStdout;
    frame.bytes = text;
    frame.size = text.size();
    transcript->frames.push_back(std::move(frame));
  };
  int canary = 9000;
  for (const std::string line : lines) {
    if (line == "c") {
      const std::string id = std::to_string(++canary);
      add(true, R"({"jsonrpc":"2.0","method":"ping","id":)" + id + "}");
      add(false, R"({"jsonrpc":"2.0","result":{},"id":)" + id + "}");
    } else if (line.size() == 1 && line[0] >= '0' && line[0] <= '9') {
      const auto step = static_cast<std::size_t>(line[0] - '0');
      add(true, std::get<Frame>(script.steps[step]).bytes);
      out.sent.push_back({step, 0, transcript->frames.size(), 0});
    } else {
      add(false, line);
    }
  }
  wire::Messages messages;
  for (const wire::Frame& frame : transcript->frames)
    messages.push_back(wire::read_shared(frame.bytes));
  out.slices.push_back({transcript, std::move(messages), {}, {}, {}});
  return out;
}

const harness::spec::Profile& profile() { return *harness::spec::find_profile("mcp-2025-06-18"); }

std::string answer(const Execution& execution, std::size_t step) {
  return class_of(Answered(execution, profile()).to(step));
}

constexpr const char* kError = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})";
constexpr const char* kResult = R"({"jsonrpc":"2.0","id":1,"result":{}})";

TEST(Answered, ClassifiesWhatCameToAStep) {
  const Script one = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  EXPECT_EQ(answer(played(one, {"0", kResult, "c"}), 0), "result");
  EXPECT_EQ(answer(played(one, {"0", kError, "c"}), 0), "error -32602");
  EXPECT_EQ(answer(played(one, {"0", "c"}), 0), "nothing");
  EXPECT_EQ(answer(played(one, {"0", kResult, kResult, "c"}), 0), "several replies");
  EXPECT_EQ(
      answer(played(one, {"0", R"([{"jsonrpc":"2.0","id":1,"result":{"isError":true}}])", "c"}), 0),
      "result that failed");
}

TEST(Answered, LaysAReplyToTheStepItBelongsTo) {
  const Script script = read_script(R"({"jsonrpc":"2.0","id":9007199254740993,"method":"a"}
{"jsonrpc":"2.0","id":7,"method":"b"}
{"jsonrpc":"2.0","id":"x","method":"c"}
)");
  struct Row {
    const char* what;
    std::initializer_list<const char*> said;
    std::vector<std::string> answers;
  };
  const char* seven = R"({"jsonrpc":"2.0","id":7,"result":{}})";
  const char* x = R"({"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no"}})";
  const char* large = R"({"jsonrpc":"2.0","id":9007199254740993,"result":{}})";
  const char* lost = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}})";
  const Row rows[] = {
      {"in any order", {"0", "1", "2", x, seven, large, "c"}, {"result", "result", "error -32601"}},
      {"rounded",
       {"0", "1", "2", R"({"jsonrpc":"2.0","id":9007199254740992,"result":{}})", seven, x, "c"},
       {"result", "result", "error -32601"}},
      {"as text",
       {"0", "1", "2", large, R"({"jsonrpc":"2.0","id":"7","result":{}})", x, "c"},
       {"result", "result", "error -32601"}},
      {"without its id",
       {"0", large, "c", "1", lost, "c", "2", x, "c"},
       {"result", "error -32603", "error -32601"}},
      {"the server asks with an id of ours",
       {"0", large, "1", R"({"jsonrpc":"2.0","id":7,"method":"ping"})", "2", x, "c"},
       {"result", "nothing", "error -32601"}},
      {"what is no message",
       {"0", "1", "2", "no JSON", large, seven, x, "c"},
       {"result", "result", "error -32601"}},
  };
  for (const Row& row : rows) {
    const Execution execution = played(script, row.said);
    for (std::size_t step = 0; step < row.answers.size(); ++step)
      EXPECT_EQ(answer(execution, step), row.answers[step]) << row.what << ", step " << step;
  }
}

TEST(Answered, LeavesWhatMayBeAnothersInDoubt) {
  const Script script = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"}
{"jsonrpc":"2.0","id":1,"method":"b"}
)");
  const Execution twice = played(script, {"0", "1", kResult, "c"});
  EXPECT_EQ(answer(twice, 0), "what may be another's");
  EXPECT_EQ(answer(twice, 1), "what may be another's");
  EXPECT_TRUE(Answered(twice, profile()).served_in_doubt());
  const Execution none = played(script, {"c"});
  EXPECT_EQ(answer(none, 0), "nothing");
  EXPECT_FALSE(Answered(none, profile()).served_in_doubt());
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
  const Execution execution =
      played(script, {"0", kError, "1", R"({"jsonrpc":"2.0","id":2,"result":{}})", "c"});
  const Script part = refused_part(script, execution, profile());
  ASSERT_EQ(part.steps.size(), 3u);
  EXPECT_EQ(std::get<Frame>(part.steps[0]).bytes, R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  EXPECT_EQ(std::get<Frame>(part.steps[2]).bytes, "{ no JSON");
}

TEST(AllRefused, IsFalseWhenAnythingWasServedOrChanged) {
  const Script script = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"})");
  const auto refused = [&](std::initializer_list<const char*> said) {
    return all_refused(script, played(script, said), profile());
  };
  EXPECT_TRUE(refused({"0", kError, "c"}));
  EXPECT_TRUE(
      refused({"0", R"({"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":""}})", "c"}));
  EXPECT_TRUE(
      refused({"0", R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":""}})", "c"}));
  EXPECT_FALSE(refused({"0", kResult, "c"}));
  EXPECT_FALSE(refused({"0", R"({"jsonrpc":"2.0","id":"1","result":{}})", "c"}));
  EXPECT_FALSE(refused({"0", kError, R"({"jsonrpc":"2.0","id":55,"result":{}})", "c"}));
  EXPECT_FALSE(refused({"0", "c"}));
  EXPECT_FALSE(refused(
      {"0", kError, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})", "c"}));
  const Script notification = read_script(R"({"jsonrpc":"2.0","method":"a"})");
  EXPECT_FALSE(all_refused(notification, played(notification, {"0", "c"}), profile()));
  Execution gone = played(script, {"0", kError, "c"});
  gone.ending = Ending::kGone;
  EXPECT_FALSE(all_refused(script, gone, profile()));
}

TEST(AllRefused, IsFalseWhereALenientReaderMayBeAtWork) {
  constexpr const char* kNull =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}})";
  const auto refused = [&](const char* text, std::initializer_list<const char*> said) {
    const Script script = read_script(text);
    return all_refused(script, played(script, said), profile());
  };
  for (const char* text : {"!frame \"\\xef\\xbb\\xbf{\\\"id\\\":4,\\\"method\\\":\\\"slow\\\"}\"",
                           R"({"id":4,"method":"slow",})", R"({"id":4,"\u006dethod":"slow",})"}) {
    EXPECT_FALSE(refused(text, {"0", "c"})) << text;
    EXPECT_FALSE(refused(text, {"0", R"({"jsonrpc":"2.0","id":4,"result":{}})", "c"})) << text;
    EXPECT_TRUE(refused(text, {"0", kNull, "c"})) << text;
  }
  const char* two = "{\"method\"\n{\"method\":\n";
  EXPECT_FALSE(refused(two, {"0", "1", kNull, "c"}));
  EXPECT_TRUE(refused(two, {"0", "1", kNull, kNull, "c"}));
  EXPECT_TRUE(refused("{ no JSON", {"0", "c"}));
}

}  // namespace
}  // namespace fuzz
