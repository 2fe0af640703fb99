// SPDX-License-Identifier: Apache-2.0
#include "harness/run/explanation.h"

#include <chrono>
#include <exception>
#include <utility>

#include "harness/base/child.h"
#include "harness/run/cause_pack.h"
#include "harness/causes/search_lengths.h"
#include "harness/run/length_limit.h"
#include "harness/session/patience.h"

namespace harness::run {
namespace {

constexpr std::chrono::seconds kMostTime{60};  // that causes take to be found; usually some ms

}  // namespace

void Explanation::add(const CaseResult& result, const std::vector<oracle::Finding>& by_oracles,
                      const spec::Profile& profile) {
  if (!mistake_.empty()) return;  // without some of the findings no cause is right
  try {
    add_clues(clues, result, by_oracles, profile);
  } catch (const std::exception& thrown) {
    err(result.id + ": " + thrown.what());
  }
}

awaitable<void> Explanation::measure(Pool& pool) {
  std::optional<LengthRange> range;
  try {
    if (mistake_.empty()) range = suspected_length(clues);
  } catch (const std::exception& thrown) {
    err(thrown.what());
  }
  if (!range) co_return;
  LengthPlay play;
  play.open = [&pool] {
    return pool.connect(suite::Need::kReady, json::null(), SessionHistory::kNone);
  };
  play.discard = [&pool](SessionPtr gone) { pool.discard(std::move(gone)); };
  play.most_time = patience::kMeasuring;
  clues.length = co_await measure_length(*range, std::move(play));
}

std::vector<Cause> Explanation::causes(const CauseContext& context) {
  if (!mistake_.empty() || clues.all.empty()) return {};
  const auto find = [&] { return packed(find_(clues, context)); };
  const Result<std::string> found = run_in_child(find, kMostTime);
  if (found) return unpacked(*found);
  err(found.error().text());
  return {};
}

void Explanation::err(const std::string& what) {
  mistake_ = "the findings could not be grouped by cause (" + what +
             "); the reports contain everything else";
}

CaseResult Explanation::result_of_mistake() const {
  CaseResult result;
  result.id = kCausesResult;
  result.title = "Findings are grouped by cause";
  result.verdict = Verdict::kError;
  result.reason = mistake_;
  return result;
}

}  // namespace harness::run
