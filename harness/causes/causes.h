// SPDX-License-Identifier: Apache-2.0
// find_causes(): groups many findings into few causes, in the order in which to fix them. Pure.
//
//   what several clues have in common        (ids that all come back altered, a message that ends
//   the process, a session that is refused, …)
//   ─► what is broken below others           (framing, the shape of the very message)
//   ─► what is left, by the clause it breaks
#pragma once

#include <vector>

#include "harness/results/clue.h"
#include "harness/results/cause.h"
#include "harness/spec/requirement.h"

namespace harness::run {

struct CauseContext {
  const spec::Registry& registry;
  const spec::Profile& profile;
  wire::TransportKind transport;
  const std::vector<CaseResult>& results;  // their titles and commands are used
  bool few = false;  // a case or two were played, as a replay does: what one shows is told as it
                     // would be among many
};

// Every finding that fails or warns belongs to exactly one cause.
std::vector<Cause> find_causes(const Clues& clues, const CauseContext& context);

// The same for results that still have their transcripts, all of one session.
std::vector<Cause> causes_of(const CauseContext& context);
// Each broken clause of a result becomes a separate cause: for scripts, which have nothing in
// common.
std::vector<Cause> causes_by_result(const CauseContext& context);

}  // namespace harness::run
