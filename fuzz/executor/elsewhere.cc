// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/elsewhere.h"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "harness/base/text.h"
#include "harness/transport/address.h"
#include "harness/transport/timer.h"

namespace fuzz {
namespace {

namespace asio = boost::asio;
using harness::session::awaitable;
using harness::session::Clock;
using std::chrono::milliseconds;

constexpr milliseconds kAttempt{1000};
constexpr milliseconds kFirst{50}, kLongest{1000};  // pauses, each twice as long as the last
constexpr std::chrono::seconds kBack{10};

struct State {
  asio::any_io_executor executor;
  std::string url;
  bool down = false;
  bool given_up = false;  // it did not come back in time: it is waited for once
  std::uint64_t lives = 0;
};

awaitable<bool> accepts(std::shared_ptr<State> state) {
  auto places = co_await harness::transport::find_places(state->executor, state->url);
  if (!places) co_return false;
  const boost::system::error_code error = co_await harness::transport::probe(
      state->executor, std::move(*places), Clock::now() + kAttempt);
  state->down = error == asio::error::connection_refused ||
                error == boost::system::errc::no_such_file_or_directory;  // of a socket in a folder
  co_return !error;
}

// A process that ends may let go of its connections before its listener.
awaitable<void> look_again(std::shared_ptr<State> state, milliseconds after) {
  if (state->down) co_return;
  harness::transport::Timer timer(state->executor, after);
  co_await timer.async_wait(asio::use_awaitable);
  co_await accepts(state);
}

awaitable<harness::Status> wait_until_back(std::shared_ptr<State> state) {
  const Clock::time_point deadline =
      Clock::now() + (state->given_up ? std::chrono::seconds(0) : kBack);
  for (milliseconds pause = kFirst;; pause = std::min(2 * pause, kLongest)) {
    const bool back = co_await accepts(state);
    state->lives += back;
    state->given_up &= !back;
    if (back) co_return harness::Nothing{};
    if (Clock::now() > deadline) break;
    harness::transport::Timer timer(state->executor, pause);
    co_await timer.async_wait(asio::use_awaitable);
  }
  state->given_up = true;
  co_return harness::Error{"",
                           harness::printable(state->url) +
                               " went down and did not come back "
                               "within " +
                               std::to_string(kBack.count()) + " s",
                           "restart it, and let a supervisor restart it whenever it ends"};
}

}  // namespace

harness::run::Service elsewhere(asio::any_io_executor executor, std::string url) {
  const auto state = std::make_shared<State>(State{std::move(executor), std::move(url)});
  harness::run::Service out;
  out.ours = false;
  out.ending = [state] { return state->down ? "refuses connections" : std::string(); };
  out.output = [] { return std::string(); };
  out.restart = [state] { return wait_until_back(state); };
  out.life = [state] { return state->lives; };
  out.accepts = [state] { return accepts(state); };
  out.wait = [state](milliseconds time) { return look_again(state, time); };
  return out;
}

}  // namespace fuzz
