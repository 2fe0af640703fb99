// SPDX-License-Identifier: Apache-2.0
#include "harness/base/clock.h"

#include <algorithm>
#include <atomic>

namespace harness {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Clock::duration kBeat = milliseconds(10);
constexpr Clock::duration kUsual = milliseconds(10);  // late as any busy machine lets us be
// A target that takes all processors makes us late as well, for less than this each time. Of that a
// tenth counts, so that no deadline is put off for ever.
constexpr Clock::duration kStall = seconds(1);

Clock::duration real_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// Atomic for tests that have a thread; a race may lose a beat.
std::atomic<Clock::rep> lost{0};
std::atomic<Clock::rep> due{Clock::duration::max().count()};  // when the rest is over

}  // namespace

Clock::time_point Clock::now() noexcept {
  const duration real = real_now();
  const duration late = real - std::min(real, duration(due.load(std::memory_order_relaxed)));
  if (late > kUsual) {
    const duration counted = late < kStall ? std::max(kUsual, late / 10) : kUsual;
    lost.fetch_add((late - counted).count(), std::memory_order_relaxed);
    due.store(real.count(), std::memory_order_relaxed);
  }
  return time_point(real - duration(lost.load(std::memory_order_relaxed)));
}

Clock::duration Clock::rest(duration time) noexcept {
  const duration out = std::min(time, kBeat);
  due.store((real_now() + std::max(out, duration::zero())).count(), std::memory_order_relaxed);
  return out;
}

}  // namespace harness
