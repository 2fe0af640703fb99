// SPDX-License-Identifier: Apache-2.0
// Worker: one process with one target and one engine. It plays what the engine makes, reports to
// the engine what was new, and confirms every problem that nobody has seen before.
//
//   engine ──► mutated() ──► play() ──► executor ──► judge ──► feedback ──► engine
//                                                     └──► confirmation ──► findings
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/engine/attempts.h"
#include "fuzz/engine/board.h"
#include "fuzz/engine/confirmation.h"
#include "fuzz/engine/engine.h"
#include "fuzz/engine/finding_writer.h"
#include "fuzz/engine/share.h"
#include "fuzz/engine/worker_options.h"
#include "fuzz/engine/worker_target.h"
#include "fuzz/feedback/feedback.h"
#include "fuzz/mutate/caution.h"
#include "fuzz/mutate/meanings.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/sizes.h"
#include "fuzz/mutate/vocabulary.h"
#include "fuzz/mutate/walks.h"
#include "fuzz/stateful/stateful_checker.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace fuzz {

class Worker final : public Inputs {
 public:
  // Contacts the target and writes the seeds. What is passed by reference outlives it.
  Worker(const WorkerOptions& options, harness::target::Target target,
         const harness::suite::Suite& suite, const harness::spec::Registry& registry, Board& board);

  // Ends the process when its share is done or the board says stop.
  void play(std::string_view input) override;
  std::string mutated(std::string_view input, std::size_t most, std::uint32_t seed) override;
  std::string crossed(std::string_view a, std::string_view b, std::size_t most,
                      std::uint32_t seed) override;

  // With the dictionary if only the engine's mutators are to be used.
  EngineOptions engine() const;

 private:
  // A script and how it was made.
  struct Made {
    std::string input;
    Script script;
    std::vector<const Mutator*> used;
    const char* stage = "";  // its origin, if no mutator made it
  };

  // A script that is not drawn.
  struct Planned {
    Script script;
    const char* stage = "";
    bool alone = false;
  };

  [[noreturn]] void leave();
  std::uint64_t left() const;
  void write_seeds();
  void line_up();
  std::optional<Planned> searched();
  std::optional<Planned> next_planned();
  std::optional<Script> planned();
  bool ends_session(const Script& script) const;
  void learn_ends(const Script& script, const Execution& execution,
                  const std::vector<Problem>& problems);
  std::string made(Script script, std::size_t most, std::string_view otherwise);

  void play_alone(const Made& one, bool closely);
  void play_pipelined();
  bool wants_size();
  bool can_pipeline(const Script& script);
  bool may_start();
  bool may_wait();
  void play_size();
  void play_apart(Script script, const char* stage);
  void note_met(const Made& one);
  void look_into(const Made& one, Execution& execution, std::vector<std::uint64_t>& seen,
                 std::vector<Problem>& problems);
  bool give_feedback(const std::vector<std::uint64_t>& seen);
  void maybe_run_check(const Script& script, const Execution& execution, bool fresh);

  std::vector<Problem> judged(Execution& execution, std::vector<std::uint64_t>& seen);
  void learn(const harness::oracle::Evidence& evidence);
  void learn_asking(const harness::oracle::Evidence& evidence);
  void learn_asking(std::string_view request);
  void try_forgeries(std::string_view given);

  const WorkerOptions& options_;
  Board& board_;
  WorkerRow& row_;
  std::chrono::steady_clock::time_point began_;
  WorkerTarget target_;
  FindingWriter findings_;
  Confirmation confirmation_;
  Feedback feedback_;
  std::optional<StatefulChecker> checker_;
  std::optional<Vocabulary> vocabulary_;
  Caution caution_;
  std::optional<Sizes> sizes_;   // when size limits are searched
  std::uint64_t next_size_ = 0;  // count of scripts
  std::uint64_t sizes_made_ = 0;
  std::optional<Meanings> meanings_;  // beside what is drawn
  std::optional<Walks> walks_;        // likewise
  std::uint64_t searched_ = 0;        // scripts
  std::deque<Script> to_try_;         // before anything is drawn
  std::deque<Script> again_;          // before that: to be played alone
  std::deque<Planned> put_off_;       // until a session may be spent
  std::vector<Made> pipelined_;       // to be played at once
  std::size_t pipelined_bytes_ = 0;
  std::size_t together_ = 1;  // as many, while most of them show something new
  std::string basis_;         // of the script being made
  std::string made_;          // the script made last
  Script made_script_;
  const char* stage_ = "";  // that made it
  bool alone_ = false;      // it is to be played alone
  std::string ended_;       // the script played last, when its session ended
  Attempts looks_;          // at calls without a reply, by method
  Share checks_time_;
  Share starts_time_;
  Share waits_time_;  // for replies that are missing
};

// Runs in a separate process and ends it: 0 when its share is done or the board says stop, 3 when
// the target can no longer be started or reached (the reason is on stderr after "rpcspec: ").
[[noreturn]] void work(const WorkerOptions& options, harness::target::Target target,
                       const harness::suite::Suite& suite, const harness::spec::Registry& registry,
                       Board& board);

}  // namespace fuzz
