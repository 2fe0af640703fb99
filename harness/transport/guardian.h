// SPDX-License-Identifier: Apache-2.0
// Guardian: a small process beside ours that outlives us by a moment. It knows the process group of
// every target we started and kills them when we are gone, also when we were killed with SIGKILL
// and no destructor ran.
//
//   rpcspec ──"+group" "-group"──► guardian     end of file: kill -9 every group still known
//
// One serves the whole program: it is the operating system's view of us that it watches.
#pragma once

#include <sys/types.h>

namespace harness::transport {

class Guardian {
 public:
  // The descriptor to announce groups on; starts the guardian on the first call. -1 when it could
  // not be started: targets then only have the kernel's parent-death signal.
  static int descriptor();

  // Both only write to the descriptor, so a child between vfork and exec may call them.
  static void add(int descriptor, pid_t group);
  static void remove(int descriptor, pid_t group);
};

}  // namespace harness::transport
