// SPDX-License-Identifier: Apache-2.0
// What a Finding points at, ready to be shown: the clause it quotes and the frames that prove it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/results/event.h"
#include "harness/spec/requirement.h"
#include "reports/options.h"

namespace reports {

struct Record;

// The clause as it counts in this run. All but `id` are empty if the registry does not know it.
struct Clause {
  std::string id;
  std::string level;    // under the profile: "MUST"
  std::string written;  // its level in its own specification, if that is another one
  std::string statement;
  std::string source;
  std::string here;  // the part of the source for the revision of the profile
};
Clause clause_of(const std::string& requirement, const std::string& profile,
                 const ReportOptions& options);

// The text below the title of a cause, with a full stop; "" if the title says it already.
std::string sentence_of(const harness::run::Cause& cause, const Clause& clause);

// "SHOULD", or "SHOULD here (MUST in JSON-RPC 2.0)".
std::string level_text(const Clause& clause);

// If the cause cites no MUST but fails: the MUST that most of its findings break. "" if it cites a
// MUST, if it does not fail, or if no finding names a MUST.
std::string graver_clause(const Record& record, const harness::run::Cause& cause,
                          const ReportOptions& options);

// The frames of the transcript that the finding names, in order; missing ones are left out.
std::vector<const harness::wire::Frame*> frames_of(const harness::run::CaseResult& result,
                                                   const harness::oracle::Finding& finding);

// The same and the kept frames near them, in the order of the transcript.
std::vector<const harness::wire::Frame*> conversation_of(const harness::run::CaseResult& result,
                                                         const harness::oracle::Finding& finding);

// Direction arrow, channel and number: "→ stdin   #3". All have the same width.
std::string frame_label(const harness::wire::Frame& frame);
// The content of the frame: the head of an HTTP message in short, then the bytes, made printable
// and at most `columns` wide.
std::string frame_text(const harness::wire::Frame& frame, std::size_t columns);
// The first part of that, before the bytes.
std::string frame_head(const harness::wire::Frame& frame, std::size_t columns);

// For an HTTP request: the header fields that the cause or the finding mentions, "Origin:
// http://evil.example"; "" if it mentions none.
std::string deciding_headers(const harness::wire::Frame& frame, const harness::run::Cause& cause,
                             const harness::oracle::Finding& finding);

// A frame of a finding on one line: its label, the header fields that decide, and its text within so
// many columns. The title of `cause` is enough.
std::string frame_line(const harness::wire::Frame& frame, const harness::run::Cause& cause,
                       const harness::oracle::Finding& finding, std::size_t columns);

// The byte at which the text of a frame stops being JSON, or UTF-8, and why. Nothing if it is JSON,
// was cut, is not the text of a message, or does not resemble JSON.
struct WrongByte {
  std::size_t offset = 0;
  std::string reason;
};
std::optional<WrongByte> wrong_byte(const harness::wire::Frame& frame);

// The software known to break a clause.
std::vector<std::string> known_from(const std::string& requirement, const ReportOptions& options);
// The SDK that is to blame for the cause; "" if it is the server's own code, as far as known.
std::string sdk_of(const harness::run::Cause& cause, const Record& record,
                   const ReportOptions& options);

// Which revisions the target speaks that were not judged, and how to judge them; "" if there are
// none.
std::string unjudged_text(const harness::run::RunFinished& finished);
// Which tools were not called, why, and how to allow them.
std::string not_called_text(const harness::run::RunFinished& finished);

// The proposals that introduced a clause ("SEP-2575") and the checks of the official suite about
// the same duty; nothing if none are known.
struct Marks {
  std::vector<std::string> seps, checks;
  bool any() const { return !seps.empty() || !checks.empty(); }
};
Marks official_marks(const std::string& requirement, const ReportOptions& options);
// "SEP-2575; official checks: ping, tools-list"; "" if there are none.
std::string marks_text(const Marks& marks);

const char* severity_name(harness::oracle::Severity severity);  // "info", "warn", "fail"

}  // namespace reports
