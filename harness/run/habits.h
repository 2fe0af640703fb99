// SPDX-License-Identifier: Apache-2.0
// Habits: at which classes of input a target was seen to end or to hang. Of a class that is known
// for it each case plays one row, as a check: the others would show the same again, and each costs
// a start or a long wait. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/spec/profile.h"

namespace harness::run {

// What a text is to the target, in a few words: "text that is not JSON", "a request for tools/call
// with {arguments: {}, name: string}". Texts of one class differ in values alone.
std::string input_class(std::string_view text, const spec::Profile& profile);

class Habits {
 public:
  // A row sent such texts, and the target ended or hung: what no row has survived so far is to
  // blame, where that is one class.
  void harmed(const std::set<std::string>& classes);
  // It sent them, and went on.
  void survived(const std::set<std::string>& classes);
  // Twice, and hardly ever otherwise.
  bool known(const std::string& input) const;

 private:
  struct Tally {
    std::size_t harmed = 0, survived = 0;
  };
  static constexpr std::size_t kMostClasses = 4096;
  std::map<std::string, Tally> tallies_;
};

}  // namespace harness::run
