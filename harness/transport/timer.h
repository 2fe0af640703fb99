// SPDX-License-Identifier: Apache-2.0
// Timer: every wait of rpcspec that has an end, by the Clock that stands still when we do.
#pragma once

#include <boost/asio/basic_waitable_timer.hpp>

#include "harness/base/clock.h"

namespace harness::transport {

using harness::Clock;
using harness::Deadline;

// What asio asks a clock.
struct Rest {
  static Clock::duration to_wait_duration(const Clock::duration& time) { return Clock::rest(time); }
  static Clock::duration to_wait_duration(const Clock::time_point& at) {
    return Clock::rest(at - Clock::now());
  }
};
using Timer = boost::asio::basic_waitable_timer<Clock, Rest>;

}  // namespace harness::transport
