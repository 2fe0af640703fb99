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

  void run_started(const run::RunStarted& started) override { record_.started = started; }

  void case_finished(const run::CaseResult& result) override {
    add_case(record_, result);
    if (result.verdict == run::Verdict::kFail && !result.baselined) ++failed_;
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
  void show_progress(const std::string& case_id) {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = options_.now();
    if (shown_ && now - shown_at_ < kPause) return;
    shown_ = true;
    shown_at_ = now;
    // One column less than the terminal has: a full line would wrap and could not be taken back.
    output_->stream() << "\r\x1b[K"
                      << progress_line(record_.cases.size(), record_.started.cases, failed_,
                                       case_id, std::max<std::size_t>(options_.width, 2) - 1)
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
  std::size_t failed_ = 0;
  bool shown_ = false;
  std::chrono::steady_clock::time_point shown_at_{};
};

}  // namespace

std::string progress_line(std::size_t done, std::size_t total, std::size_t failed,
                          const std::string& case_id, std::size_t columns) {
  const std::size_t digits = std::to_string(total).size();
  const std::string text = fmt::format("[ {:>{}}/{}] {} failed  ", done, digits, total, failed);
  if (width_of(text) >= columns) return text.substr(0, columns);
  return text + fit(case_id, columns - width_of(text));
}

std::unique_ptr<run::Reporter> make_console(std::unique_ptr<Output> output,
                                            const ReportOptions& options) {
  return std::make_unique<ConsoleReporter>(std::move(output), options);
}

}  // namespace reports
