// SPDX-License-Identifier: Apache-2.0
// AdaptiveWait: whether to wait for what may come late. Waits for it at first, then now and then,
// and stops when the wait was without effect too often.
#pragma once

namespace fuzz {

class AdaptiveWait {
 public:
  constexpr AdaptiveWait(int trials, int one_in) : trials_(trials), one_in_(one_in) {}

  // Something may come again.
  void another() { ++count_; }
  bool worth_waiting() const { return !lost() && (at_first() || now_and_then()); }
  // The wait was without effect too often.
  bool lost() const { return without_effect_ >= trials_ * (1 + of_use_); }
  // It was tried often enough to be predictable, and this is not one of the few times to check
  // again.
  bool known() const { return count_ > trials_ && count_ % (8 * one_in_) != 0; }
  bool now_and_then() const { return count_ % one_in_ == 0; }
  bool at_first() const { return count_ <= trials_; }
  bool ever_came() const { return of_use_ > 0; }
  bool comes() const { return ever_came() && !lost(); }
  // It was waited for.
  void learn(bool came) { ++(came ? of_use_ : without_effect_); }

 private:
  int trials_;
  int one_in_;
  int count_ = 0;
  int of_use_ = 0;
  int without_effect_ = 0;
};

}  // namespace fuzz
