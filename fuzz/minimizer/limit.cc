// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/limit.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "harness/json/read.h"

namespace fuzz {
namespace {

using harness::oracle::Symptom;

constexpr std::size_t kDeep = 64;              // arrays and objects in each other
constexpr std::uint64_t kLong = 4096;          // bytes
constexpr std::uint64_t kOfTheSameLength = 2;  // times: what is between is the same limit

Symptom symptom_of(const Problem& problem) {
  if (is_silence(problem.signature)) return Symptom::kHang;
  if (is_of_process(problem.signature) || is_close(problem.signature)) return Symptom::kEnd;
  return harness::oracle::symptom_of(problem.finding);
}

std::optional<Limit> limit_of(std::string_view text, std::uint64_t bytes, Symptom symptom) {
  if (harness::json::opens(text, kDeep)) return Limit{symptom, true};
  if (bytes >= kLong) return Limit{symptom, false, bytes};
  return std::nullopt;
}

}  // namespace

std::optional<Limit> limit_of(const harness::oracle::Finding& finding,
                              const harness::wire::Transcript& transcript) {
  const Symptom symptom = harness::oracle::symptom_of(finding);
  if (symptom == Symptom::kAnswer || finding.frames.empty()) return std::nullopt;
  const std::uint64_t last = *std::max_element(finding.frames.begin(), finding.frames.end());
  constexpr int kLooks = 2;  // the message and a canary behind it
  int looks = 0;
  for (auto frame = transcript.frames.rbegin(); frame != transcript.frames.rend(); ++frame) {
    if (frame->seq > last || frame->direction != harness::wire::Direction::kSent) continue;
    const auto bytes = std::max<std::uint64_t>(frame->size, frame->bytes.size());
    if (const auto limit = limit_of(frame->bytes, bytes, symptom)) return limit;
    if (++looks == kLooks) break;
  }
  return std::nullopt;
}

bool is_known_limit(const std::vector<Limit>& known, const Problem& problem, const Script& script,
                    bool reduced) {
  const Symptom symptom = symptom_of(problem);
  if (known.empty() || symptom == Symptom::kAnswer) return false;
  return std::any_of(script.steps.begin(), script.steps.end(), [&](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    const auto limit = frame ? limit_of(frame->bytes, frame->bytes.size(), symptom) : std::nullopt;
    return limit && (limit->deep || reduced) &&
           std::any_of(known.begin(), known.end(), [&](const Limit& one) {
             return one.symptom == symptom && one.deep == limit->deep &&
                    limit->bytes * kOfTheSameLength >= one.bytes;
           });
  });
}

}  // namespace fuzz
