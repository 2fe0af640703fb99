// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/async_event.h"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "harness/transport/timer.h"

namespace harness::transport {

namespace asio = boost::asio;

// A coroutine that waits at an AsyncEvent may own what owns the AsyncEvent. When the context ends,
// as it does when a run is over before the last target has gone, the circle is cut here.
class Bells : public asio::execution_context::service {
 public:
  using key_type = Bells;
  static asio::execution_context::id id;
  explicit Bells(asio::execution_context& context) : asio::execution_context::service(context) {}

  std::set<AsyncEvent::Core*> all;

 private:
  void shutdown() override;
};
asio::execution_context::id Bells::id;

struct AsyncEvent::Core : std::enable_shared_from_this<AsyncEvent::Core> {
  struct Waiter {
    template <class Handler>
    Waiter(std::uint64_t i, Deadline d, Handler h) : id(i), deadline(d), handler(std::move(h)) {}

    std::uint64_t id;
    Deadline deadline;
    asio::any_completion_handler<void(bool)> handler;
  };

  explicit Core(asio::any_io_executor e)
      : executor(e), timer(std::in_place, std::move(e)),
        bells(&asio::use_service<Bells>(asio::query(executor, asio::execution::context))) {
    bells->all.insert(this);
  }
  ~Core() {
    if (bells != nullptr) bells->all.erase(this);
  }

  template <class Handler>
  void add(Deadline deadline, Handler handler) {
    const std::uint64_t id = ++last_id;
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
      slot.assign([weak = weak_from_this(), id](asio::cancellation_type) {
        if (auto core = weak.lock()) core->wake_if([id](const Waiter& w) { return w.id == id; });
      });
    }
    waiters.emplace_back(id, deadline, std::move(handler));
    set_timer(deadline);
  }

  // Handlers are posted, never called: the ringer must not find the world changed under its feet.
  void wake(Waiter& waiter, bool notified) {
    asio::post(executor, [handler = std::move(waiter.handler), notified]() mutable {
      std::move(handler)(notified);
    });
  }

  template <class Condition>
  void wake_if(Condition condition) {
    for (auto waiter = waiters.begin(); waiter != waiters.end();) {
      if (condition(*waiter)) {
        wake(*waiter, false);
        waiter = waiters.erase(waiter);
      } else {
        ++waiter;
      }
    }
  }

  void set_timer(Deadline deadline) {
    if (timer_at <= deadline) return;
    timer_at = deadline;
    timer->expires_at(deadline);
    timer->async_wait([weak = weak_from_this(), deadline](boost::system::error_code error) {
      auto core = weak.lock();
      if (!core || error || core->timer_at != deadline) return;
      core->timer_at = Deadline::max();
      const Deadline now = Clock::now();
      core->wake_if([now](const Waiter& w) { return w.deadline <= now; });
      for (const Waiter& waiter : core->waiters) core->set_timer(waiter.deadline);
    });
  }

  void close() {
    closed = true;
    timer_at = Deadline::max();
    if (timer) timer->cancel();
    wake_if([](const Waiter&) { return true; });
  }

  asio::any_io_executor executor;
  std::optional<Timer> timer;  // gone with the context
  Deadline timer_at = Deadline::max();
  std::list<Waiter> waiters;  // not a vector: Boost 1.81 cannot move-assign these handlers
  std::uint64_t last_id = 0;
  bool closed = false;
  Bells* bells;  // null when the context has ended
};

void Bells::shutdown() {
  std::list<AsyncEvent::Core::Waiter> waiters;
  for (AsyncEvent::Core* core : std::exchange(all, {})) {
    core->bells = nullptr;
    core->closed = true;
    core->timer.reset();
    waiters.splice(waiters.end(), core->waiters);
  }
}

AsyncEvent::AsyncEvent(asio::any_io_executor executor)
    : core_(std::make_shared<Core>(std::move(executor))) {}

AsyncEvent::~AsyncEvent() { core_->close(); }

asio::awaitable<bool> AsyncEvent::wait(Deadline deadline) {
  // The initiation runs when awaited, possibly after the AsyncEvent is gone: it owns its share.
  return asio::async_initiate<const asio::use_awaitable_t<>, void(bool)>(
      [core = core_, deadline](auto handler) {
        if (core->closed) {
          asio::post(core->executor, [h = std::move(handler)]() mutable { std::move(h)(false); });
        } else {
          core->add(deadline, std::move(handler));
        }
      },
      asio::use_awaitable);
}

void AsyncEvent::notify_all() {
  for (Core::Waiter& waiter : core_->waiters) core_->wake(waiter, true);
  core_->waiters.clear();
}

void AsyncEvent::close() { core_->close(); }

}  // namespace harness::transport
