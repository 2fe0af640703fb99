// SPDX-License-Identifier: Apache-2.0
// Served: a target that rpcspec starts and reaches by url, started and started again.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>

#include "harness/base/result.h"
#include "harness/contact/pool.h"
#include "harness/target/target.h"
#include "harness/transport/service.h"

namespace harness::run {

class Served {
 public:
  // Starts the command of a target that also has a URL, and replaces {port} in `target`; for others
  // it starts nothing. `target` outlives this. An Error says why it does not run.
  Status start(boost::asio::io_context& io, target::Target& target);

  // What the pool needs to know; empty if nothing was started.
  Service service(boost::asio::any_io_executor executor);
  const transport::Service* process() const { return running_.get(); }

 private:
  boost::asio::awaitable<Status> restart(boost::asio::any_io_executor executor);
  boost::asio::awaitable<bool> accepts();
  boost::asio::awaitable<void> wait(std::chrono::milliseconds most);

  target::Target described_;  // with {port} still open
  target::Target* target_ = nullptr;
  std::unique_ptr<transport::Service> running_;
  std::uint64_t lives_ = 0;
};

}  // namespace harness::run
