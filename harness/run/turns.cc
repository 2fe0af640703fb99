// SPDX-License-Identifier: Apache-2.0
#include "harness/run/turns.h"

#include <algorithm>
#include <utility>

namespace harness::run {

Turns::Turns(boost::asio::any_io_executor executor, int acting, int most)
    : acting_(std::max(1, acting)), most_(std::max(acting_, most)), changed_(std::move(executor)) {}

boost::asio::awaitable<void> Turns::take() {
  while (!free()) co_await changed_.wait(transport::Deadline::max());
  ++taken_;
}

void Turns::give_back() {
  --taken_;
  changed_.notify_all();
}

void Turns::join() { ++joined_; }

void Turns::leave() {
  --joined_;
  changed_.notify_all();
}

void Turns::waits(bool begins) {
  waiting_ += begins ? 1 : -1;
  if (begins) changed_.notify_all();
}

}  // namespace harness::run
