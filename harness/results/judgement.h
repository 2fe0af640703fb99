// SPDX-License-Identifier: Apache-2.0
// Judgement: from the play of a case to its verdict, with the findings of oracles. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/base/secrets.h"
#include "harness/oracle/finding.h"
#include "harness/results/case_findings.h"
#include "harness/results/event.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/wire/frame.h"

namespace harness::run {

// One possible result of a case.
struct Judgement {
  Verdict verdict = Verdict::kPass;
  PlayedCase played;                                   // without its slices
  std::string error;                                   // our own mistake, if the verdict is `error`
  std::shared_ptr<const wire::Transcript> transcript;  // null: it was not played
  std::vector<oracle::Finding> by_oracles;
  bool shared = false;    // on a session that had been used
  bool asked = false;     // something beyond the handshake was sent
  bool answered = false;  // and a reply came after it
  bool unplayed = false;  // for a reason that lies with the target
  bool reused = false;    // a request reused the id of an earlier one on the same session, which a
                          // client of MCP must not do
};

// A case was played: its verdict by its own findings, and what the oracles see in its slices.
// `secrets` are the target's.
Judgement judge_played(PlayedCase played, const spec::Profile& profile,
                       const spec::Registry& registry, const Secrets& secrets);
// It could not be.
Judgement not_played(std::string why);
// We failed.
Judgement erred(std::string what);

// The process of a URL ended (`ending` says how, `output` is its output) while these frames were
// sent and received.
oracle::Finding end_of_process(const wire::Transcript& transcript, std::string requirement,
                               const std::string& ending, const std::string& output);

// Its evidence is too large to be kept until a session ends.
bool heavy(const Judgement& judgement);
// The evidence kept for a case that waits to be judged again: the beginnings of the frames that
// findings name, and of the first and last frames.
std::shared_ptr<const wire::Transcript> lightened(const Judgement& judgement);

}  // namespace harness::run
