// SPDX-License-Identifier: Apache-2.0
// TimeLimit: how long a run may take. It is an outer limit: a run that plays everything ends long
// before it, and one that does not says what it left out.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace harness::run {

class TimeLimit {
 public:
  using Time = std::chrono::milliseconds;
  using Clock = std::chrono::steady_clock;

  // Begins now. `most`: 0 for no limit. `before`: how much of it earlier runs used.
  explicit TimeLimit(Time most, Time before = Time(0)) : most_(most), before_(before) {}

  bool over() const { return most_.count() > 0 && used() >= most_; }
  Time used() const { return before_ + std::chrono::duration_cast<Time>(Clock::now() - began_); }
  // Why something was not played; "" while there is time.
  std::string reason() const {
    return over() ? fmt::format("the time limit of {:g} s was reached (--max-time)",
                                static_cast<double>(most_.count()) / 1000)
                  : "";
  }

 private:
  Time most_, before_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace harness::run
