// SPDX-License-Identifier: Apache-2.0
#include "reports/caveats.h"

#include <fmt/format.h>

#include <algorithm>

namespace reports {
namespace {

namespace run = harness::run;

// A server with one tool and nothing else has 140 cases that pass; a quarter of those that there
// are does not apply to it, and a sixth cannot be exercised.
constexpr std::size_t kFewCases = 40;

std::size_t count_of(const Record& record, run::Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(record.cases.begin(), record.cases.end(), [&](const run::CaseResult& result) {
        return result.verdict == verdict && !result.id.starts_with("oracle/");
      }));
}

}  // namespace

std::vector<std::string> caveats_of(const Record& record) {
  std::vector<std::string> out;
  const run::RunFinished& finished = record.finished;
  if (!finished.gate_passed || record.campaign) return out;
  if (!finished.partial.empty()) out.push_back(finished.partial + ".");
  const std::size_t apart = count_of(record, run::Verdict::kNotApplicable);
  const std::size_t idle = count_of(record, run::Verdict::kInconclusive);
  std::size_t judged = 0;
  for (const run::Verdict verdict :
       {run::Verdict::kPass, run::Verdict::kFail, run::Verdict::kWarn, run::Verdict::kFlaky})
    judged += count_of(record, verdict);
  if (judged < kFewCases)
    out.push_back(
        fmt::format("Only {} judged: too few to say much about the target. A run without "
                    "--select plays all cases that apply.",
                    judged == 1 ? "1 case was" : fmt::format("{} cases were", judged)));
  if (apart > judged + idle)
    out.push_back(fmt::format(
        "{} of {} cases do not apply, because the target does not declare what they test. Does "
        "it declare all that it can do?",
        apart, judged + idle + apart));
  if (idle * 5 > judged + idle)
    out.push_back(
        fmt::format("{} of {} cases that apply could not be tested. Each says what to add to the "
                    "target description.",
                    idle, judged + idle));
  if (!finished.not_called.empty()) {
    std::string text = not_called_text(finished);
    text.front() = 'N';
    out.push_back(text + '.');
  }
  if (!finished.unjudged.empty())
    out.push_back(
        fmt::format("Not judged: {}, which the target also speaks. --profile all judges every "
                    "revision.",
                    fmt::join(finished.unjudged, ", ")));
  return out;
}

}  // namespace reports
