// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/message_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace harness::wire {
namespace {

std::string ping(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
}

TEST(MessageCache, ReadsATextOnce) {
  MessageCache cache;
  const MessagePtr first = cache.read(ping(1));
  EXPECT_EQ(first->kind, MessageKind::kRequest);
  EXPECT_EQ(cache.read(ping(1)), first);
  EXPECT_NE(cache.read(ping(2)), first);
  EXPECT_EQ(cache.read("{")->error.reason, read_message("{").error.reason);
}

TEST(MessageCache, ForgetsWhatIsNotAskedForAgain) {
  MessageCache cache;
  const std::weak_ptr<const Message> forgotten = cache.read(ping(-2));
  EXPECT_FALSE(forgotten.expired());
  for (int i = 0; i < 20'000; ++i) EXPECT_EQ(cache.read(ping(i))->id()->text, std::to_string(i));
  EXPECT_TRUE(forgotten.expired());
}

TEST(MessageCache, DoesNotKeepLargeTexts) {
  MessageCache cache;
  const std::weak_ptr<const Message> large = cache.read('"' + std::string(1 << 20, 'x') + '"');
  EXPECT_TRUE(large.expired());
}

}  // namespace
}  // namespace harness::wire
