// SPDX-License-Identifier: Apache-2.0
// A Reporter that keeps the conversation of every case as DIR/<case id>.jsonl, 60 MiB of a run and 4
// of a case at most: frames are cut to 64 KiB, and those in the middle of very many are left out,
// which a line in their place says.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/oracle/oracle.h"
#include "harness/results/event.h"

namespace harness::cli {

// The session of one case as JSON Lines; of a long one the middle is left out, and one line says
// so.
std::string transcript_text(const wire::Transcript& whole);
// [[seq, offset]…]: where the line of each frame begins in such a text.
json::Value frame_offsets(std::string_view text);
// What initialize or server/discover agreed on in a session, for oracles.
void read_agreement(const wire::Transcript& transcript, oracle::Evidence& evidence);

// Creates the folder; an Error when that is impossible. `by_profile`: for several runs, each in a
// subfolder with the name of its profile.
Result<std::unique_ptr<run::Reporter>> make_transcript_keeper(const std::string& folder,
                                                              bool by_profile = false);

}  // namespace harness::cli
