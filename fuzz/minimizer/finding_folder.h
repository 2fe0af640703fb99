// SPDX-License-Identifier: Apache-2.0
// A finding on disk: a folder that a person reads, `rpcspec replay` plays and `rpcspec run --cases`
// takes as a case.
//
//   findings/CLASS-REQUIREMENT-1a2b3c4d/   crash-…, hang-…, closed-…, wrong-answer-…, state-…
//     README.md  what is wrong and why, the frames, the commands
//     finding.json  the same for programs: the members of a finding in a JSON report (reports/),
//                `frames` as their numbers in the transcript, and `profile`, `transport`,
//                `repeats`, `signature`, `causes` (fuzz/minimizer/cause.h), `weight` (0 is the
//                worst), `met`, `replay` and, where there is a case, `run`; `found_in` of one
//                that was joined of several campaigns (finding_merge.h); and what `replay`
//                compares: `flaw`, `answer` (the class of what came), `check` of a stateful
//                check, `trigger` (the step of the script that did it, from 1; 0: none did)
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

// The command line of rpcspec, for commands that judge alike.
struct Program {
  std::string name;
  std::string options;  // each behind a blank
};

// When a campaign met the script that showed it, and how that script was made.
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
  std::string check;                // that found it; "" if playing the script shows it
  std::uint64_t frames = 0;         // that the campaign had sent before
  // A case, after its trial: one that was seen to fail, or "" if there is none.
  std::optional<std::string> case_text = std::nullopt;
  Met met = {};
};

// The name of the folder, or why it could not be written. `journal` is what the campaign had
// played. It may be written again after its case was tried.
harness::Result<std::string> write_finding(const Reduced& reduced,
                                           const std::vector<Script>& journal,
                                           const FindingContext& context);

// A known finding, in text that a terminal can show; "" if an older rpcspec wrote it, without
// finding.json.
struct Found {
  std::string name;  // of its folder
  std::string signature;
  std::string expected;
  std::string seen;
  bool has_case = false;
  int weight = 0;                     // Weight; for older ones that of a broken MUST or SHOULD
  bool unnamed = false;               // about a reply without an id
  std::vector<std::string> causes;    // cause.h
  std::vector<std::string> found_in;  // folders that it was joined of (finding_merge.h)
};
// The complete ones, the worst first, then by name.
std::vector<Found> findings_in(const std::string& folder);
// Whether two of them are one bug, by what their files say: they have the signature or a cause in
// common, or both are about a reply without an id and one has all messages that the other has.
bool is_kin(const Found& one, const Script& script, const Found& other, const Script& its_script);

// One of them in the form that reports take: a failed case, or one that warns, with its name.
harness::run::CaseResult result_in(const std::string& folder, const std::string& name);

// What a script was kept for, to be compared with what it shows now.
struct Kept {
  std::string requirement;
  std::string check;   // the stateful check that saw it, or ""
  bool lost = false;   // it is a lost reply (fuzz/judge/lost.h)
  bool ended = false;  // the end of a process, or its silence
  bool whole = false;  // what follows is known; else an older rpcspec wrote it
  std::string flaw;
  std::string answer;                  // the class of what came
  std::optional<std::size_t> trigger;  // nothing: any step may be it
};
// Nothing if there is no finding.json.
std::optional<Kept> kept_in(const std::string& folder, const std::string& name);
// Whether a problem is that finding: the same clause, flaw, class of what came and trigger. Of an end
// the clause does not count: which one fits what was sent last may have changed since.
bool is_same(const Kept& kept, const Problem& problem, const Execution& execution);
// The same by all but the clause, as far as it is known: it may be that finding.
bool may_be_same(const Kept& kept, const Problem& problem, const Execution& execution);

// The signature of one of them, recomputed from its transcript: an older rpcspec made it of
// sentences. "" if the transcript alone does not show it.
std::string signature_anew(const harness::run::CaseResult& kept,
                           const harness::spec::Registry& registry);

// Findings of one bug: those that share a cause; the worse one is kept. A server that gives one
// reply without an id too many breaks whatever clause fits the messages around it. If both findings
// are about such a reply, and the script of one contains all messages of the other, the shorter one
// is the bug.
struct Kin {
  bool told = false;                // a known finding says the same
  std::vector<std::string> longer;  // paths of folders that ours makes redundant
};
Kin kin_of(const Reduced& reduced, const std::string& folder,
           const harness::spec::Profile& profile);

}  // namespace fuzz
