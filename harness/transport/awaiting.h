// SPDX-License-Identifier: Apache-2.0
// How coroutines wait here: an error is a value, and an exception goes on to who drives them.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace harness::transport {

constexpr auto kToken = boost::asio::as_tuple(boost::asio::use_awaitable);

inline void propagate(std::exception_ptr error) {
  if (error) std::rethrow_exception(error);
}

}  // namespace harness::transport
