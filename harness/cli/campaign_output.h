// SPDX-License-Identifier: Apache-2.0
// CampaignOutput: what `rpcspec fuzz` prints while a campaign goes on and when it is over, and what
// reports are told of it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fuzz/engine/campaign.h"
#include "harness/results/event.h"
#include "harness/spec/requirement.h"
#include "reports/campaign.h"

namespace harness::cli {

// Says each finding in a folder once, as it comes.
class FindingsTold {
 public:
  explicit FindingsTold(std::string folder);

  void tell();                                  // those that are new
  std::size_t known() const { return known_; }  // that were there before
  // Folders of those that were told and are still there: a shorter script may have taken one's
  // place.
  std::vector<std::string> news() const;
  // How many of those that were told have a case, behind what each of them has.
  std::string of_cases() const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::set<std::string> told_, ours_;
  std::size_t known_ = 0;
};

// How a campaign that ended went, and the scripts of what was told of it.
reports::Campaign campaign_of(const reports::CampaignCurve& curve, const fuzz::Standing& last,
                              const FindingsTold& told);

// What is said of a campaign that its standing does not know.
struct CampaignView {
  std::string target;  // printable, without secrets
  std::string transport;
  std::string findings;  // the folder
  std::uint64_t seed = 0;
  int jobs = 1;
  bool has_corpus = false;
  bool stops_at_first = false;
  bool terminal = false;  // stderr is one: the standing is one line that changes
};

class CampaignOutput {
 public:
  // Says what is about to begin.
  explicit CampaignOutput(CampaignView view);
  // How it stands: at any time, prints what is new, and a line of figures now and then.
  void tell(const fuzz::Standing& now);
  void clear_line() const;  // of a terminal
  // How it stood when it ended, and what to do about it.
  void conclude(const fuzz::CampaignEnd& ended);
  std::vector<std::string> news() const { return told_.news(); }
  // How it went, and the scripts of what is new. Once it ended.
  reports::Campaign campaign(const fuzz::Standing& last) const;

 private:
  CampaignView view_;
  FindingsTold told_;
  fuzz::Standing before_;   // when figures were printed
  fuzz::Standing printed_;  // what else was
  bool told_of_the_end_ = false;
  reports::CampaignCurve curve_;
};

// Tells reporters of a campaign: a case for each finding of `news` in `folder`, and one for what is
// not a finding.
void report_campaign(const std::vector<run::Reporter*>& reporters,
                     run::RunStarted begun, const fuzz::CampaignEnd& ended,
                     const std::string& folder, const std::vector<std::string>& news,
                     const spec::Registry& registry);

}  // namespace harness::cli
