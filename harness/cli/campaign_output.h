// SPDX-License-Identifier: Apache-2.0
// CampaignOutput: what `rpcspec fuzz` prints while a campaign goes on and when it is over, and what
// reports are told of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fuzz/engine/campaign.h"
#include "harness/results/event.h"
#include "harness/spec/requirement.h"
#include "reports/campaign.h"

namespace harness::cli {

// Prints each finding in a folder once, as it comes.
class FindingsTold {
 public:
  explicit FindingsTold(std::string folder);

  void tell();                                  // those that are new
  std::size_t known() const { return known_; }  // that were there before
  // Folders of the findings that were printed and still exist: a shorter script may have replaced
  // one.
  std::vector<std::string> news() const;
  // How many of the printed findings have a case, in one phrase.
  std::string of_cases() const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::set<std::string> told_, ours_;
  std::size_t known_ = 0;
};

// The result of a campaign that ended, with the scripts of its findings.
reports::Campaign campaign_of(const reports::CampaignCurve& curve, const fuzz::Standing& last,
                              const FindingsTold& told);

// Facts about a campaign for its output, in addition to its standing.
struct CampaignView {
  std::string target;  // printable, without secrets
  std::string transport;
  std::string findings;  // the folder
  std::uint64_t seed = 0;
  int jobs = 1;
  bool has_corpus = false;
  bool stops_at_first = false;
  bool terminal = false;  // stderr is a terminal: one progress line is rewritten
};

class CampaignOutput {
 public:
  // Prints what is about to begin.
  explicit CampaignOutput(CampaignView view);
  // Prints what is new since the last call, and a progress line now and then.
  void tell(const fuzz::Standing& now);
  void clear_line() const;  // of a terminal
  // Prints the final state, and what to do about the findings.
  void conclude(const fuzz::CampaignEnd& ended);
  std::vector<std::string> news() const { return told_.news(); }
  // The result, and the scripts of what is new. Once it ended.
  reports::Campaign campaign(const fuzz::Standing& last) const;

 private:
  CampaignView view_;
  FindingsTold told_;
  fuzz::Standing before_;   // when figures were printed
  fuzz::Standing printed_;  // what else was
  bool told_of_the_end_ = false;
  reports::CampaignCurve curve_;
};

// Reports a campaign to reporters: one case for each finding of `news` in `folder`, and one for
// what is not a finding.
void report_campaign(const std::vector<run::Reporter*>& reporters,
                     run::RunStarted begun, const fuzz::CampaignEnd& ended,
                     const std::string& folder, const std::vector<std::string>& news,
                     const spec::Registry& registry);

}  // namespace harness::cli
