// SPDX-License-Identifier: Apache-2.0
// Process: one target process in a process group of its own, with pipes to its standard streams.
// Its destructor kills the whole group, and what of it went into another one, and reaps, so a Target
// is never left running.
//
// launch() starts it, with Boost.Process. It is waited for through its pidfd and not with that
// library, whose wait reaps at once. Here the dead leader stays unreaped until the group has been
// dealt with, so that nobody else gets its id.
#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <memory>
#include <optional>
#include <string>

#include "harness/base/clock.h"
#include "harness/base/result.h"
#include "harness/transport/launch.h"

namespace harness::transport {

class Process {
 public:
  using Pipe = boost::asio::posix::stream_descriptor;

  // The program has been executed when this returns; an Error says why it was not.
  static Result<std::unique_ptr<Process>> start(boost::asio::any_io_executor executor,
                                                const Launch& launch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  Pipe& in() { return in_; }
  Pipe& out() { return out_; }
  Pipe& err() { return err_; }

  // Waits until the process has ended. False when the deadline passed first.
  boost::asio::awaitable<bool> wait(Deadline deadline);
  // "exit 3", "signal 11"; nullopt while it runs.
  std::optional<std::string> ending() const;
  // To every process of the group, also after the leader has ended.
  void signal(int number);
  // Kills the group, reaps, closes all descriptors. The object is inert afterwards.
  void end();

 private:
  Process(Launched launched, std::string mark, boost::asio::any_io_executor executor);

  pid_t pid_;
  std::string mark_;  // of descendants; "" where they may go on
  Pipe in_, out_, err_;
  Pipe pidfd_;
  std::optional<std::string> last_ending_;
};

// A write to a target that has gone must be an error code, not the end of rpcspec.
void ignore_broken_pipes();

}  // namespace harness::transport
