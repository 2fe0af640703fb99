// SPDX-License-Identifier: Apache-2.0
// Turns: who may act. A case that waits (for an answer, a silence, the end of a stream, the start
// of a process) gives its turn to another, so waiting costs a run no time. It continues at once
// when its wait is over: then one more acts for a while.
#pragma once

#include "harness/transport/async_event.h"

namespace harness::run {

class Turns {
 public:
  // `acting`: that may act at one time. `most`: that may be in progress, waiting or not.
  Turns(boost::asio::any_io_executor executor, int acting, int most);

  int most() const { return most_; }
  // Waits until one more may begin, and begins.
  boost::asio::awaitable<void> take();
  // Ends what take() began.
  void give_back();
  // Begins in addition to the others, for work that mostly waits. leave() ends it.
  void join();
  void leave();
  // A case that was begun starts or ends a wait.
  void waits(bool begins);

 private:
  bool free() const { return taken_ < most_ && taken_ + joined_ - waiting_ < acting_; }

  int acting_;
  int most_;
  int taken_ = 0;
  int joined_ = 0;
  int waiting_ = 0;
  transport::AsyncEvent changed_;
};

}  // namespace harness::run
