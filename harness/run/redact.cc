// SPDX-License-Identifier: Apache-2.0
#include "harness/run/redact.h"

namespace harness::run {

void redact(CaseResult& result, const Secrets& secrets) {
  if (secrets.empty()) return;
  for (std::string* text : {&result.title, &result.reason, &result.remedy, &result.replay})
    *text = secrets.masked(*text);
  for (std::string& note : result.notes) note = secrets.masked(note);
  for (oracle::Finding& finding : result.findings) {
    finding.expected = secrets.masked(finding.expected);
    finding.seen = secrets.masked(finding.seen);
    finding.row = secrets.masked(finding.row);
  }
  result.transcript = redacted(std::move(result.transcript), secrets);
}

std::shared_ptr<const wire::Transcript> redacted(std::shared_ptr<const wire::Transcript> transcript,
                                                 const Secrets& secrets) {
  if (!transcript || secrets.empty()) return transcript;
  auto copy = std::make_shared<wire::Transcript>(*transcript);
  copy->target = secrets.masked(copy->target);
  for (wire::Frame& frame : copy->frames) {
    frame.bytes = secrets.masked(frame.bytes);
    if (!frame.head) continue;
    frame.head->target = secrets.masked(frame.head->target);
    for (wire::Header& header : frame.head->headers) {
      header.name = secrets.masked(header.name);
      header.value = secrets.masked(header.value);
    }
  }
  return copy;
}

}  // namespace harness::run
