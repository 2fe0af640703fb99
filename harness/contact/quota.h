// SPDX-License-Identifier: Apache-2.0
// Quota: how many sessions and connections a run may have open at a time to a shared server. A user
// first takes a Lease for everything that it will hold at once, so nobody waits in the middle of a
// session. A small Lease may overtake a large one, which gets its turn at the latest when nobody
// else is left.
#pragma once

#include <memory>
#include <utility>

#include "harness/suite/case_traits.h"
#include "harness/transport/async_event.h"

namespace harness::run {

using suite::Demand;

class Quota {
 public:
  // Holds what is leased until destroyed. An empty one holds nothing. It may outlive the Quota.
  class Lease {
   public:
    Lease() = default;
    explicit operator bool() const { return held_ != nullptr; }

    void give_back() { held_.reset(); }

   private:
    friend class Quota;
    explicit Lease(std::shared_ptr<void> held) : held_(std::move(held)) {}
    std::shared_ptr<void> held_;
  };

  Quota(boost::asio::any_io_executor executor, Demand most);

  const Demand& most() const { return most_; }
  // Waits until it is free, or nothing was returned for 5 s; never ask for more than most().
  boost::asio::awaitable<Lease> take(Demand wanted);
  // Waits until something is given back; false when nothing was for 5 s.
  boost::asio::awaitable<bool> changes();
  // Whether it is there.
  bool has(Demand wanted) const;
  // Takes it even if that exceeds the limit: for something that is open already.
  Lease seize(Demand wanted);
  // Counts an open session without a Lease: it is being ended, or kept for another case.
  void beside(int change);
  // Somebody waits for what others hold.
  bool wanted() const;
  int sessions() const;  // that are leased, or open in addition

 private:
  struct State;
  struct Held;

  Demand most_;
  std::shared_ptr<State> state_;
};

}  // namespace harness::run
