// SPDX-License-Identifier: Apache-2.0
// oracle::judge over Transcripts nobody would record (story.h).
//
//   1. The verdict is the same each time.
//   2. A finding cites a requirement of its oracle, has words for what was expected and seen that
//   are fit for a terminal, and frames that are there.
#include <algorithm>

#include "fuzz/targets/catalogue.h"
#include "fuzz/targets/story.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/oracle/finding_words.h"
#include "harness/oracle/oracle.h"

using namespace harness;
using fuzz::hold;

namespace {

void check(const oracle::Finding& finding, const wire::Transcript& transcript) {
  const auto& table = oracle::oracles();
  const auto found = std::find_if(table.begin(), table.end(), [&](const oracle::Oracle& one) {
    return finding.oracle == one.name;
  });
  hold(found != table.end(), "a finding is of an oracle", finding.oracle);
  hold(std::find(found->covers.begin(), found->covers.end(), finding.requirement) !=
           found->covers.end(),
       "it cites a requirement of that oracle", finding.requirement);
  hold(fuzz::catalogue().find(finding.requirement) != nullptr, "of the catalogue",
       finding.requirement);
  hold(!finding.expected.empty() && !finding.seen.empty(), "it has words", finding.requirement);
  for (const std::string& words : {finding.expected, finding.seen, oracle::one_line(finding)}) {
    hold(is_utf8(words), "its words are UTF-8", words);
    hold(printable(words, words.size()) == words, "its words are fit for a terminal", words);
  }
  hold(!finding.frames.empty(), "it has frames", finding.requirement);
  for (const std::uint64_t seq : finding.frames) {
    hold(std::any_of(transcript.frames.begin(), transcript.frames.end(),
                     [&](const wire::Frame& frame) { return frame.seq == seq; }),
         "which are there", finding.requirement);
  }
}

std::vector<oracle::Finding> judged(const wire::Transcript& transcript,
                                    const spec::Profile& profile) {
  const oracle::Evidence evidence(transcript, profile, fuzz::catalogue());
  return oracle::judge(evidence);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const wire::Transcript transcript = fuzz::recorded_or_story(text);
  const spec::Profile* profile = spec::find_profile(transcript.profile);
  if (profile == nullptr) profile = &spec::profiles()[size % spec::profiles().size()];
  const auto findings = judged(transcript, *profile);
  for (const auto& finding : findings) check(finding, transcript);
  const auto again = judged(transcript, *profile);
  hold(findings.size() == again.size(), "the verdict is the same each time");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    hold(oracle::one_line(findings[i]) == oracle::one_line(again[i]) &&
             findings[i].frames == again[i].frames,
         "each finding is", oracle::one_line(findings[i]));
  }
  return 0;
}
