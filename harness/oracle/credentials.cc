// SPDX-License-Identifier: Apache-2.0
// Credentials in what the server says: whoever keeps the answers or reads the log has them too. A
// recording shows «secret NAME» in their place. A tool may be meant to show them, so this warns; in
// log messages and in questions to a model they have no place.
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

constexpr std::string_view kMark = "\xc2\xabsecret ";

bool shows(const Evidence& evidence, std::string_view text) {
  if (text.find(kMark) != std::string_view::npos) return true;
  return evidence.secrets != nullptr && evidence.secrets->found_in(text);
}

// What the frame says of its own accord: a log message, or a question to the client's model.
std::vector<const char*> clauses_of(const Evidence& evidence, std::size_t frame) {
  std::vector<const char*> clauses;
  for (const Item& item : evidence.items) {
    if (item.frame != frame || item.value == nullptr) continue;
    const json::Value* inputs = json::at(*item.value, "/result/inputRequests");
    if (method_of(item) == "notifications/message") {
      clauses.push_back("mcp.logging.no-secrets");
    } else if (method_of(item) == "sampling/createMessage" ||
               (inputs != nullptr && shows(evidence, json::write(*inputs)) &&
                json::write(*inputs).find("sampling/createMessage") != std::string::npos)) {
      clauses.push_back("mcp.sampling.sensitive-data");
    }
  }
  return clauses;
}

}  // namespace

void judge_credentials(const Evidence& evidence, Sink& sink) {
  for (std::size_t i = 0; i < evidence.transcript.frames.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    // What goes to stderr is read by whoever started the server with its secrets.
    if (frame.direction != wire::Direction::kReceived) continue;
    if (frame.channel == wire::Channel::kStderr) continue;
    std::string where = shows(evidence, frame.bytes) ? "in the text" : "";
    if (frame.head)
      for (const wire::Header& header : frame.head->headers)
        if (where.empty() && shows(evidence, header.value))
          where = "in header " + printable(header.name);
    if (where.empty()) continue;
    if (const auto clauses = clauses_of(evidence, i); !clauses.empty()) {
      report_best(evidence, sink, std::span<const char* const>(clauses),
                  {"no credentials of the client", "they stand " + where, {frame.seq}, where});
      continue;
    }
    report_best(evidence, sink,
                {"mcp.auth.oauth-security-practice", "tutorial.auth.no-credential-echo"},
                {"an answer without the credentials of the request",
                 "they stand " + where,
                 {frame.seq},
                 where,
                 Severity::kWarn});
  }
}

}  // namespace harness::oracle
