// SPDX-License-Identifier: Apache-2.0
// How long the processes that this one started, and others that it names, waited for a processor,
// and had one. Time in which a target could not run does not count as time in which it failed to
// answer; a target that did not run is not busy with a message.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace harness {

class Starvation {
 public:
  // Starts counting, including `others` and the processes they start; `ours`: and those that this
  // one started.
  explicit Starvation(std::vector<long> others = {}, bool ours = true);
  // The waiting time of the thread that waited longest; processes started later count in full. 0 if
  // the system does not report it (/proc/PID/task/TID/schedstat and children).
  std::chrono::milliseconds since() const;
  // How long all their threads ran since then. Nothing if the system does not report it, or no such
  // thread exists.
  std::optional<std::chrono::milliseconds> ran() const;

 private:
  struct Times {
    std::chrono::nanoseconds ran, waited;
  };
  using Threads = std::map<long, Times>;
  Threads now() const;

  std::vector<long> others_;
  bool ours_;
  Threads before_;
};

// The factor by which those waits made `elapsed` longer: 1 to 10.
double slowdown(std::chrono::milliseconds elapsed, std::chrono::milliseconds starved);

}  // namespace harness
