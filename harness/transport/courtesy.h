// SPDX-License-Identifier: Apache-2.0
// Courtesy: how a server is spared that all sessions of a run share. So many connections are open
// to it at one time, idle ones among them, and a server that answers 429, or 503 with Retry-After,
// is given the time it asks for and is asked again.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "harness/transport/async_event.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// Who keeps connections open that nobody uses at the moment.
class IdleKeeper {
 public:
  virtual bool close_idle() = 0;  // one of them; false when there is none

 protected:
  ~IdleKeeper() = default;
};

class Courtesy : public std::enable_shared_from_this<Courtesy> {
 public:
  enum class Refusals { kWaitedFor, kTaken };  // 429, and 503 with Retry-After

  Courtesy(boost::asio::any_io_executor executor, int most_connections,
           Refusals refusals = Refusals::kWaitedFor);

  // One open connection, as long as it lives.
  using Place = std::shared_ptr<void>;
  // Waits until there is a place, for which somebody may give up an idle one. It is a wish: who
  // waits for long, or holds all himself (`own` are in use), gets one more.
  boost::asio::awaitable<Place> place(std::size_t own);
  void idle() { changed_.notify_all(); }  // somebody has one now
  void knows(std::weak_ptr<IdleKeeper> keeper);
  int open() const { return open_; }

  // How long to wait before the same is asked again, by the head of an answer to the `times`th
  // time it was asked; zero where it is an answer. Altogether a run waits half a minute.
  std::chrono::milliseconds rest(const wire::HttpHead& head, int times);

 private:
  bool close_an_idle_one();

  int most_;
  Refusals refusals_;
  int open_ = 0;
  std::chrono::milliseconds rested_{0};
  std::vector<std::weak_ptr<IdleKeeper>> keepers_;
  AsyncEvent changed_;
};

}  // namespace harness::transport
