// SPDX-License-Identifier: Apache-2.0
// Explanation: the causes of a run, found after all its results were reported. If our own rules
// fail there, even by a crash, only the causes are lost.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/causes/causes.h"
#include "harness/contact/pool.h"

namespace harness::run {

// Used in place of a case id, for our own mistake.
inline constexpr const char* kCausesResult = "run/causes";

class Explanation {
 public:
  using Find = std::function<std::vector<Cause>(const Clues&, const CauseContext&)>;
  explicit Explanation(Find find = find_causes) : find_(std::move(find)) {}

  Clues clues;  // others add their facts

  // As add_clues().
  void add(const CaseResult& result, const std::vector<oracle::Finding>& by_oracles,
           const spec::Profile& profile);
  // Plays the messages that distinguish causes, if the results need it.
  awaitable<void> measure(Pool& pool);
  // Empty if they could not be found.
  std::vector<Cause> causes(const CauseContext& context);

  // The reason, for people; "" if nothing is wrong.
  const std::string& mistake() const { return mistake_; }
  // The same as a result, to report like any other.
  CaseResult result_of_mistake() const;

 private:
  void err(const std::string& what);

  Find find_;
  std::string mistake_;
};

}  // namespace harness::run
