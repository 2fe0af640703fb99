// SPDX-License-Identifier: Apache-2.0
#include "harness/session/pace.h"

namespace harness::session {

void Pace::measured(microseconds sample) {
  const microseconds most = std::max(round_trip * 8, microseconds(20'000));
  round_trip = (round_trip * 3 + std::min(sample, most)) / 4;
}

milliseconds Pace::reply(std::size_t batched, std::size_t bytes) const {
  const auto one_by_one = std::chrono::duration_cast<milliseconds>(
      round_trip * static_cast<microseconds::rep>(batched));
  const milliseconds usual = std::min(timeout, patience::kReply.at(round_trip));
  const milliseconds quiet = std::max(usual, slow_for * 2) +
                             std::min(timeout * 2, one_by_one + milliseconds(bytes >> 10));
  return milliseconds(static_cast<milliseconds::rep>(static_cast<double>(quiet.count()) * slowdown));
}

milliseconds Pace::grace(bool patient) const {
  return (patient ? patience::kLongGrace : patience::kGrace).at(round_trip);
}

milliseconds Pace::brief() const {
  return distant ? patience::kBrief.least : patience::kBrief.at(round_trip);
}

milliseconds Pace::to_begin() const {
  const auto as_before = std::chrono::duration_cast<milliseconds>(first_answer * 2);
  return std::max({timeout, std::min(timeout * 2, patience::kEnough), start,
                   std::min(timeout * 3, as_before)});
}

milliseconds Pace::first() const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(first_answer * 2);
  return std::min(std::max(timeout * 2, start), wanted);
}

}  // namespace harness::session
