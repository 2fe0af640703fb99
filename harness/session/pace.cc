// SPDX-License-Identifier: Apache-2.0
#include "harness/session/pace.h"

#include <algorithm>

namespace harness::session {

void Pace::measured(microseconds sample) {
  const microseconds most = std::max(round_trip * 8, microseconds(20'000));
  round_trip = (round_trip * 3 + std::min(sample, most)) / 4;
}

milliseconds Pace::reply(std::size_t batched, std::size_t bytes) const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(round_trip * 100);
  const auto one_by_one = std::chrono::duration_cast<milliseconds>(
      round_trip * static_cast<microseconds::rep>(batched));
  const milliseconds quiet = std::min(timeout, std::max(milliseconds(3000), wanted)) +
                             std::min(timeout * 2, one_by_one + milliseconds(bytes >> 10));
  return milliseconds(static_cast<milliseconds::rep>(static_cast<double>(quiet.count()) * slowdown));
}

milliseconds Pace::grace(bool patient) const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(round_trip * 20);
  return patient ? std::clamp(wanted * 4, milliseconds(700), milliseconds(3000))
                 : std::clamp(wanted, milliseconds(30), milliseconds(300));
}

milliseconds Pace::brief() const {
  constexpr milliseconds kLeast{10};
  const auto wanted = std::chrono::duration_cast<milliseconds>(round_trip * 4);
  return distant ? kLeast : std::clamp(wanted, kLeast, milliseconds(100));
}

milliseconds Pace::to_begin() const {
  constexpr milliseconds kEnough{10000};  // whoever is silent for longer is told so
  return std::max({timeout, std::min(timeout * 2, kEnough), start});
}

milliseconds Pace::first() const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(first_answer * 2);
  return std::min(std::max(timeout * 2, start), wanted);
}

}  // namespace harness::session
