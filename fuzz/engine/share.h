// SPDX-License-Identifier: Apache-2.0
// Share: the time that one kind of work may have of a campaign, and what it has had. Pure.
#pragma once

#include <chrono>

namespace fuzz {

class Share {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // One of `part` scripts of the campaign, and `first` in addition.
  Share(int part, Duration first) : part_(part), first_(first) {}

  // For one piece of work.
  void spend(Duration time) {
    spent_ += time;
    usual_ += (time - usual_) / 4;
  }
  void set_spent(Duration time) { spent_ = time; }
  // What it may use now, `elapsed` after the campaign began; zero or less: it has to wait.
  Duration left(Duration elapsed) const { return first_ + elapsed / part_ - spent_; }
  // Whether there is time for another piece of work of the usual length.
  bool is_open(Duration elapsed) const { return left(elapsed) > usual_; }

 private:
  int part_;
  Duration first_;
  Duration spent_{};
  Duration usual_{};  // that a piece of work takes, a moving average
};

}  // namespace fuzz
