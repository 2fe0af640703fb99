// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_streams.h"

#include <gtest/gtest.h>

namespace harness::reference {
namespace {

TEST(StreamBook, ForgetsTheOldestStreamsThatWereLeft) {
  const Faults none;
  StreamBook book(none);
  const EventStreamPtr carried = book.open(true, true);
  carried->carrier = &none;
  EventStreamPtr left;
  for (int i = 0; i < 100; ++i) left = book.open(true, true);
  EXPECT_TRUE(book.find(carried->events.front().id));
  EXPECT_FALSE(book.find("2_2"));
  EXPECT_TRUE(book.find(left->events.front().id));
}

}  // namespace
}  // namespace harness::reference
