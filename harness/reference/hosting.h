// SPDX-License-Identifier: Apache-2.0
// What the hosts with sockets share.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdint>

#include "harness/reference/session.h"

namespace harness::reference {

// An error is a value: a client that disconnects is nothing unusual.
constexpr auto kQuietly = boost::asio::as_tuple(boost::asio::use_awaitable);
constexpr std::uint64_t kLargestBody = 64u << 20;

inline Micros clock_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace harness::reference
