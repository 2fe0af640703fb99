// SPDX-License-Identifier: Apache-2.0
// How long the processes that this one started, and others that it names, waited for a processor.
// Time in which a target could not run does not count as time in which it failed to answer.
#pragma once

#include <chrono>
#include <map>
#include <vector>

namespace harness {

class Starvation {
 public:
  // Counts from now on, `others` and what they started besides.
  explicit Starvation(std::vector<long> others = {});
  // What the thread that waited longest has waited since; processes started later count whole.
  // 0 where the system does not tell (/proc/PID/task/TID/schedstat and children).
  std::chrono::milliseconds since() const;

 private:
  using Waits = std::map<long, std::chrono::nanoseconds>;  // by thread
  Waits now() const;

  std::vector<long> others_;
  Waits before_;
};

// How many times longer what took `elapsed` took than it would have without those waits: 1 to 10.
double slowdown(std::chrono::milliseconds elapsed, std::chrono::milliseconds starved);

}  // namespace harness
