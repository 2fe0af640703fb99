// SPDX-License-Identifier: Apache-2.0
// Minimizer: from a problem seen in the middle of a campaign to the least that shows it. A server
// may depend on everything said since it started, so the Journal is replayed on a fresh one.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"

namespace fuzz {

inline constexpr int kConfirmations = 3;

enum class Repeats {
  kAlone,        // the last script alone, on a fresh session
  kWithHistory,  // it needs earlier scripts
  kNot,          // not even the whole journal: flaky
};
const char* repeats_word(Repeats repeats);  // "reproducible", "needs history", "flaky"

struct Reduced {
  Repeats repeats = Repeats::kNot;
  Script script;  // sum of all: plays on a fresh session
  // The smallest of all, for outline(). `script` may hold more: an end after valid messages must
  // not be shown by invalid ones.
  Script least;
  Problem problem;
  Execution execution;               // of the script
  std::vector<std::string> besides;  // signatures of what else it showed, without coarse ones
  std::size_t plays = 0;             // that were needed
  bool known = false;                // the rest is a known finding: it was not confirmed
  bool cut = false;                  // a limit stopped it while more could be left out
  bool untried = false;              // a limit stopped it before all of the journal was tried
  bool in_flight = false;            // one message at a time does not show it
  // What its messages show instead, one at a time, if that differs: it follows from these.
  std::vector<Problem> instead;
  Script apart;  // that shows them
  // It occurs only in flight, and as a reply without an id, or a missing reply beside such a one,
  // or among invalid JSON: nobody can know which message a reply answers.
  bool guessed = false;
  int confirmed = 0;  // this many of `asked` plays of the reduced script showed it
  int asked = kConfirmations;
};

// Another way to examine a script than to play and judge it: what the script shows, if anything.
struct Shown {
  Problem problem;
  Execution execution;
};
using Show = std::function<harness::session::awaitable<std::optional<Shown>>(const Script&)>;

struct ReduceLimits {
  std::size_t plays = 2000;
  std::chrono::milliseconds time{60000};
  std::function<bool()> stop;                // true: no more
  std::function<bool(const Script&)> known;  // true: it is not tested whether the reduced script
                                             // repeats
  Due due = is_timeless;                     // of signatures of lost replies; as for judge()
  Show show;                                 // null: it is played on a fresh session and judged
};

// The step of the script that the proof names, from 1; 0: it names none.
std::size_t trigger_of(const Problem& problem, const Execution& execution);

class Minimizer {
 public:
  // `secrets` as for judge().
  Minimizer(ScriptExecutor& executor, const harness::spec::Profile& profile,
            const harness::spec::Registry& registry, const harness::Secrets* secrets)
      : executor_(executor), profile_(profile), registry_(registry), secrets_(secrets) {}

  // `journal`: what was played on the session; its last script showed the signature. The reduced
  // script shows the signature on a fresh session; on the way, candidates share a session as long
  // as that makes no difference.
  harness::session::awaitable<Reduced> reduce(std::vector<Script> journal, std::string signature,
                                              ReduceLimits limits);

 private:
  // Plays it, on a fresh session or on the current one. The problem with that signature, if it
  // occurs.
  harness::session::awaitable<std::optional<Problem>> shows(const Script& script, Care care,
                                                            bool fresh);
  // Leaves the step that the proof names, if that is enough; else what was sent.
  harness::session::awaitable<void> take_trigger(Script& script);
  // Removes what is not needed. False: a fresh session does not show what is left.
  harness::session::awaitable<bool> reduce_once(Script& script);
  harness::session::awaitable<bool> still(const Script& script);
  bool adds_none();
  harness::session::awaitable<void> drop_kinds(Script& script);
  harness::session::awaitable<void> drop_steps(Script& script);
  harness::session::awaitable<void> make_alike(Script& script);
  harness::session::awaitable<void> put_out_of_batches(Script& script);
  harness::session::awaitable<void> put_in_lines(Script& script);
  harness::session::awaitable<void> shrink_frames(Script& script);
  harness::session::awaitable<void> shrink_delivery(Script& script, std::size_t step);
  harness::session::awaitable<void> shrink_runs(Script& script, std::size_t step);
  harness::session::awaitable<void> shrink_tree(Script& script, std::size_t step);
  harness::session::awaitable<void> shrink_bytes(Script& script, std::size_t step);
  // Leaves out what is not sound, if what a server ended at is sound.
  harness::session::awaitable<bool> take_sound_part(Script& script);
  // If the rest is not sound: replaces it by the sound part of `whole`, reduced, if that ends the
  // server alike.
  harness::session::awaitable<void> keep_sound(const Script& whole, Script& script);
  // Lengthens the repetitions in it a little, if it ends a process.
  harness::session::awaitable<void> add_margin(Script& script);
  // Adds a wait after each message if it still shows; `out` says what became of that.
  harness::session::awaitable<void> put_apart(Script& script, Reduced& out);
  // Plays what is left a few times more.
  harness::session::awaitable<void> confirm(const Script& script, Reduced& out);
  bool spent() const;
  Care care_alone() const;
  // For a silence; for other signatures the waits are the usual ones.
  void wait_for_silence(std::optional<std::chrono::milliseconds> patience);
  bool explains_silence() const;

  ScriptExecutor& executor_;
  const harness::spec::Profile& profile_;
  const harness::spec::Registry& registry_;
  const harness::Secrets* secrets_;
  std::string signature_;
  std::size_t plays_ = 0;
  int unreached_ = 0;                 // plays in a row that got no session
  bool fresh_ = true;                 // each candidate gets its own session
  bool sound_ = false;                // candidates that are not sound are skipped
  std::size_t unnamed_most_ = 0;      // likewise those with more messages without an id
  std::optional<Script> seen_alone_;  // by the last play of what was left, on a fresh session
  Execution last_;                    // that showed it
  std::size_t trigger_ = 0;           // trigger_of() that one
  bool unnamed_ = false;              // at that time, about a reply without an id
  std::chrono::microseconds took_{};  // what was played last and answered
  std::vector<Problem> others_;       // shown by the last play, besides the signature
  std::set<std::string> beside_;      // signatures that candidates may show besides
  ReduceLimits limits_;
  std::chrono::steady_clock::time_point began_;
};

// One script with the messages of these, in their order, with waits for the replies between them.
Script joined(const std::vector<Script>& scripts);

}  // namespace fuzz
