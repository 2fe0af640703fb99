// SPDX-License-Identifier: Apache-2.0
// The system's tables are read while processes end.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/transport/descendants.h"
#include "harness/transport/memory.h"

namespace harness::transport {
namespace {

// Starts processes that end at once, until it is destroyed.
class Mayflies {
 public:
  Mayflies() : parent_(fork()) {
    if (parent_ != 0) return;
    setpgid(0, 0);
    for (;;) {
      for (int i = 0; i < kAtOnce; ++i)
        if (fork() == 0) _exit(0);
      while (waitpid(-1, nullptr, 0) > 0) continue;
    }
  }
  ~Mayflies() {
    kill(parent_, SIGKILL);
    waitpid(parent_, nullptr, 0);
  }
  Mayflies(const Mayflies&) = delete;
  Mayflies& operator=(const Mayflies&) = delete;

  pid_t parent() const { return parent_; }

 private:
  static constexpr int kAtOnce = 40;
  pid_t parent_;
};

// A file of /proc that is open when its process ends fails to be read.
TEST(Descendants, AProcessThatEndsWhileItIsReadIsNoFailure) {
  const Mayflies mayflies;
  constexpr int kReads = 1000;
  for (int i = 0; i < kReads; ++i) {
    EXPECT_NO_THROW(resident_bytes(mayflies.parent()));
    EXPECT_NO_THROW(descendants_of(mayflies.parent()));
    EXPECT_NO_THROW(end_marked("nobody's", {mayflies.parent()}));
  }
}

}  // namespace
}  // namespace harness::transport
