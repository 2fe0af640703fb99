// SPDX-License-Identifier: Apache-2.0
#include "harness/base/starvation.h"

#include <algorithm>
#include <utility>

namespace harness {

using std::chrono::nanoseconds;

Starvation::Starvation(std::vector<long> others, bool ours)
    : others_(std::move(others)), ours_(ours), before_(now()) {}

std::chrono::milliseconds Starvation::since() const {
  nanoseconds most{0};
  for (const auto& [thread, times] : now()) {
    const auto before = before_.find(thread);
    most = std::max(
        most, before == before_.end() ? times.waited : times.waited - before->second.waited);
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(most);
}

std::optional<std::chrono::milliseconds> Starvation::ran() const {
  const Threads threads = now();
  if (threads.empty()) return std::nullopt;
  nanoseconds all{0};
  for (const auto& [thread, times] : threads) {
    const auto before = before_.find(thread);
    all += before == before_.end() ? times.ran : times.ran - before->second.ran;
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(all);
}

double slowdown(std::chrono::milliseconds elapsed, std::chrono::milliseconds starved) {
  constexpr double kMost = 10;
  if (elapsed.count() <= 0 || starved.count() <= 0) return 1;
  const auto whole = static_cast<double>(elapsed.count());
  const double left = whole - static_cast<double>(std::min(starved, elapsed).count());
  return whole / std::max(left, whole / kMost);
}

}  // namespace harness
