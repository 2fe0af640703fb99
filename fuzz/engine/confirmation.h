// SPDX-License-Identifier: Apache-2.0
// Confirmation: from a problem that a script seemed to show to a finding. A problem that the board
// does not know is played again on fresh sessions and reduced, and the FindingWriter writes it.
//
//   problems ──settled(), waited_for()──► problems of this script alone
//            ──confirm()──► nobody's yet? ──► reduce ──► finding, not reproducible, or no time left
//                    └──► no time yet: they wait ──catch_up(), end()──┘
//
// If a campaign has a time limit, all of this gets a third of it. Waiting suspects are taken by
// severity, then by length.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/engine/attempts.h"
#include "fuzz/engine/board.h"
#include "fuzz/engine/finding_writer.h"
#include "fuzz/engine/journal.h"
#include "fuzz/engine/share.h"
#include "fuzz/engine/worker_options.h"
#include "fuzz/engine/worker_target.h"
#include "fuzz/judge/judge.h"
#include "fuzz/minimizer/minimizer.h"
#include "fuzz/stateful/stateful_checker.h"

namespace fuzz {

class Confirmation {
 public:
  // What is passed by reference outlives it.
  Confirmation(WorkerTarget& target, FindingWriter& findings, const WorkerOptions& options,
               Board& board);

  // The problems on a session where earlier scripts had not got all their replies: returns those
  // that belong to this script.
  std::vector<Problem> settled(std::vector<Problem> problems, const Script& script);
  // The problems of a script whose replies were not all awaited: likewise.
  std::vector<Problem> waited_for(std::vector<Problem> problems, const Script& script);
  // Whether one has a signature that nobody has claimed.
  bool has_news(const std::vector<Problem>& problems) const;

  // Whether confirm() would do anything. It plays other scripts: copy the journal first.
  bool needs_confirmation(const std::vector<Problem>& problems) const;
  // `journal`: up to the script that showed them; nothing: the executor's own.
  void confirm(const std::vector<Problem>& problems, const Execution& execution,
               std::optional<Journal>& journal);
  // Confirms waiting suspects while there is time.
  void catch_up();
  // No script follows: confirms waiting suspects while there is time, and keeps the rest.
  void end();
  // The time that sessions took to open in all of this.
  Share::Duration time_of_starts() const { return time_of_starts_; }
  // What a stateful check saw.
  void confirm(const Turn& turn, const CheckResult& seen, StatefulChecker& checker);

 private:
  // Suspects that no time was left for.
  struct Waiting {
    Problem problem;
    Journal journal;
    std::size_t bytes = 0;  // of the script that showed it
    int seen = 1;           // times
  };
  struct Spending;

  bool has_time() const;
  bool resembles_known(const Problem& problem, const Execution& execution) const;
  void let_wait(const Problem& problem, const Journal& journal);
  Waiting take_gravest();
  // `late`: the time is over, so it is kept as not confirmed.
  void take_up(const Problem& problem, const Journal& journal, bool late = false);
  bool is_merely_slow(const Problem& problem, const Journal& journal);
  void confirm_one(const Problem& problem, const Journal& whole);
  void attribute_to_others(const std::string& signature, const Reduced& reduced);
  bool worth_a_session(const std::vector<Problem>& problems);
  bool may_be_another(const std::string& signature, const Script& script);
  bool explained(const std::string& signature, Script rest);
  bool may_be_others(const std::string& signature) const;
  bool is_too_late();
  bool is_over_for(std::chrono::seconds time);  // the campaign was to stop this long ago
  ReduceLimits limits();
  Reduced reduce(const std::vector<Script>& journal, const std::string& signature,
                 const ReduceLimits& limits);

  WorkerTarget& target_;
  FindingWriter& findings_;
  const WorkerOptions& options_;
  Board& board_;
  WorkerRow& row_;
  Attempts reductions_;             // of one kind of end, for a known bug
  Attempts sessions_;               // for what an unsettled session seemed to show
  std::set<std::string> followed_;  // signatures that followed from other faults
  Attempts follows_;                // how often each was seen since
  std::optional<std::chrono::steady_clock::time_point> stopped_;  // when it saw that the time was
                                                                  // up
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Share time_;
  int spends_ = 0;  // nested blocks whose time is counted
  Share::Duration time_of_starts_{};
  std::map<std::string, Waiting> waiting_;  // by signature
  std::set<std::string> causes_;            // of what was written
};

}  // namespace fuzz
