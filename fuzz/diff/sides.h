// SPDX-License-Identifier: Apache-2.0
// Sides: two targets that were met under one profile, and a session with each. Plays scripts on
// both sides. Calls no tool that the operator of either side forbids.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fuzz/diff/both.h"
#include "fuzz/diff/compare.h"
#include "fuzz/executor/fuzz_target.h"
#include "fuzz/executor/script_executor.h"

namespace fuzz {

// What is passed by reference outlives it.
struct Side {
  FuzzTarget& fuzz_target;  // has met the target
  const harness::target::Target& target;
};

// What came back on each side.
struct Both {
  Execution a, b;
};

class Sides {
 public:
  Sides(Side a, Side b);

  // On the current sessions, or on new ones. The Error says why none can be opened.
  harness::session::awaitable<harness::Result<Both>> play(const Script& script);
  // The next script gets new sessions on both sides.
  void forget_sessions();
  // Likewise, and new processes if we started them and reach them by URL.
  void forget_processes();
  // How long to wait for late replies.
  void set_care(Care care);
  // What was played on both sessions since they were opened, in order.
  const std::vector<Script>& journal() const { return journal_; }

  // The script in a form that means the same on both sides, if there is one.
  std::optional<Script> playable(const Script& script) const {
    return for_both(script, carrier_a_, carrier_b_);
  }
  std::vector<Difference> compare(const Script& script, const Both& both) const {
    return fuzz::compare(script, both.a, both.b, ground_);
  }

  const Side& a() const { return a_; }
  const Side& b() const { return b_; }
  const Ground& ground() const { return ground_; }
  // Tools, and likewise prompts, that only one side lists.
  std::vector<Difference> offers_apart() const;
  ScriptExecutor& executor() { return *executor_a_; }
  std::uint64_t frames() const { return frames_; }  // sent to both

 private:
  harness::session::awaitable<harness::Result<Both>> play_once(const Script& script);

  Side a_, b_;
  Carrier carrier_a_, carrier_b_;
  Ground ground_;
  std::unique_ptr<ScriptExecutor> executor_a_, executor_b_;
  std::vector<Script> journal_;
  std::uint64_t frames_ = 0;
};

}  // namespace fuzz
