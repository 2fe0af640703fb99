// SPDX-License-Identifier: Apache-2.0
// Sides: two targets that were met under one profile, and a session with each. Scripts are played
// on both, and neither is asked to call a tool that the other one's operator forbids.
#pragma once

#include <memory>
#include <optional>
#include <string>
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

// What came on each side.
struct Both {
  Execution a, b;
};

class Sides {
 public:
  Sides(Side a, Side b);

  // On the sessions at hand, or on new ones. The Error says why none can be opened.
  harness::session::awaitable<harness::Result<Both>> play(const Script& script);
  // The next script gets new sessions on both sides.
  void forget_sessions();
  // Likewise, and new processes of what we started and reach by url.
  void forget_processes();
  // How long to wait for what may still come.
  void set_care(Care care);
  // What was played on both sessions since they were opened, in order.
  const std::vector<Script>& journal() const { return journal_; }

  // The script as it means the same on both, if it does.
  std::optional<Script> playable(const Script& script) const {
    return for_both(script, carrier_a_, carrier_b_);
  }
  std::vector<Difference> compare(const Script& script, const Both& both) const {
    return fuzz::compare(script, both.a, both.b, ground_);
  }

  const Side& a() const { return a_; }
  const Side& b() const { return b_; }
  const Ground& ground() const { return ground_; }
  // Tools that one side offers and the other does not, and prompts likewise.
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
