// SPDX-License-Identifier: Apache-2.0
// judge(): what was wrong in a played Script. All oracles of the suite, and the few that only a
// fuzzer has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "fuzz/judge/lost.h"
#include "harness/oracle/oracle.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"

namespace fuzz {

struct Problem {
  harness::oracle::Finding finding;
  std::string signature;  // of the bug: the same for every script that shows it, as far as known
  std::size_t slice = 0;  // of Execution: what finding.frames are counted in
  bool unnamed = false;   // it concerns a reply without an id, which may belong to any message
};

// The signature of the end of a process: `how` it ended ("exit 1"), after it had written that.
std::string signature_of_end(const std::string& how, std::string_view stderr_text);

// True if the signature says only that a process ended or fell silent, not why: different bugs may
// share it.
bool is_coarse(const std::string& signature);

// True for a server that fell silent; a busy machine can look the same.
bool is_silence(const std::string& signature);
// True for a missing reply of a server that goes on.
bool is_absence(const std::string& signature);
// True for the end of a connection.
bool is_close(const std::string& signature);
// True for a server that fell silent or ended.
bool is_of_process(const std::string& signature);

// Whether a reply came without an id, which may belong to any message.
bool has_unnamed_reply(const Execution& execution);

// Also looks at the bytes read on each connection.
using Look = std::function<void(const harness::oracle::Evidence&)>;

// The worst first: the end and silence of a server, then broken MUSTs. Notes (severity info) are
// left out. `secrets`: what the operator of the target marked as secret; null if nothing is known.
// `due`: to which calls a reply is due soon (lost.h); null: such calls are not judged.
std::vector<Problem> judge(const Execution& execution, const harness::spec::Profile& profile,
                           const harness::spec::Registry& registry, const harness::Secrets* secrets,
                           const Look& look = {}, const Due& due = {});

}  // namespace fuzz
