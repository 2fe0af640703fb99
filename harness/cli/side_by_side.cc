// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/side_by_side.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>

#include "harness/transport/timer.h"

namespace harness::cli {

namespace asio = boost::asio;

session::awaitable<void> side_by_side(int times, std::function<session::awaitable<void>()> story) {
  struct Others {
    explicit Others(const asio::any_io_executor& executor) : ended(executor) {}
    transport::Timer ended;
    int running = 0;
    std::exception_ptr failure;
  };
  const asio::any_io_executor loop = co_await asio::this_coro::executor;
  const auto others = std::make_shared<Others>(loop);
  others->ended.expires_at(transport::Timer::time_point::max());
  for (int i = 1; i < times; ++i) {
    ++others->running;
    asio::co_spawn(loop, story(), [others](std::exception_ptr thrown) {
      if (thrown) others->failure = thrown;
      if (--others->running == 0) others->ended.cancel();
    });
  }
  // The stories refer to what the caller has: it is left when all have ended.
  try {
    co_await story();
  } catch (...) {
    others->failure = std::current_exception();
  }
  while (others->running > 0) {
    boost::system::error_code ignored;
    auto token = asio::redirect_error(asio::use_awaitable, ignored);
    co_await others->ended.async_wait(token);
  }
  if (others->failure) std::rethrow_exception(others->failure);
}

}  // namespace harness::cli
