// SPDX-License-Identifier: Apache-2.0
// Baseline: the known failures of one Target. An entry names a case, perhaps the requirement, and
// the message the failure had; a failure with another message is new, an entry that no longer
// fails is stale and fails the run, so that the list cannot rot.
//
//   known:
//     - case: mcp/lifecycle/version-wrong-type
//       requirement: mcp.lifecycle.version-wrong-type    # optional
//       message: expected error -32602                   # prefix of the message; optional
//       reason: the SDK answers -32603                    # for people
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/oracle/finding.h"
#include "harness/run/event.h"

namespace harness::run {

struct BaselineEntry {
  std::string scenario;  // case id
  std::string requirement;
  std::string message;
  std::string reason;
  std::string where;  // file:line:column
};

class Baseline {
 public:
  static Result<Baseline> load(const std::string& path);

  // Marks the result as known when each of its failing findings is listed. `level_should`: warnings
  // gate too, so they have to be listed as well.
  void apply(CaseResult& result, bool level_should);

  // Entries that matched nothing although their case was played or no longer exists.
  std::vector<std::string> stale(const std::vector<std::string>& played,
                                 const std::vector<std::string>& deselected) const;
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<BaselineEntry> entries_;
  std::vector<bool> used_;
};

// The file that makes this run pass: every failing finding, with its message and `reason: `
// left for a person to fill in. Reasons of `previous` are kept.
std::string baseline_text(const std::vector<CaseResult>& results, bool level_should);

}  // namespace harness::run
