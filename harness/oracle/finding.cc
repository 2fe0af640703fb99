// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/finding.h"

#include <fmt/format.h>

#include <variant>

namespace harness::oracle {
namespace {

struct ClassOf {
  std::string operator()(const Detail&) const { return ""; }
  std::string operator()(const ResultCame& came) const {
    return came.failed ? "a result that failed" : "a result";
  }
  std::string operator()(const ErrorCame& came) const {
    return came.code.empty() ? "an error" : "error " + came.code;
  }
  std::string operator()(const ServerMessageCame&) const { return ""; }
  std::string operator()(const OtherMessageCame&) const { return ""; }
  std::string operator()(const NotAMessage&) const { return "no message"; }
  std::string operator()(const NoMessageInAnswer&) const { return ""; }
  std::string operator()(const BrokenOff&) const { return "no end"; }
  std::string operator()(const Nothing&) const { return "no reply"; }
  std::string operator()(const MissingMessage&) const { return ""; }
  std::string operator()(const Ended&) const { return "the connection ended"; }
};

}  // namespace

Symptom symptom_of(const Observation& came) {
  if (came_as<Ended>(came)) return Symptom::kEnd;
  const BrokenOff* broken = came_as<BrokenOff>(came);
  const bool answered = broken && came.status != 0 && !broken->why.empty();
  if (answered || (!broken && !came_as<Nothing>(came))) return Symptom::kAnswer;
  return came.canary_answered ? Symptom::kSilence : Symptom::kHang;
}

Symptom symptom_of(const Finding& finding) {
  const Symptom shown = symptom_of(finding.came);
  return shown == Symptom::kEnd && finding.wanted.end ? Symptom::kAnswer : shown;
}

std::string answer_class(const Observation& came) {
  std::string word = std::visit(ClassOf(), came.came);
  if (came.status == 0) return word;
  const std::string status = fmt::format("HTTP {}", came.status);
  // A status that came is more than silence.
  return word.empty() || came_as<Nothing>(came) ? status : status + ", " + word;
}

std::string identity_of(const Finding& finding) {
  return fmt::format("{}|{}|{}|{}", finding.requirement, finding.row,
                     static_cast<int>(symptom_of(finding)), answer_class(finding.came));
}

std::string signature_of(const Finding& finding) {
  const Wanted& wanted = finding.wanted;
  const bool outcome = wanted.result || wanted.error || wanted.silence || wanted.end ||
                       came_as<Nothing>(finding.came);
  return fmt::format("{}|{}|{}|{}", finding.oracle, finding.requirement, finding.flaw,
                     outcome ? answer_class(finding.came) : "");
}

}  // namespace harness::oracle
