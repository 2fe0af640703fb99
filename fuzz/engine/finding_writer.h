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

  // When what is looked at was met, and what had made it.
  void set_met(Met met) { met_ = std::move(met); }

  // The stateful check that found it, and the case it wrote; "" and "" where none did.
  struct OfCheck {
    std::string name;
    std::string case_text;
  };
  // Unless one that is there says as much. Its case is written when it was seen to fail; to find
  // that out takes a new process.
  void write(const Reduced& reduced, const std::vector<Script>& journal, const OfCheck& check = {});
  // What was looked at and did not come again.
  void keep_not_reproducible(const Problem& problem, const std::vector<Script>& journal,
                             const std::string& check = {});
  // The suspect at hand, for which there was no time.
  void keep_not_confirmed();
  // What was not reduced cannot be told from a finding that there is.
  bool may_be_known(const std::string& signature) const;

 private:
  std::string tried(const std::string& case_text, const Problem& problem);

  WorkerTarget& target_;
  const WorkerOptions& options_;
  WorkerRow& row_;
  Met met_;
};

}  // namespace fuzz
