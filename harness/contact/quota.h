// SPDX-License-Identifier: Apache-2.0
// Quota: how many sessions and connections a run has open at one time against a server that is
// shared by all of them. Who is going to open some takes a Lease first, of all he is going to hold
// at once, so nobody waits in the middle of a conversation. Who wants little may pass by who waits
// for much: that has its turn when nobody else is left, at the latest.
#pragma once

#include <memory>
#include <utility>

#include "harness/suite/case_traits.h"
#include "harness/transport/async_event.h"

namespace harness::run {

using suite::Demand;

class Quota {
 public:
  // What is leased, until the object goes. An empty one holds nothing. It may outlive the Quota.
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
  // Waits until it is there, or nothing was given back for 5 s; never more than most() is asked
  // for.
  boost::asio::awaitable<Lease> take(Demand wanted);
  // Waits until something is given back; false when nothing was for 5 s.
  boost::asio::awaitable<bool> changes();
  // Whether it is there.
  bool has(Demand wanted) const;
  // Takes it although more may be open then: of what is open already.
  Lease seize(Demand wanted);
  // A session is open that nobody leases: it is being ended, or kept for another case.
  void beside(int change);
  // Somebody waits for what others hold.
  bool wanted() const;
  int sessions() const;  // that are leased or open beside

 private:
  struct State;
  struct Held;

  Demand most_;
  std::shared_ptr<State> state_;
};

}  // namespace harness::run
