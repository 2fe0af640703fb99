// SPDX-License-Identifier: Apache-2.0
// Timer: every wait of rpcspec that has an end.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "harness/base/clock.h"

namespace harness::transport {

using harness::Clock;
using harness::Deadline;
using Timer = boost::asio::steady_timer;

}  // namespace harness::transport
