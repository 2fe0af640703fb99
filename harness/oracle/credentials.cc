// SPDX-License-Identifier: Apache-2.0
// Credentials in what the server says: whoever keeps the answers or reads the log has them too. A
// recording shows «secret NAME» in their place. A tool may be meant to show them, so this warns.
#include "harness/base/text.h"
#include "harness/oracle/families.h"

namespace harness::oracle {
namespace {

constexpr std::string_view kMark = "\xc2\xabsecret ";

bool shows(const Evidence& evidence, std::string_view text) {
  if (text.find(kMark) != std::string_view::npos) return true;
  return evidence.secrets != nullptr && evidence.secrets->found_in(text);
}

}  // namespace

void judge_credentials(const Evidence& evidence, Sink& sink) {
  for (const wire::Frame& frame : evidence.transcript.frames) {
    // What goes to stderr is read by whoever started the server with its secrets.
    if (frame.direction != wire::Direction::kReceived) continue;
    if (frame.channel == wire::Channel::kStderr) continue;
    std::string where = shows(evidence, frame.bytes) ? "in the text" : "";
    if (frame.head)
      for (const wire::Header& header : frame.head->headers)
        if (where.empty() && shows(evidence, header.value))
          where = "in header " + printable(header.name);
    if (where.empty()) continue;
    report_best(evidence, sink,
                {"mcp.auth.oauth-security-practice", "tutorial.auth.no-credential-echo"},
                {"an answer without the credentials of the request",
                 "they stand " + where,
                 {frame.seq},
                 Severity::kWarn});
  }
}

}  // namespace harness::oracle
