// SPDX-License-Identifier: Apache-2.0
// Habits: what a target does to classes of input. Where it is known to end or to hang at one, each
// case plays one row of that class, as a check: the others would show the same again, and each
// costs a start or a long wait. Where it is known to be silent, that is believed at once. Pure.
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
// with {arguments: {}, name: "add"}". Texts of one class differ in values alone, and not in the
// name of what is called.
std::string input_class(std::string_view text);

enum class Habit { kHarm, kSilence };  // it ends or hangs; it goes on, and never answers

class Habits {
 public:
  // A row sent such texts, and the target did so, or did not. Where it did, what no row has shown
  // to be harmless is to blame, if that is one class.
  void saw(Habit habit, bool it_did, const std::set<std::string>& classes);
  // Twice, and hardly ever otherwise. A method that was never answered is one that the target does
  // not have: it is silent to it where it is to a method that nobody has.
  bool known(Habit habit, const std::string& input) const;
  bool any(Habit habit) const;  // at some class

 private:
  struct Tally {
    std::size_t did = 0, did_not = 0;
  };
  static constexpr std::size_t kMostClasses = 8192;
  std::map<std::pair<Habit, std::string>, Tally> tallies_;
  std::set<std::string, std::less<>> answered_;  // methods
};

}  // namespace harness::run
