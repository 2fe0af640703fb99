// SPDX-License-Identifier: Apache-2.0
// A finding on disk: a folder that a person reads, `rpcspec replay` plays and `rpcspec run --cases`
// takes as a case.
//
//   findings/CLASS-REQUIREMENT-1a2b3c4d/   crash-…, hang-…, closed-…, wrong-answer-…, state-…
//     README.md  what is wrong and why, the frames, the commands
//     finding.json  the same for programs: the members of a finding in a JSON report (reports/),
//                `frames` as their numbers in the transcript, and `profile`, `transport`,
//                `repeats`, `signature`, `causes` (fuzz/minimizer/cause.h), `weight` (0 is the
//                worst), `met`, `replay` and, where there is a case, `run`
//     script     the least that shows it
//     journal    all that was said to the server since it started, as far as it was kept
//     transcript.jsonl
//     case.yaml  where a case was seen to fail with it
//     signature  of the bug; a second line for one that is about a reply without an id
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/minimizer/minimizer.h"
#include "harness/base/result.h"
#include "harness/base/secrets.h"
#include "harness/results/event.h"

namespace fuzz {

// How rpcspec was called, for commands that judge alike.
struct Program {
  std::string name;
  std::string options;  // each behind a blank
};

// When a campaign met what showed it, and what had made that.
struct Met {
  std::uint64_t seconds = 0;  // since the worker began
  std::string made_by;        // "the seeds or the corpus", "the deterministic stage", mutators
};

struct FindingContext {
  std::string folder;  // of all findings
  Program program;
  std::string target;  // the words that name it on a command line
  const harness::spec::Profile& profile;
  std::string transport;
  const harness::spec::Registry& registry;
  const harness::Secrets& secrets;  // kept out of every file
  std::string check;                // that found it; "" where playing the script shows it
  std::uint64_t frames = 0;         // that the campaign had sent before
  // A case, once it was tried: one that was seen to fail, or "" where none was.
  std::optional<std::string> case_text = std::nullopt;
  Met met = {};
};

// The name of the folder, or why it could not be written. `journal` is what the campaign had
// played. It may be written again, when its case has been tried.
harness::Result<std::string> write_finding(const Reduced& reduced,
                                           const std::vector<Script>& journal,
                                           const FindingContext& context);

// A finding that is there, in words that are fit for a terminal; "" where it was written by an
// older rpcspec, without finding.json.
struct Found {
  std::string name;  // of its folder
  std::string signature;
  std::string expected;
  std::string seen;
  bool has_case = false;
  int weight = 0;  // Weight; of older ones that of what breaks a MUST or a SHOULD
};
// Those that are written to their end, the worst first, then by name.
std::vector<Found> findings_in(const std::string& folder);

// One of them as reports take it: a failed case, or one that warns, of its name.
harness::run::CaseResult result_in(const std::string& folder, const std::string& name);

// The signature of one of them, made anew of its transcript: an older rpcspec made it of sentences.
// "" where the transcript alone does not show it.
std::string signature_anew(const harness::run::CaseResult& kept,
                           const harness::spec::Registry& registry);

// Findings of one bug: those that share a cause, of which the worse is kept. And a server that
// gives a reply without an id too many breaks whatever clause fits the messages around it: where
// both are about such a reply, and the script of one has all messages that of the other has, the
// shorter one is the bug.
struct Kin {
  bool told = false;                // there is one that says as much
  std::vector<std::string> longer;  // paths of folders that say no more than ours
};
Kin kin_of(const Reduced& reduced, const std::string& folder,
           const harness::spec::Profile& profile);

}  // namespace fuzz
