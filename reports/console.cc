// SPDX-License-Identifier: Apache-2.0
// The Reporter: a progress line while the run goes on, the page of console_page.cc at its end.
#include "reports/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/layout.h"

namespace reports {

namespace run = harness::run;

namespace {

class ConsoleReporter final : public run::Reporter {
 public:
  ConsoleReporter(std::unique_ptr<Output> output, const ReportOptions& options)
      : output_(std::move(output)), options_(options) {
    if (!options_.now) options_.now = [] { return std::chrono::steady_clock::now(); };
    // A file has no cursor to move, whatever stdout is.
    if (!output_->is_stdout()) options_.terminal = options_.colour = false;
  }

  ~ConsoleReporter() override { clear_progress(); }

  void run_started(const run::RunStarted& started) override {
    record_.started = started;
    began_at_ = options_.now();
  }

  void case_started(const std::string& id) override {
    under_way_.emplace_back(id, options_.now());
    if (options_.terminal) show_progress(id);
  }

  void case_finished(const run::CaseResult& result) override {
    add_case(record_, result);
    if (result.verdict == run::Verdict::kFail && !result.baselined) ++failed_;
    std::erase_if(under_way_, [&](const auto& one) { return one.first == result.id; });
    if (options_.terminal) show_progress(result.id);
  }

  void run_finished(const run::RunFinished& finished) override {
    clear_progress();
    finish(record_, finished);
    output_->stream() << render_console(record_, options_);
    commit_or_tell(*output_, options_);
  }

 private:
  // Ten times a second is enough to see that something moves, and costs the run nothing.
  void show_progress(const std::string& last) {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = options_.now();
    if (shown_ && now - shown_at_ < kPause) return;
    shown_ = true;
    shown_at_ = now;
    // One column less than the terminal has: a full line would wrap and could not be taken back.
    Progress progress{
        record_.cases.size(), record_.started.cases, failed_, since(began_at_, now), last, {}};
    if (!under_way_.empty()) {
      progress.case_id = under_way_.front().first;
      progress.in_case = since(under_way_.front().second, now);
    }
    output_->stream() << "\r\x1b[K"
                      << progress_line(progress, std::max<std::size_t>(options_.width, 2) - 1)
                      << std::flush;
  }

  void clear_progress() {
    if (!shown_) return;
    output_->stream() << "\r\x1b[K" << std::flush;
    shown_ = false;
  }

  std::unique_ptr<Output> output_;
  ReportOptions options_;
  Record record_;
  using Time = std::chrono::steady_clock::time_point;
  static std::chrono::milliseconds since(Time from, Time to) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(to - from);
  }

  std::vector<std::pair<std::string, Time>> under_way_;  // in the order in which they began
  Time began_at_{};
  std::size_t failed_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point shown_at_{};
};

}  // namespace

std::string progress_line(const Progress& progress, std::size_t columns) {
  // Sooner, a guess would be one.
  constexpr std::size_t kFirst = 20;
  constexpr std::chrono::milliseconds kSoonest{1000};
  const auto& [done, total, failed, since_start, case_id, in_case] = progress;
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
  if (room <= time.size()) return text;
  return text + fit(case_id, room - time.size()) + time;
}

std::unique_ptr<run::Reporter> make_console(std::unique_ptr<Output> output,
                                            const ReportOptions& options) {
  return std::make_unique<ConsoleReporter>(std::move(output), options);
}

}  // namespace reports
