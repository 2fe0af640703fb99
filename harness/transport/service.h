// SPDX-License-Identifier: Apache-2.0
// Service: a target that is reached by url but started by us. Starts its command, waits until the
// URL accepts a connection, and stops it in the destructor.
//
//   {port} in command and url ──► a free port ──► start ──► connect until accepted ──► target()
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/transport/transport.h"

namespace harness::transport {

// Replaces {port} in the target by a port that no other Service gets while this process runs. False
// if there is none.
bool take_port(target::Target& target);

class Service {
 public:
  // The line of an output that says why its process ended; "" if none does. May be empty.
  using Tells = std::function<std::string(std::string_view)>;

  // The target must have both a command and a url. While this one lives, no other Service on this
  // machine gets the port that replaces {port}. An Error says that the process could not be
  // started, ended at once (with that line, or its last output), or does not listen in time.
  static boost::asio::awaitable<Result<std::unique_ptr<Service>>> start(
      boost::asio::any_io_executor executor, target::Target target, Deadline deadline,
      Tells tells = {});
  ~Service();  // SIGTERM, a short wait, SIGKILL to the group
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // The target with {port} replaced: what make() takes.
  const target::Target& target() const;
  // Whether its URL accepts a connection, which is closed at once.
  boost::asio::awaitable<bool> accepts() const;
  // Waits until its process has ended. False if the deadline passed first.
  boost::asio::awaitable<bool> wait(Deadline deadline) const;
  // "exit 1", "signal 11"; "" while it runs.
  std::string ending() const;
  int process_group() const;
  // The last part of its output on stdout and stderr, raw.
  std::string output_tail() const;

 private:
  struct State;
  explicit Service(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace harness::transport
