// SPDX-License-Identifier: Apache-2.0
// Courtesy: how a server is spared that all sessions of a run share. The number of connections to
// one server is limited, idle ones included. If a server answers 429, or 503 with Retry-After, the
// request is repeated after the time that it asks for.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "harness/transport/async_event.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// An owner of idle connections.
class IdleKeeper {
 public:
  virtual bool close_idle() = 0;  // closes one of them; false if there is none

 protected:
  ~IdleKeeper() = default;
};

class Courtesy : public std::enable_shared_from_this<Courtesy> {
 public:
  enum class Refusals { kWaitedFor, kTaken };  // 429, and 503 with Retry-After

  Courtesy(boost::asio::any_io_executor executor, int most_connections,
           Refusals refusals = Refusals::kWaitedFor);

  // One open connection, for its lifetime.
  using Place = std::shared_ptr<void>;
  // Waits until there is room; an owner may close an idle one for that. It is a soft limit: a
  // caller that waits long, or that holds all itself (`own` are in use), gets one more.
  boost::asio::awaitable<Place> place(std::size_t own);
  void idle() { changed_.notify_all(); }  // somebody has one now
  void knows(std::weak_ptr<IdleKeeper> keeper);
  int open() const { return open_; }

  // How long to wait before the request is repeated, from the head of the response to its `times`th
  // attempt; zero if the response is final. In total a run waits half a minute.
  std::chrono::milliseconds rest(const wire::HttpHead& head, int times);

  // A 202 without a length had no end before the deadline, but may still get one. The end of the
  // next such responses is not awaited as long.
  void saw_late_end() { ends_late_ = true; }
  bool ends_late() const { return ends_late_; }

 private:
  bool close_an_idle_one();

  int most_;
  Refusals refusals_;
  int open_ = 0;
  std::chrono::milliseconds rested_{0};
  bool ends_late_ = false;
  std::vector<std::weak_ptr<IdleKeeper>> keepers_;
  AsyncEvent changed_;
};

}  // namespace harness::transport
