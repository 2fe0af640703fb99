// SPDX-License-Identifier: Apache-2.0
// What the processes of a Target take of their machine, by /proc.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace fuzz {

struct Usage {
  double memory = 0;       // bytes of its own: anonymous, resident or swapped out
  double descriptors = 0;  // open ones
  double threads = 0;
};

// The processes of a group, as they were found at first.
class Processes {
 public:
  explicit Processes(int group);  // 0: none

  bool empty() const { return pids_.empty(); }
  // Summed over all; nothing when one of them is gone or is not ours to look at.
  std::optional<Usage> usage() const;
  std::optional<std::chrono::nanoseconds> processor_time() const;
  // Bytes that a runtime with a heap of its own may take before it looks for what is no longer
  // needed; nothing when there is no telling.
  std::optional<double> slack() const;

 private:
  std::vector<int> pids_;
};

}  // namespace fuzz
