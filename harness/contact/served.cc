// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/served.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>

#include "harness/oracle/last_words.h"
#include "harness/session/patience.h"

namespace harness::run {
Status Served::start(boost::asio::io_context& io, target::Target& target) {
  if (target.url.empty() || target.command.empty()) return Nothing{};
  described_ = target;
  target_ = &target;
  std::optional<Error> refused;
  boost::asio::co_spawn(
      io,
      [&]() -> boost::asio::awaitable<void> {
        const Status started = co_await restart(io.get_executor());
        if (!started) refused = started.error();
        io.stop();  // the service goes on printing; its reader would keep run() going
      },
      boost::asio::detached);
  io.run();
  io.restart();
  if (refused) return *refused;
  return Nothing{};
}

Service Served::service(boost::asio::any_io_executor executor) {
  Service service;
  if (!running_) return service;
  service.ending = [this] { return running_ ? running_->ending() : std::string(); };
  service.output = [this] { return running_ ? running_->output_tail() : std::string(); };
  service.restart = [this, executor] { return restart(executor); };
  service.life = [this] { return lives_; };
  service.accepts = [this] { return accepts(); };
  service.wait = [this](std::chrono::milliseconds most) { return wait(most); };
  return service;
}

// While it is started anew there is none.
boost::asio::awaitable<bool> Served::accepts() {
  bool accepted = false;
  if (running_) accepted = co_await running_->accepts();
  co_return accepted;
}

boost::asio::awaitable<void> Served::wait(std::chrono::milliseconds most) {
  if (running_) co_await running_->wait(transport::Clock::now() + most);
}

// The old one ends first: it may hold the port.
boost::asio::awaitable<Status> Served::restart(boost::asio::any_io_executor executor) {
  running_.reset();
  const transport::Deadline deadline = transport::Clock::now() + patience::kServed;
  const transport::Service::Tells tells = oracle::telling_line_of;
  auto started = co_await transport::Service::start(executor, described_, deadline, tells);
  if (!started) co_return started.error();
  running_ = std::move(*started);
  target_->url = running_->target().url;
  ++lives_;
  co_return Nothing{};
}

}  // namespace harness::run
