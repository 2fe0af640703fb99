// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/run_command.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/text.h"
#include "harness/transport/async_event.h"

namespace harness::transport {
namespace asio = boost::asio;
namespace {

constexpr std::size_t kShownOfError = 400;

constexpr std::chrono::milliseconds kDrain{500};  // a child it left may keep its output open

// What both outputs said last.
struct Said {
  explicit Said(asio::any_io_executor executor) : ended(std::move(executor)) {}

  std::string tail;
  int open = 2;
  AsyncEvent ended;
};

// Keeps the process while it reads; ending that ends the reading.
asio::awaitable<void> drain(std::shared_ptr<Process>, Process::Pipe& pipe,
                            std::shared_ptr<Said> said) {
  std::vector<char> buffer(4096);
  for (;;) {
    auto [error, n] =
        co_await pipe.async_read_some(asio::buffer(buffer), asio::as_tuple(asio::use_awaitable));
    if (error) break;
    said->tail.append(buffer.data(), n);
    if (said->tail.size() > kShownOfError) said->tail.erase(0, said->tail.size() - kShownOfError);
  }
  --said->open;
  said->ended.notify_all();
}

}  // namespace

asio::awaitable<Status> run_command(asio::any_io_executor executor, Launch launch,
                                    Deadline deadline) {
  launch.leaves_processes = true;  // it may be there to start one
  auto started = Process::start(executor, launch);
  if (!started) co_return started.error();
  const std::shared_ptr<Process> process = std::move(*started);
  const auto said = std::make_shared<Said>(executor);
  asio::co_spawn(executor, drain(process, process->out(), said), asio::detached);
  asio::co_spawn(executor, drain(process, process->err(), said), asio::detached);
  const bool ended = co_await process->wait(deadline);
  const std::string ending = process->ending().value_or("");
  const bool good = ended && ending == "exit 0";
  // Its end may be known before its last words.
  const Deadline drained = Clock::now() + kDrain;
  for (bool more = ended && !good; more && said->open > 0;)
    more = co_await said->ended.wait(drained);
  process->end();
  if (good) co_return Nothing{};
  const std::string words =
      said->tail.empty() ? "it printed nothing" : "it printed: " + printable(said->tail);
  co_return Error{"",
                  "the command '" + printable(launch.command.front()) + "' " +
                      (ended ? "ended with " + ending : "did not end in time") + "; " + words,
                  "run it by hand"};
}

}  // namespace harness::transport
