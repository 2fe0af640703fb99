// SPDX-License-Identifier: Apache-2.0
// SchedulePlayer: plays schedules and judges them. When it needs to know how a request behaves
// alone, it sends it to the target once.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/schedule/alone.h"
#include "fuzz/schedule/schedule_judge.h"

namespace fuzz {

// By request_key().
using KnownAlone = std::map<std::string, Alone>;

class SchedulePlayer {
 public:
  // What is passed by reference outlives it. `secrets` as for judge().
  SchedulePlayer(FuzzTarget& target, harness::wire::TransportKind transport,
                 const harness::spec::Registry& registry, const harness::Secrets* secrets,
                 KnownAlone& known);

  struct Played {
    Execution execution;
    std::vector<Problem> problems;
  };
  // `patience`: the time without any message after which a missing reply counts as lost; longer if
  // a call of the schedule takes long alone. The Error says why no session can be opened.
  harness::session::awaitable<harness::Result<Played>> play(const Script& script, bool fresh,
                                                            std::chrono::milliseconds patience);
  // Sends it alone, on a new session each time, until it was sent this often.
  harness::session::awaitable<harness::Status> ask_alone(const std::string& text, int times);
  std::uint64_t sessions() const { return executor_->sessions(); }

 private:
  harness::session::awaitable<harness::Status> ask_all(const Script& script);
  const Alone* known(const std::string& text) const;

  FuzzTarget& target_;
  harness::wire::TransportKind transport_;
  const harness::spec::Registry& registry_;
  const harness::Secrets* secrets_;
  KnownAlone& known_;
  std::unique_ptr<ScriptExecutor> executor_;
};

}  // namespace fuzz
