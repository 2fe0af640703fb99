// SPDX-License-Identifier: Apache-2.0
// Minimizer: from a problem seen in the middle of a campaign to the least that shows it. What a
// server does may depend on all that was said since it started, so the Journal is replayed on a
// fresh one.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"

namespace fuzz {

inline constexpr int kConfirmations = 3;

enum class Repeats {
  kAlone,        // the last script by itself, on a fresh session
  kWithHistory,  // it takes scripts before it
  kNot,          // not even the whole journal: flaky
};
const char* repeats_word(Repeats repeats);  // "reproducible", "needs history", "flaky"

struct Reduced {
  Repeats repeats = Repeats::kNot;
  Script script;  // everything in one: plays on a fresh session
  // The least of all, for outline(): `script` may hold more, so that what ends a server at sound
  // messages is not shown by others.
  Script least;
  Problem problem;
  Execution execution;               // of the script
  std::vector<std::string> besides;  // signatures of what else it showed, coarse ones left out
  std::size_t plays = 0;             // that were needed
  bool known = false;                // what was left was known: it was not confirmed
  bool cut = false;                  // a limit ended it before nothing more could be left out
  bool untried = false;              // a limit ended it before all of the journal was tried
  bool in_flight = false;            // message by message it does not show
  // What its messages show instead, one by one, when that is something else: it follows from these.
  std::vector<Problem> instead;
  Script apart;  // that shows them
  // It shows only in flight, and by a reply without an id, or by one that is missing beside such a
  // reply, or among text that is no JSON: which message a reply answers cannot be known.
  bool guessed = false;
  int confirmed = 0;  // of `asked` plays of the reduced script, so many showed it
  int asked = kConfirmations;
};

// A way to look at a script other than to play and judge it: what it shows, if anything.
struct Shown {
  Problem problem;
  Execution execution;
};
using Show = std::function<harness::session::awaitable<std::optional<Shown>>(const Script&)>;

struct ReduceLimits {
  std::size_t plays = 2000;
  std::chrono::milliseconds time{60000};
  std::function<bool()> stop;                // true: no more
  std::function<bool(const Script&)> known;  // true: nobody asks whether the reduced script repeats
  Show show;                                 // null: it is played on a fresh session and judged
};

class Minimizer {
 public:
  // `secrets` as for judge().
  Minimizer(ScriptExecutor& executor, const harness::spec::Profile& profile,
            const harness::spec::Registry& registry, const harness::Secrets* secrets)
      : executor_(executor), profile_(profile), registry_(registry), secrets_(secrets) {}

  // `journal`: what was played on the session, the script that showed the signature last. What is
  // left of it shows the signature on a fresh session; on the way there candidates share one, as
  // long as that makes no difference.
  harness::session::awaitable<Reduced> reduce(std::vector<Script> journal, std::string signature,
                                              ReduceLimits limits);

 private:
  // Plays it, on a fresh session or where the last left off. The problem of that signature, if it
  // comes.
  harness::session::awaitable<std::optional<Problem>> shows(const Script& script, Care care,
                                                            bool fresh);
  // Takes from it what it can do without. False: a fresh session does not show what is left.
  harness::session::awaitable<bool> reduce_once(Script& script);
  harness::session::awaitable<bool> still(const Script& script);
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
  // Where what is left is not sound: puts what is sound of `whole` in its place, reduced, if that
  // ends the server alike.
  harness::session::awaitable<void> keep_sound(const Script& whole, Script& script);
  // Makes what is over and over in it a little longer, where it ends a process.
  harness::session::awaitable<void> add_margin(Script& script);
  // Has it wait behind each message, where it shows so as well; says what became of that in `out`.
  harness::session::awaitable<void> put_apart(Script& script, Reduced& out);
  // Plays what is left a few times more.
  harness::session::awaitable<void> confirm(const Script& script, Reduced& out);
  bool spent() const;
  Care care_alone() const;
  // Of a silence; for other signatures nothing is waited for beyond what is usual.
  void wait_for_silence(std::optional<std::chrono::milliseconds> patience);
  bool explains_silence() const;

  ScriptExecutor& executor_;
  const harness::spec::Profile& profile_;
  const harness::spec::Registry& registry_;
  const harness::Secrets* secrets_;
  std::string signature_;
  std::size_t plays_ = 0;
  int unreached_ = 0;                 // plays in a row that got no session
  bool fresh_ = true;                 // each candidate gets a session of its own
  bool sound_ = false;                // candidates that are not sound are not tried
  std::optional<Script> seen_alone_;  // by the last look at what was left, on a fresh session
  Execution last_;                    // that showed it
  bool unnamed_ = false;              // about a reply without an id, then
  std::chrono::microseconds took_{};  // what was played last and answered
  std::vector<Problem> others_;       // that the last play showed, but for the signature
  ReduceLimits limits_;
  std::chrono::steady_clock::time_point began_;
};

// One script that says what these said, in their order, waiting for the answers between them.
Script joined(const std::vector<Script>& scripts);

}  // namespace fuzz
