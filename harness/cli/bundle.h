// SPDX-License-Identifier: Apache-2.0
// Bundle: what a run saw and what it said of it, in one file that can be judged again without the
// target. JSON Lines:
//
//   {"format":"rpcspec-bundle/1","rpcspec":…,"case_set":…,"target":…,"profile":…,"transport":…,"seed":…}
//   {"case":ID,"frames":[[SEQ,OFFSET]…],"transcript":TEXT}     for each conversation
//   {"report":…}                                               the JSON report, with its verdicts
//   {"sha256":HEX}                                             of all bytes before this line
//
// TEXT is a transcript as --transcripts writes it, OFFSET where a frame's line begins in it.
// Secrets are not in it: what is kept is what reports may show.
#pragma once

#include <memory>
#include <string>

#include "harness/base/result.h"
#include "harness/run/event.h"
#include "reports/options.h"

namespace harness::cli {

// A Reporter that writes one when the run is over. An Error when that cannot be.
Result<std::unique_ptr<run::Reporter>> make_bundler(const std::string& file,
                                                    const reports::ReportOptions& options);

}  // namespace harness::cli
