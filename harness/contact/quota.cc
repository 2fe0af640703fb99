// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/quota.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/session/patience.h"

namespace harness::run {

namespace {

Demand at_most(Demand wanted, const Demand& most) {
  return {std::min(wanted.sessions, most.sessions), std::min(wanted.connections, most.connections)};
}

}  // namespace

struct Quota::State {
  explicit State(boost::asio::any_io_executor executor) : changed(std::move(executor)) {}

  Demand leased{0, 0};
  int beside = 0;

  bool has(const Demand& wanted, const Demand& most) const {
    return leased.sessions + beside + wanted.sessions <= most.sessions &&
           leased.connections + wanted.connections <= most.connections;
  }

  int waiting = 0;
  transport::AsyncEvent changed;
};

struct Quota::Held {
  Held(std::shared_ptr<State> of, Demand much) : state(std::move(of)), leased(much) {
    state->leased.sessions += leased.sessions;
    state->leased.connections += leased.connections;
  }
  ~Held() {
    state->leased.sessions -= leased.sessions;
    state->leased.connections -= leased.connections;
    state->changed.notify_all();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  std::shared_ptr<State> state;
  Demand leased;
};

Quota::Quota(boost::asio::any_io_executor executor, Demand most)
    : most_(most), state_(std::make_shared<State>(std::move(executor))) {}

boost::asio::awaitable<Quota::Lease> Quota::take(Demand wanted) {
  wanted = at_most(wanted, most_);
  const std::shared_ptr<State> state = state_;
  const Demand most = most_;
  ++state->waiting;
  while (!state->has(wanted, most))
    if (!co_await state->changed.wait(transport::Clock::now() + patience::kStandstill)) break;
  --state->waiting;
  co_return Lease(std::make_shared<Held>(state, wanted));
}

boost::asio::awaitable<bool> Quota::changes() {
  const std::shared_ptr<State> state = state_;
  ++state->waiting;
  const bool changed =
      co_await state->changed.wait(transport::Clock::now() + patience::kStandstill);
  --state->waiting;
  co_return changed;
}

Quota::Lease Quota::seize(Demand wanted) { return Lease(std::make_shared<Held>(state_, wanted)); }

bool Quota::has(Demand wanted) const { return state_->has(at_most(wanted, most_), most_); }

int Quota::sessions() const { return state_->leased.sessions + state_->beside; }

void Quota::beside(int change) {
  state_->beside += change;
  if (change < 0) state_->changed.notify_all();
}

bool Quota::wanted() const { return state_->waiting > 0; }

}  // namespace harness::run
