// SPDX-License-Identifier: Apache-2.0
// Replays: chooses and tries what a report shows of a cause. The example is the simplest of its
// findings, and its replay command was played before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/clue.h"
#include "harness/contact/pool.h"
#include "harness/results/cause.h"
#include "harness/results/event.h"

namespace harness::run {

// For each cause, the simplest finding that shows the same as its first one becomes the first, and
// its replay plays the case in which that was seen.
void show_plainest(std::vector<Cause>& causes, const Clues& clues,
                   const std::vector<CaseResult>& results);

// Plays a case alone and returns the findings of the case and the oracles; nothing if there is no
// time.
using PlayAlone =
    std::function<awaitable<std::optional<std::vector<oracle::Finding>>>(std::string case_id)>;

// For each cause that fails the gate: if its example did not fail when it was played alone, the
// first finding whose case does becomes the example. A replay that shows nothing is removed, and
// `replay_note` says why.
awaitable<void> try_replays(std::vector<Cause>& causes, const Clues& clues,
                            const std::vector<CaseResult>& results, PlayAlone play);

}  // namespace harness::run
