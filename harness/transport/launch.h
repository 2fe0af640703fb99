// SPDX-License-Identifier: Apache-2.0
// launch(): executes a command in a process group of its own, with pipes to its standard streams.
// Boost.Process v2 does it; launch.cc is the only file that includes that library.
//
// Only the launch is the library's. Its process objects kill and reap as soon as they can, which
// frees the id of the group while grandchildren may still have to be killed by it: Process, which
// owns what is launched here, leaves the dead leader unreaped until the group has been dealt with.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.h"

namespace harness::transport {

struct Launch {
  std::vector<std::string> command;  // program, looked up on the child's PATH, and arguments
  std::string cwd;                   // "" is ours
  std::vector<std::pair<std::string, std::string>> env;  // added to ours
  bool leaves_processes = false;  // its children may continue after it has ended
};

// A descriptor that is closed unless it is released.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// A process that runs, or has ended unreaped: its owner has to kill and reap it, and to remove it
// from the Guardian's list.
struct Launched {
  pid_t pid = -1;   // also of its group
  Fd ending;        // readable after it has ended
  Fd in, out, err;  // our ends
};

// The program has been executed when this returns; an Error says why it was not.
Result<Launched> launch(const Launch& wanted);

}  // namespace harness::transport
