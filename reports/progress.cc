// SPDX-License-Identifier: Apache-2.0
#include "reports/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "reports/layout.h"

namespace reports {

namespace run = harness::run;

namespace {

std::chrono::milliseconds since(std::chrono::steady_clock::time_point from,
                                std::chrono::steady_clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(to - from);
}

}  // namespace

ProgressShow::ProgressShow(std::ostream& stream, bool shows, std::size_t columns, Clock now)
    : stream_(stream), shows_(shows), columns_(columns), now_(std::move(now)) {
  if (!now_) now_ = [] { return std::chrono::steady_clock::now(); };
}

void ProgressShow::started(const run::RunStarted& started, const std::string& name) {
  front_ = name.empty() ? "" : name + "/";
  under_way_.clear();
  began_at_ = now_();
  done_ = failed_ = 0;
  total_ = started.cases;
}

void ProgressShow::case_started(const std::string& id) {
  under_way_.emplace_back(id, now_());
  show(id);
}

void ProgressShow::case_finished(const run::CaseResult& result) {
  ++done_;
  if (result.verdict == run::Verdict::kFail && !result.baselined) ++failed_;
  std::erase_if(under_way_, [&](const auto& one) { return one.first == result.id; });
  show(result.id);
}

void ProgressShow::waiting(const run::Waiting& waiting) {
  const auto seconds = [](std::chrono::milliseconds time) { return (time.count() + 500) / 1000; };
  const std::string hint = waiting.first ? " (--timeout)" : "";
  show("", fmt::format("waiting for {}, {} s of {} s{}", waiting.what, seconds(waiting.since),
                       seconds(waiting.most), hint));
}

// Ten times a second is enough to see that something moves, and costs the run nothing.
void ProgressShow::show(const std::string& last, const std::string& waits) {
  if (!shows_) return;
  constexpr std::chrono::milliseconds kPause{100};
  const Time now = now_();
  if (shown_ && waits.empty() && now - shown_at_ < kPause) return;
  shown_ = true;
  shown_at_ = now;
  Progress progress{done_, total_, failed_, since(began_at_, now), front_ + last, {}, waits};
  if (!under_way_.empty()) {
    progress.case_id = front_ + under_way_.front().first;
    progress.in_case = since(under_way_.front().second, now);
  }
  // One column less than the terminal has: a full line would wrap and could not be taken back.
  stream_ << "\r\x1b[K" << progress_line(progress, std::max<std::size_t>(columns_, 2) - 1)
          << std::flush;
}

void ProgressShow::clear() {
  if (!shown_) return;
  stream_ << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void SlowStart::note(const run::Waiting& waiting, ProgressShow* shown) {
  constexpr std::chrono::milliseconds kLong{3000};
  if (!waiting.first || waiting.since < kLong || std::exchange(told_, true)) return;
  if (shown) shown->clear();
  std::cerr << fmt::format(
      "rpcspec: the target has sent nothing for {} s; rpcspec waits for {} s (--timeout)\n",
      (waiting.since.count() + 500) / 1000, (waiting.most.count() + 500) / 1000);
}

std::string progress_line(const Progress& progress, std::size_t columns) {
  // Sooner, a guess would be one.
  constexpr std::size_t kFirst = 20;
  constexpr std::chrono::milliseconds kSoonest{1000};
  const auto& [done, total, failed, since_start, case_id, in_case, waits] = progress;
  if (total == 0) return fit(waits, columns);
  const std::size_t digits = std::to_string(total).size();
  std::string text = fmt::format("[ {:>{}}/{}] {} failed", done, digits, total, failed);
  if (done >= kFirst && total > done && since_start >= kSoonest) {
    const auto left = since_start.count() * static_cast<std::int64_t>(total - done) /
                      static_cast<std::int64_t>(done);
    text += fmt::format(", about {} s left", (left + 999) / 1000);
  }
  text += "  ";
  if (width_of(text) >= columns) return text.substr(0, columns);
  constexpr std::chrono::milliseconds kSlow{500};
  const std::string time =
      in_case >= kSlow ? fmt::format(" {:.1f} s", static_cast<double>(in_case.count()) / 1000) : "";
  const std::size_t room = columns - width_of(text);
  const std::string behind = waits.empty() ? time : ", " + waits;
  constexpr std::size_t kLeast = 12;  // of the name
  if (room <= time.size()) return text;
  if (room < behind.size() + kLeast) return text + fit(waits.empty() ? case_id : waits, room);
  return text + fit(case_id, room - behind.size()) + behind;
}

}  // namespace reports
