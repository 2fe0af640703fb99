// SPDX-License-Identifier: Apache-2.0
#include "harness/results/redact.h"

#include <map>

namespace harness::run {
namespace {

void mask(std::vector<wire::Header>& headers, const Secrets& secrets) {
  for (wire::Header& header : headers) {
    header.name = secrets.masked(header.name);
    header.value = secrets.masked(header.value);
  }
}

std::shared_ptr<const wire::HttpSession> masked(const wire::HttpSession& session,
                                                const Secrets& secrets) {
  auto out = std::make_shared<wire::HttpSession>(session);
  out->url = secrets.masked(out->url);
  out->opening = secrets.masked(out->opening);
  mask(out->headers, secrets);
  return out;
}

}  // namespace

void redact(CaseResult& result, const Secrets& secrets) {
  if (secrets.empty()) return;
  for (std::string* text : {&result.title, &result.reason, &result.remedy, &result.replay})
    *text = secrets.masked(*text);
  for (std::string& note : result.notes) note = secrets.masked(note);
  for (oracle::Finding& finding : result.findings) {
    finding.expected = secrets.masked(finding.expected);
    finding.seen = secrets.masked(finding.seen);
    finding.row = secrets.masked(finding.row);
    finding.came.detail = secrets.masked(finding.came.detail);
    for (std::string& text : finding.came.texts) text = secrets.masked(text);
    if (auto* end = std::get_if<oracle::Ended>(&finding.came.came)) {
      end->why = secrets.masked(end->why);
      for (std::string& line : end->last_words) line = secrets.masked(line);
    }
  }
  result.transcript = redacted(std::move(result.transcript), secrets);
}

std::shared_ptr<const wire::Transcript> redacted(std::shared_ptr<const wire::Transcript> transcript,
                                                 const Secrets& secrets) {
  if (!transcript || secrets.empty()) return transcript;
  auto copy = std::make_shared<wire::Transcript>(*transcript);
  copy->target = secrets.masked(copy->target);
  std::map<const wire::HttpSession*, std::shared_ptr<const wire::HttpSession>> sessions;
  for (wire::Frame& frame : copy->frames) {
    frame.bytes = secrets.masked(frame.bytes);
    if (frame.session) {
      std::shared_ptr<const wire::HttpSession>& session = sessions[frame.session.get()];
      if (!session) session = masked(*frame.session, secrets);
      frame.session = session;
    }
    if (!frame.head) continue;
    frame.head->target = secrets.masked(frame.head->target);
    mask(frame.head->headers, secrets);
  }
  return copy;
}

}  // namespace harness::run
