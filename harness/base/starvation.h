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
  // Starts counting, including `others` and the processes they start.
  explicit Starvation(std::vector<long> others = {});
  // The waiting time of the thread that waited longest; processes started later count in full. 0 if
  // the system does not report it (/proc/PID/task/TID/schedstat and children).
  std::chrono::milliseconds since() const;

 private:
  using Waits = std::map<long, std::chrono::nanoseconds>;  // by thread
  Waits now() const;

  std::vector<long> others_;
  Waits before_;
};

// The factor by which those waits made `elapsed` longer: 1 to 10.
double slowdown(std::chrono::milliseconds elapsed, std::chrono::milliseconds starved);

}  // namespace harness
