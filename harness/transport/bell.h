// SPDX-License-Identifier: Apache-2.0
// Bell: lets coroutines wait until something happens or a deadline passes. ring() wakes all who
// wait now; it is not remembered, so a waiter checks its condition before and after.
//
// It costs no system call per wait: one timer serves all waiters and is moved only when a deadline
// is earlier than the one it is set to. A timer may therefore stay set after its waiter has gone,
// until close().
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "harness/transport/transport.h"

namespace harness::transport {

class Bell {
 public:
  explicit Bell(boost::asio::any_io_executor executor);
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  // True when rung, false when the deadline passed or the wait was cancelled. The Bell may be
  // destroyed while somebody waits: that wakes him with false. Who still waits when the executor's
  // context ends is destroyed with it.
  boost::asio::awaitable<bool> wait(Deadline deadline);
  void ring();
  // Stops the timer and wakes everybody with false; later waits return false at once.
  void close();

 private:
  friend class Bells;
  struct Core;
  std::shared_ptr<Core> core_;
};

}  // namespace harness::transport
