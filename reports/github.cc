// SPDX-License-Identifier: Apache-2.0
#include "reports/github.h"

#include <fmt/format.h>

#include "harness/base/text.h"

namespace reports {
namespace {

namespace run = harness::run;

constexpr std::size_t kMostAnnotations = 10;  // of a kind

// A value of a command: `%` begins an escape, and a line break ends the command.
std::string escaped(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && (c == ':' || c == ','))
      out += c == ':' ? "%3A" : "%2C";
    else
      out += c;
  }
  return out;
}

// `message`: lines, each printable.
std::string command(const char* name, const std::string& title, const std::string& message) {
  return fmt::format("::{} title={}::{}\n", name, escaped(harness::printable(title, 200), true),
                     escaped(message, false));
}

struct Notes {
  const char* name;  // of the command
  std::size_t count = 0;
  std::string text;

  void add(const std::string& title, const std::string& message) {
    if (++count <= kMostAnnotations) text += command(name, title, message);
  }
};

std::string message_of(const run::Cause& cause, const ReportOptions& options) {
  std::string out = harness::printable(cause.sentence, 2000);
  if (!out.empty()) out += "\n";
  out += harness::printable(cause.level + " " + cause.requirement, 200);
  const auto* clause = options.requirement ? options.requirement(cause.requirement) : nullptr;
  if (clause != nullptr) out += ": " + harness::printable(clause->statement, 400);
  if (!cause.replay.empty()) out += "\n" + harness::printable(cause.replay, 2000);
  return out;
}

}  // namespace

std::string render_github(const Record& record, const ReportOptions& options) {
  Notes errors{"error"}, warnings{"warning"};
  for (const run::Cause& cause : record.finished.causes) {
    if (cause.baselined) continue;
    const bool gates = cause.verdict == run::Verdict::kFail || record.finished.level_should;
    (gates ? errors : warnings).add(cause.title, message_of(cause, options));
  }
  for (const std::string& entry : record.finished.stale)
    errors.add("The baseline is out of date", harness::printable(entry, 2000));
  // A gate that fails for another reason is an error, too.
  if (!record.finished.gate_passed && errors.count == 0)
    errors.add("rpcspec", harness::printable(record.finished.gate, 2000));
  std::string out = errors.text + warnings.text;
  const std::size_t more =
      (errors.count > kMostAnnotations ? errors.count - kMostAnnotations : 0) +
      (warnings.count > kMostAnnotations ? warnings.count - kMostAnnotations : 0);
  if (more > 0)
    out +=
        command("notice", "rpcspec", fmt::format("{} more are in the summary of the step", more));
  if (out.empty()) {
    const std::string profile = harness::printable(record.started.profile, 60);
    out = command("notice", "rpcspec",
                  fmt::format("{}: {}", profile.empty() ? "no run" : profile,
                              harness::printable(record.finished.gate, 200)));
  }
  return out;
}

}  // namespace reports
