// SPDX-License-Identifier: Apache-2.0
#include "harness/session/recording.h"

#include <gtest/gtest.h>

namespace harness::session {
namespace {

wire::Frame frame(const std::string& bytes, bool received = true) {
  wire::Frame out;
  out.direction = received ? wire::Direction::kReceived : wire::Direction::kSent;
  out.channel = received ? wire::Channel::kStdout : wire::Channel::kStdin;
  out.bytes = bytes;
  return out;
}

Recording recording() {
  wire::Transcript head;
  head.profile = "jsonrpc-2.0";
  head.target = "t";
  return Recording(std::move(head));
}

TEST(Recording, NumbersFramesOverSlices) {
  Recording made = recording();
  EXPECT_EQ(made.add(frame("1")), 1u);
  const auto first = made.transcript();
  made.begin_slice();
  EXPECT_EQ(made.add(frame("2")), 2u);
  EXPECT_EQ(first->frames.size(), 1u);
  EXPECT_EQ(made.transcript()->frames.size(), 1u);
  EXPECT_EQ(made.transcript()->target, "t");
  made.renumber(10);
  EXPECT_EQ(made.transcript()->frames.front().seq, 12u);
  EXPECT_EQ(made.last_seq(), 12u);
}

TEST(Recording, KnowsWhatMayRepeatWhatWasSent) {
  Recording made = recording();
  EXPECT_FALSE(made.may_repeat(6));
  made.add(frame("ab", false));
  made.add(frame("received"));
  EXPECT_TRUE(made.may_repeat(24));
  EXPECT_FALSE(made.may_repeat(25));
}

TEST(Recording, KnowsASliceRightBehindTheHandshake) {
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  Recording made = recording();
  made.add(frame(R"({"jsonrpc":"2.0","id":1,"result":{}})"));
  made.begin_slice();
  EXPECT_FALSE(made.transcript()->behind_handshake);
  made.add(frame(note, false));
  made.begin_slice();
  EXPECT_TRUE(made.transcript()->behind_handshake);
  made.begin_slice();  // nothing has come
  EXPECT_TRUE(made.transcript()->behind_handshake);
  made.add(frame(R"({"jsonrpc":"2.0","id":2,"result":{}})"));
  made.begin_slice();
  EXPECT_FALSE(made.transcript()->behind_handshake);
}

TEST(Recording, ReadsWhatIsNotReadYet) {
  Recording made = recording();
  made.keep_sent_messages();
  made.add(frame("{}"));
  made.begin_slice();
  const std::uint64_t asked = made.add(frame("[1]", false));
  const wire::MessagePtr sent = made.read("[1]"), came = made.read("[2]");
  made.keep(asked, sent);
  const std::uint64_t replied = made.add(frame("[2]"));
  made.add(frame("[3]"));
  const wire::Messages messages = made.messages({{1, sent}, {replied, came}, {99, came}});
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(&messages[0], sent.get());
  EXPECT_EQ(&messages[1], came.get());
  EXPECT_EQ(messages[2].value.items.front().text, "3");
}

TEST(Recording, GivesAFrameItsExchange) {
  Recording made = recording();
  const std::uint64_t first = made.add(frame("{}", false));
  made.add(frame("{}", false));
  made.set_exchange(first, 7);
  EXPECT_EQ(made.transcript()->frames[0].exchange, 7);
  EXPECT_EQ(made.transcript()->frames[1].exchange, 0);
}

TEST(Recording, KnowsAFloodByFramesBytesAndValues) {
  Recording frames = recording();
  for (int i = 0; i < 30'000; ++i) frames.add(frame("x"));
  EXPECT_FALSE(frames.flooded());
  EXPECT_TRUE(frames.has_chatter_enough());
  frames.add(frame("x"));
  EXPECT_TRUE(frames.flooded());
  frames.begin_slice();
  EXPECT_FALSE(frames.flooded());

  Recording bytes = recording();
  bytes.add(frame(std::string(12u << 20, 'x'), false));
  EXPECT_FALSE(bytes.flooded()) << "what we sent";
  bytes.begin_slice();
  bytes.add(frame(std::string((12u << 20) + 1, 'x')));
  EXPECT_TRUE(bytes.flooded());

  Recording values = recording();
  values.count_values(200'001);
  EXPECT_TRUE(values.flooded());
}

TEST(Recording, TakesNoEchoForAFlood) {
  Recording bytes = recording();
  bytes.add(frame(std::string(8u << 20, 'x'), false));
  bytes.add(frame(std::string(32u << 20, 'x')));
  EXPECT_FALSE(bytes.flooded());
  bytes.add(frame(std::string((12u << 20) + 1, 'x')));
  EXPECT_TRUE(bytes.flooded());

  Recording values = recording();
  values.keep_sent_messages();
  wire::Message sent;
  sent.values = 100'000;
  values.keep(values.add(frame("[]", false)), std::make_shared<const wire::Message>(sent));
  values.count_values(600'000);
  EXPECT_FALSE(values.flooded());
  values.count_values(1);
  EXPECT_TRUE(values.flooded());
}

}  // namespace
}  // namespace harness::session
