// SPDX-License-Identifier: Apache-2.0
// OracleLedger: the findings of oracles in a run. Each oracle gets one result for all of them, with
// the first proof. A finding that is not seen again does not count against the target.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/oracle/oracle.h"
#include "harness/results/event.h"
#include "harness/wire/frame.h"

namespace harness::run {

Verdict worst_of(const std::vector<oracle::Finding>& findings);

class OracleLedger {
 public:
  using Findings = std::vector<oracle::Finding>;

  // `session`: number of the session with the findings. A finding in two sessions counts as seen
  // again.
  void saw(const Findings& findings, std::uint64_t session);
  // Seen in both plays of one case.
  void saw_again(const Findings& first, const Findings& second);
  // Whether anything here has not come again yet. look_again() is the same, but says so for a few
  // cases only: what none of them shows again is not repeatable.
  bool unconfirmed(const Findings& findings) const;
  bool look_again(const Findings& findings);

  // Takes a finding into the result of its oracle, with the frames that prove it.
  void keep(const oracle::Finding& finding, const wire::Transcript& transcript,
            const std::string& case_id);
  bool confirmed(const oracle::Finding& finding) const;
  bool empty() const { return kept_.empty(); }

  // The result of one oracle: verdict, findings, notes, transcript. `case_id`: where its first
  // finding was seen; "" when it has none.
  struct Told {
    Verdict verdict = Verdict::kPass;
    std::string reason;
    Findings findings;
    std::vector<std::string> notes;
    std::shared_ptr<wire::Transcript> transcript;
    std::string case_id;
  };
  Told tell(const std::string& oracle) const;

 private:
  struct Proof {
    oracle::Finding finding;
    std::vector<wire::Frame> frames;
  };
  struct Kept {
    // requirement → (case, message) → proof: the first few in that order
    std::map<std::string, std::map<std::pair<std::string, std::string>, Proof>> by_requirement;
    std::set<std::string> cases;
  };
  bool is_unconfirmed(const oracle::Finding& finding) const;

  std::map<std::string, Kept> kept_;              // by oracle
  std::set<std::string> confirmed_;               // classes that came again
  std::map<std::string, std::uint64_t> seen_on_;  // class → number of the session that showed it
  std::map<std::string, int> looks_;              // class → cases judged again for it
};

}  // namespace harness::run
