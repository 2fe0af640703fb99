// SPDX-License-Identifier: Apache-2.0
// Confirmation: from a problem that a script seemed to show to a finding. Whatever the board does
// not know is asked again on fresh sessions, reduced, and written down by the FindingWriter.
//
//   problems ──settled(), waited_for()──► problems of this script alone
//            ──confirm()──► nobody's yet? ──► reduce ──► finding, not reproducible, or no time left
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/engine/attempts.h"
#include "fuzz/engine/board.h"
#include "fuzz/engine/finding_writer.h"
#include "fuzz/engine/journal.h"
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

  // Of problems on a session where earlier scripts had not got all their replies: those that are of
  // this script.
  std::vector<Problem> settled(std::vector<Problem> problems, const Script& script);
  // Of problems of a script that was not waited for to its end: likewise.
  std::vector<Problem> waited_for(std::vector<Problem> problems, const Script& script);
  // Whether any has a signature that nobody has taken care of.
  bool has_news(const std::vector<Problem>& problems) const;

  // Whether confirm() would do anything. It plays other scripts: keep the journal before.
  bool needs_confirmation(const std::vector<Problem>& problems) const;
  // `journal`: up to the script that showed them; nothing: that of the executor.
  void confirm(const std::vector<Problem>& problems, std::optional<Journal>& journal);
  // What a stateful check saw.
  void confirm(const Turn& turn, const CheckResult& seen, StatefulChecker& checker);

 private:
  void confirm_one(const Problem& problem, const Journal& whole);
  void attribute_to_others(const std::string& signature, const Reduced& reduced);
  bool worth_a_session(const std::vector<Problem>& problems);
  bool may_be_another(const std::string& signature, const Script& script);
  bool explained(const std::string& signature, Script rest);
  bool may_be_others(const std::string& signature) const;
  bool is_too_late();
  bool is_over_for(std::chrono::seconds time);  // so long ago the campaign was to stop
  ReduceLimits limits();
  Reduced reduce(const std::vector<Script>& journal, const std::string& signature,
                 const ReduceLimits& limits);

  WorkerTarget& target_;
  FindingWriter& findings_;
  const WorkerOptions& options_;
  Board& board_;
  WorkerRow& row_;
  Attempts reductions_;             // of one way to end, that came to a known bug
  Attempts sessions_;               // for what an unsettled session seemed to show
  std::set<std::string> followed_;  // signatures that followed from other faults
  Attempts follows_;                // how often each was seen since
  std::optional<std::chrono::steady_clock::time_point> stopped_;  // when it saw that it is over
};

}  // namespace fuzz
