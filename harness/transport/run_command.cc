// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/run_command.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/text.h"

namespace harness::transport {
namespace asio = boost::asio;
namespace {

constexpr std::size_t kShown = 400;

// Keeps the process while it reads; ending that ends the reading.
asio::awaitable<void> drain(std::shared_ptr<Process>, Process::Pipe& pipe,
                            std::shared_ptr<std::string> tail) {
  std::vector<char> buffer(4096);
  for (;;) {
    auto [error, n] =
        co_await pipe.async_read_some(asio::buffer(buffer), asio::as_tuple(asio::use_awaitable));
    if (error) co_return;
    tail->append(buffer.data(), n);
    if (tail->size() > kShown) tail->erase(0, tail->size() - kShown);
  }
}

}  // namespace

asio::awaitable<Status> run_command(asio::any_io_executor executor, Launch launch,
                                    Deadline deadline) {
  auto started = Process::start(executor, launch);
  if (!started) co_return started.error();
  const std::shared_ptr<Process> process = std::move(*started);
  const auto tail = std::make_shared<std::string>();
  asio::co_spawn(executor, drain(process, process->out(), tail), asio::detached);
  asio::co_spawn(executor, drain(process, process->err(), tail), asio::detached);
  const bool ended = co_await process->wait(deadline);
  const std::string ending = process->ending().value_or("");
  process->end();
  if (ended && ending == "exit 0") co_return Nothing{};
  const std::string words =
      tail->empty() ? "it printed nothing" : "it printed: " + printable(*tail);
  co_return Error{"",
                  "the command '" + printable(launch.command.front()) + "' " +
                      (ended ? "ended with " + ending : "did not end in time") + "; " + words,
                  "run it by hand"};
}

}  // namespace harness::transport
