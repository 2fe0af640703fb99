// SPDX-License-Identifier: Apache-2.0
// What the processes of a Target take of their machine, by /proc.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

namespace fuzz {

struct Usage {
  double memory = 0;       // private bytes: anonymous, resident or swapped out
  double descriptors = 0;  // open ones
  double threads = 0;
};

// The processes of a group, as first found.
class Processes {
 public:
  explicit Processes(int group);  // 0: none

  bool empty() const { return pids_.empty(); }
  // The sum over all of them; nothing when one of them has ended or we may not read it.
  std::optional<Usage> usage() const;
  std::optional<std::chrono::nanoseconds> processor_time() const;
  // Bytes that a garbage-collected runtime may use before it collects; nothing when that is
  // unknown.
  std::optional<double> slack() const;

 private:
  std::vector<int> pids_;
};

}  // namespace fuzz
