// SPDX-License-Identifier: Apache-2.0
// StatefulCheck: an oracle that has to play something itself. It takes a suspect out of a script
// that was played, and tests the target for it on its own sessions.
//
//   script, what came ──suspect()──► Script ──look()──► plays … ──► CheckResult, or nothing
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/mutate/random.h"

namespace fuzz {

// What a check works with, and what it has cost. What is passed by reference outlives it.
class CheckContext {
 public:
  // The ScriptExecutors are on the same target and are used by nobody else. `process_group` of a
  // target that runs as our service; null if it is the session's own process, or not ours.
  CheckContext(ScriptExecutor& executor, ScriptExecutor& other,
               const harness::spec::Profile& profile, const harness::spec::Registry& registry,
               harness::wire::TransportKind transport, std::function<int()> process_group);

  // Nothing when no session can be opened.
  harness::session::awaitable<std::optional<Execution>> play(const Script& script);
  // Both at the same time, each on its own session.
  struct Pair {
    std::optional<Execution> one;
    std::optional<Execution> other;
  };
  harness::session::awaitable<Pair> play_both(const Script& one, const Script& other);
  void new_session() { executor_.forget_session(); }
  // A look begins, which may take this long; without a limit if none was given.
  void give_time(std::chrono::steady_clock::duration time);
  std::chrono::steady_clock::duration time_left() const;
  // The look would take longer than the time left.
  void put_off() { put_off_ = true; }
  bool is_put_off() const { return put_off_; }
  // The last play of the look that ended its session or was not answered.
  const Script& ending() const { return ending_; }
  // A number that was not given out before, so a late reply of one look has no id of another.
  int next_look() { return ++looks_; }

  const harness::spec::Profile& profile() const { return profile_; }
  const harness::spec::Registry& registry() const { return registry_; }
  harness::wire::TransportKind transport() const { return transport_; }
  bool over_http() const { return harness::wire::traits_of(transport_).http; }
  // Of the local process that serves the executor; 0 if there is none.
  int process_group() const;

  // A problem under the strongest clause that applies, or nothing when none does. `signature`
  // follows the name of the check.
  std::optional<Problem> problem(const char* check, std::vector<const char*> clauses,
                                 std::string expected, std::string seen, std::string signature,
                                 std::vector<std::uint64_t> frames) const;

  // In executions of a campaign: plays, and the time for opening sessions.
  std::size_t price() const;

 private:
  ScriptExecutor& executor_;
  ScriptExecutor& other_;
  const harness::spec::Profile& profile_;
  const harness::spec::Registry& registry_;
  harness::wire::TransportKind transport_;
  std::function<int()> process_group_;
  int looks_ = 0;
  std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::time_point::max();
  bool put_off_ = false;
  Script ending_;
  std::size_t plays_ = 0;
  std::size_t frames_ = 0;
};

// What a check saw.
struct CheckResult {
  Problem problem;
  Execution execution;    // the play that shows it best
  std::string case_text;  // a case that fails now; "" if the case language cannot express it
  Script suspect;         // the part of the script that shows it; without steps: all of it
};

// Where a target is, as far as checks need to know before they play.
struct CheckTarget {
  const harness::spec::Profile& profile;
  harness::wire::TransportKind transport;
  bool local = false;  // we may look at its processes
};

struct StatefulCheck {
  const char* name;
  const char* help;                 // one line
  std::vector<std::string> covers;  // requirements it can report
  // The part of the script to suspect, if any.
  std::optional<Script> (*suspect)(const Script& script, const Execution& execution,
                                   const CheckTarget& target, Random& random);
  // Any script may be given; one that is not a suspect shows nothing.
  harness::session::awaitable<std::optional<CheckResult>> (*look)(CheckContext& context,
                                                                  const Script& suspect);
  // Suspects may be looked at together: up to this many steps of what was played since the last
  // look.
  std::size_t together = 0;
  // Suspects offered to the StatefulChecker go before those that are drawn.
  bool systematic = false;
};

const std::vector<StatefulCheck>& stateful_checks();
const StatefulCheck* find_stateful_check(std::string_view name);

}  // namespace fuzz
