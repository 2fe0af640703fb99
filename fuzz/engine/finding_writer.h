// SPDX-License-Identifier: Apache-2.0
// FindingWriter: what a worker writes of what it found (fuzz/minimizer/finding_folder.h), and keeps
// of what it could not confirm. It counts both in the worker's row of the board.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fuzz/engine/board.h"
#include "fuzz/engine/worker_options.h"
#include "fuzz/engine/worker_target.h"
#include "fuzz/minimizer/minimizer.h"

namespace fuzz {

class FindingWriter {
 public:
  // What is passed by reference outlives it.
  FindingWriter(WorkerTarget& target, const WorkerOptions& options, WorkerRow& row)
      : target_(target), options_(options), row_(row) {}

  // When the suspect was met, and how its script was made.
  void set_met(Met met) { met_ = std::move(met); }

  // The stateful check that found it, and the case it wrote; "" and "" if no check did.
  struct OfCheck {
    std::string name;
    std::string case_text;
  };
  // Does nothing if a known finding says the same. Writes the case only after the case failed on a
  // new process.
  void write(const Reduced& reduced, const std::vector<Script>& journal, const OfCheck& check = {});
  // A suspect that did not occur again.
  void keep_not_reproducible(const Problem& problem, const std::vector<Script>& journal,
                             const std::string& check = {});
  // The current suspect, which no time was left for.
  void keep_not_confirmed();
  // Without reduction, it cannot be decided whether this is a known finding.
  bool may_be_known(const std::string& signature) const;

 private:
  std::string tried(const std::string& case_text, const Problem& problem);

  WorkerTarget& target_;
  const WorkerOptions& options_;
  WorkerRow& row_;
  Met met_;
};

}  // namespace fuzz
