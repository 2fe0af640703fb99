// SPDX-License-Identifier: Apache-2.0
// AsyncEvent: lets coroutines wait until something happens or a deadline passes. notify_all() wakes
// all who wait now; it is not remembered, so a waiter checks its condition before and after.
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

class AsyncEvent {
 public:
  explicit AsyncEvent(boost::asio::any_io_executor executor);
  ~AsyncEvent();
  AsyncEvent(const AsyncEvent&) = delete;
  AsyncEvent& operator=(const AsyncEvent&) = delete;

  // True if notified, false if the deadline passed or the wait was cancelled. The AsyncEvent may be
  // destroyed while a coroutine waits: that wakes it with false. Coroutines that still wait when
  // the executor's context ends are destroyed with it.
  boost::asio::awaitable<bool> wait(Deadline deadline);
  void notify_all();
  // Stops the timer and wakes all waiters with false; later waits return false at once.
  void close();

 private:
  friend class Bells;
  struct Core;
  std::shared_ptr<Core> core_;
};

}  // namespace harness::transport
