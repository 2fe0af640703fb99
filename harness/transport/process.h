// SPDX-License-Identifier: Apache-2.0
// Process: one target process in a process group of its own, with pipes to its standard streams.
// Its destructor kills the whole group, and those of its processes that joined another one, and
// reaps, so a target is never left running.
//
// launch() starts it, with Boost.Process. Waits use a descriptor of its end and not that library,
// whose wait reaps at once. The dead leader stays unreaped until the group has been handled, so
// that no other process gets its id.
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

  // Waits until the process has ended. False if the deadline passed first.
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
  std::string mark_;  // of descendants; "" if they may continue
  Pipe in_, out_, err_;
  Pipe ending_fd_;
  std::optional<std::string> last_ending_;
};

// A write to a closed target must give an error code, not end rpcspec.
void ignore_broken_pipes();

}  // namespace harness::transport
