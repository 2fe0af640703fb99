// SPDX-License-Identifier: Apache-2.0
// Bundle: what a run saw and what it said of it, in one file that can be judged again without the
// target. JSON Lines:
//
//   {"format":"rpcspec-bundle/1","rpcspec":…,"case_set":…,"target":…,"profile":…,"transport":…,"seed":…}
//   {"case":ID,"frames":[[SEQ,OFFSET]…],"transcript":TEXT}     for each conversation
//   {"report":…}                                               the JSON report, with its verdicts
//   {"lines":[HEX…],"sha256":HEX}                              the seal
//
// TEXT is a transcript as --transcripts writes it, OFFSET where a frame's line begins in it. The
// seal holds the SHA-256 of all bytes before its line and, cut to 16 digits, that of each line
// before it, so that it can be said which one has been changed. Secrets are not in it: it holds
// what reports may show.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/results/event.h"
#include "reports/options.h"

namespace harness::cli {

struct Bundle {
  struct Conversation {
    std::string text;
    bool offsets_fit = false;
  };
  json::Value head;
  std::map<std::string, Conversation> conversations;  // by case
  json::Value report;
  std::size_t bytes = 0, lines = 0;  // that are sealed
};

// The content of such a file; the Error names the changed line, with `file` as its place.
Result<Bundle> read_bundle(std::string_view text, const std::string& file);

// A Reporter that writes one at the end of the run. An Error when that is impossible.
Result<std::unique_ptr<run::Reporter>> make_bundler(const std::string& file,
                                                    const reports::ReportOptions& options);

}  // namespace harness::cli
