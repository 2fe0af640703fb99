// SPDX-License-Identifier: Apache-2.0
// StatefulChecker: the checks of a campaign. It has its own sessions, so those that scripts are
// played on are not affected.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/stateful/check_schedule.h"
#include "fuzz/stateful/stateful_check.h"

namespace fuzz {

struct Turn {
  const StatefulCheck* check = nullptr;
  Script suspect;
};

class StatefulChecker {
 public:
  // `process_group` as for CheckContext. `local`: there is one. What is passed by reference
  // outlives it.
  StatefulChecker(FuzzTarget& fuzz_target, const harness::spec::Registry& registry,
                  harness::wire::TransportKind transport, std::function<int()> process_group,
                  bool local, std::uint64_t seed);

  // Suspects of one request each, for systematic checks, or for `only` one of them.
  void offer(const std::vector<Script>& requests, std::string_view only = {});
  // What to look at now, if anything. `executions`: of the campaign so far.
  std::optional<Turn> next(const Script& script, const Execution& execution, bool fresh,
                           std::uint64_t executions);
  // A suspect that would take longer than `time` may be put off until the next look.
  harness::session::awaitable<std::optional<CheckResult>> look(
      const Turn& turn, std::chrono::steady_clock::duration time);
  // What ended a session or was not answered in the last look, if the look found nothing: no check
  // covers it, and it is worth judging as a script. Without steps: nothing did.
  Script taken_ending() { return std::exchange(ending_, {}); }
  // Like look(), but to reduce what was seen; it is not counted, and has no time limit.
  harness::session::awaitable<std::optional<CheckResult>> look_again(const Turn& turn);

 private:
  CheckTarget target_;
  std::unique_ptr<ScriptExecutor> executor_;
  std::unique_ptr<ScriptExecutor> other_;
  CheckContext context_;
  CheckSchedule schedule_;
  Random random_;
  std::vector<Script> gathered_;             // for each check that looks at suspects together
  std::vector<Script> put_off_;              // for each of these, what no time was left for
  std::vector<std::deque<Script>> offered_;  // for each systematic check
  Script ending_;
  std::uint64_t executions_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration used_{};
};

}  // namespace fuzz
