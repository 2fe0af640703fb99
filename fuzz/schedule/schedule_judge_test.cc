// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/schedule_judge.h"

#include <gtest/gtest.h>

#include <memory>

#include "fuzz/schedule/explorer.h"
#include "harness/spec/testing.h"

namespace fuzz {
namespace {

namespace wire = harness::wire;
using std::chrono::milliseconds;

// What was said in each of some sessions: a digit plays that step, anything else came.
Execution played(const Script& script, const std::vector<std::vector<std::string>>& sessions,
                 wire::TransportKind transport = wire::TransportKind::kWebSocket) {
  Execution out;
  for (const std::vector<std::string>& lines : sessions) {
    auto transcript = std::make_shared<wire::Transcript>();
    transcript->transport = transport;
    wire::Messages messages;
    for (const std::string& line : lines) {
      wire::Frame frame;
      frame.seq = transcript->frames.size() + 1;
      frame.time_us = static_cast<std::int64_t>(frame.seq) * 1000;
      const bool sent = line.size() == 1;
      frame.direction = sent ? wire::Direction::kSent : wire::Direction::kReceived;
      frame.channel = wire::Channel::kSocket;
      const auto step = static_cast<std::size_t>(line[0] - '0');
      frame.bytes = sent ? std::get<Frame>(script.steps[step]).bytes : line;
      if (sent) out.sent.push_back({step, out.slices.size(), frame.seq, 0});
      messages.push_back(wire::read_shared(frame.bytes));
      transcript->frames.push_back(std::move(frame));
    }
    out.slices.push_back({transcript, std::move(messages), {}, {}, {}});
  }
  return out;
}

std::string call(int id, const char* method) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + "\"}";
}
std::string reply(int id, const char* result) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}";
}

Script two_calls() {
  Script out;
  out.steps.emplace_back(Frame{call(1, "one"), {}});
  out.steps.emplace_back(Frame{call(2, "two"), {}});
  return out;
}

Alone answered(const char* outcome, int took_ms = 10) {
  Alone out;
  out.answered = out.stable = true;
  out.outcome = outcome;
  out.took = milliseconds(took_ms);
  return out;
}

std::vector<std::string> signatures(const Script& script, const Execution& execution,
                                    const std::map<std::string, Alone>& known) {
  const ScheduleJudge about{*harness::spec::find_profile("jsonrpc-2.0"),
                            harness::spec::own_registry(), wire::TransportKind::kWebSocket, nullptr,
                            milliseconds(1000)};
  const AloneOf alone = [&](const std::string& text) -> const Alone* {
    const auto found = known.find(wire::read_message(text).method()->text);
    return found == known.end() ? nullptr : &found->second;
  };
  std::vector<std::string> out;
  for (const Problem& problem : judge_schedule(script, execution, alone, about))
    out.push_back(problem.signature);
  return out;
}

const std::map<std::string, Alone> kKnown = {{"one", answered("result 1")},
                                             {"two", answered("result 2")}};

TEST(JudgeSchedule, FindsNothingInAnyOrderOfReplies) {
  const Script script = two_calls();
  EXPECT_TRUE(signatures(script, played(script, {{"0", "1", reply(2, "2"), reply(1, "1")}}), kKnown)
                  .empty());
  EXPECT_TRUE(signatures(script, played(script, {{"0", "1", reply(1, "7"), reply(2, "8")}}), kKnown)
                  .empty());  // another answer than alone is no other call's
}

TEST(JudgeSchedule, FindsALostReplyOnlyWhereTheCallIsAnsweredAlone) {
  const Script script = two_calls();
  Execution lost = played(script, {{"0", "1", reply(2, "2")}});
  lost.unanswered = {0};
  EXPECT_EQ(signatures(script, lost, kKnown),
            std::vector<std::string>{"schedule|jsonrpc.request.reply-exactly-one|lost"});
  EXPECT_TRUE(signatures(script, lost, {}).empty());
  EXPECT_TRUE(signatures(script, lost, {{"one", answered("result 1", 500)}}).empty());  // too slow
  EXPECT_TRUE(signatures(script, lost, {{"one", Alone()}}).empty());
}

TEST(JudgeSchedule, FindsSwappedRepliesAndNoOtherDifference) {
  const Script script = two_calls();
  const auto swapped =
      signatures(script, played(script, {{"0", "1", reply(1, "2"), reply(2, "1")}}), kKnown);
  EXPECT_EQ(swapped, std::vector<std::string>{"schedule|jsonrpc.id.never-invented|swapped"});
  // Both say the same: the first may have changed its mind.
  EXPECT_TRUE(signatures(script, played(script, {{"0", "1", reply(1, "2"), reply(2, "2")}}), kKnown)
                  .empty());
  std::map<std::string, Alone> unstable = kKnown;
  unstable["two"].stable = false;
  EXPECT_TRUE(
      signatures(script, played(script, {{"0", "1", reply(1, "2"), reply(2, "1")}}), unstable)
          .empty());
}

TEST(JudgeSchedule, FindsAReplyInAnotherSessionOnce) {
  const Script script = two_calls();
  const auto crossed =
      signatures(script, played(script, {{"0"}, {"1", reply(1, "1"), reply(2, "2")}}), kKnown);
  ASSERT_EQ(crossed.size(), 1u);
  EXPECT_TRUE(crossed[0].ends_with("|crossed")) << crossed[0];
}

TEST(JudgeSchedule, FindsADoubledReply) {
  const Script script = two_calls();
  const auto doubled = signatures(
      script, played(script, {{"0", "1", reply(1, "1"), reply(2, "2"), reply(1, "1")}}), kKnown);
  ASSERT_EQ(doubled.size(), 1u);
  EXPECT_TRUE(doubled[0].starts_with("replies|jsonrpc.request.reply-exactly-one|")) << doubled[0];
}

TEST(Alone, LearnsOfTwoPlaysWhatARequestGets) {
  Script script;
  script.steps.emplace_back(Frame{call(1, "one"), {}});
  const std::string asks = R"({"jsonrpc":"2.0","id":"s","method":"roots/list"})";
  Alone alone;
  learn(alone, played(script, {{"0", asks, reply(1, "{}")}}));
  EXPECT_TRUE(alone.answered && alone.asks && alone.active && !alone.stable);
  EXPECT_EQ(alone.took, milliseconds(2));
  learn(alone, played(script, {{"0", asks, reply(1, "{}")}}));
  EXPECT_TRUE(alone.answered && alone.stable);
  learn(alone, played(script, {{"0", reply(1, "7")}}));
  EXPECT_TRUE(alone.answered && !alone.stable);
  learn(alone, played(script, {{"0"}}));
  EXPECT_FALSE(alone.answered);
  learn(alone, played(script, {{"0", reply(1, "7")}}));
  EXPECT_FALSE(alone.answered);
}

TEST(RequestKey, LeavesTheIdOut) {
  EXPECT_EQ(request_key(call(1, "one")), request_key(call(2, "one")));
  EXPECT_NE(request_key(call(1, "one")), request_key(call(1, "two")));
  EXPECT_EQ(request_key("[]"), "");
  EXPECT_EQ(request_key(R"({"jsonrpc":"2.0","method":"note"})"), "");
}

TEST(OneAfterTheOther, WaitsForEachReplyAndHoldsNothing) {
  const Script script =
      read_script("!answer * held\n1\n!session 2\n2\n!arrival\n!release last\n!cut\n!await 1\n");
  EXPECT_EQ(write_script(one_after_the_other(script)),
            "1\n!await 1\n!session 2\n2\n!await 2\n!cut\n");
}

}  // namespace
}  // namespace fuzz
