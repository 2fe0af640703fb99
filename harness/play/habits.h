// SPDX-License-Identifier: Apache-2.0
// Habits: how a target treats classes of input. If it is known to exit or hang at a class, each
// case plays only one row of that class: the others would show the same, and each costs a start or
// a long wait. If it is known to be silent, the silence is believed at once. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace harness::run {

// What a text is to the target, in a few words: "text that is not JSON", "a request for tools/call
// with {arguments: {}, name: "add"}". Texts of one class differ only in values, not in the name of
// what is called.
std::string input_class(std::string_view text);

enum class Habit { kHarm, kSilence };  // it exits or hangs; it continues, but never answers

class Habits {
 public:
  // Records that a row sent such texts, and whether the target did so. If it did, the one class
  // among them that is not known to be harmless is to blame. `sure`: not only by a canary.
  void saw(Habit habit, bool it_did, const std::set<std::string>& classes, bool sure = true);
  // True after two such plays, one with more than 10 MiB, and almost none to the contrary. A method that was never answered
  // counts as unknown: the target is silent to it if it is silent to unknown methods, or after
  // three requests for it.
  bool known(Habit habit, const std::string& input) const;
  // The same with plays that were not sure: enough to wait less, not to leave a row out.
  bool suspected(Habit habit, const std::string& input) const;
  bool any(Habit habit) const;  // at some class

 private:
  struct Tally {
    std::size_t did = 0, did_not = 0, perhaps = 0;
  };
  bool holds(Habit habit, const std::string& input, bool sure) const;
  static constexpr std::size_t kMostClasses = 8192;
  std::map<std::pair<Habit, std::string>, Tally> tallies_;
  std::set<std::string, std::less<>> answered_;  // methods
};

}  // namespace harness::run
