// SPDX-License-Identifier: Apache-2.0
// The time that counts against a target: steady time, without that in which this process was kept
// from running. On a machine that stalls, sleeps or is sold twice, a silence is not the target's.
//
// It is noticed by the Timer, which never rests longer than a beat: what it oversleeps is lost.
#pragma once

#include <chrono>

namespace harness {

struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  // Counts nothing but the first of any time in which a Timer was due and nobody could look.
  static time_point now() noexcept;

  // How long to rest when there is nothing to do for so long, at most a beat.
  static duration rest(duration time) noexcept;
};
using Deadline = Clock::time_point;

}  // namespace harness
