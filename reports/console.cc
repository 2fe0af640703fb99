// SPDX-License-Identifier: Apache-2.0
// The Reporter: a progress line while the run goes on, the page of console_page.cc at its end.
#include "reports/console.h"

#include <utility>

#include "reports/progress.h"

namespace reports {

namespace run = harness::run;

namespace {

class ConsoleReporter final : public run::Reporter {
 public:
  ConsoleReporter(std::unique_ptr<Output> output, const ReportOptions& options)
      : output_(std::move(output)), options_(options),
        progress_(output_->stream(), options.terminal && output_->is_stdout(), options.width,
                  options.now) {
    // A file has no cursor to move, whatever stdout is.
    if (!output_->is_stdout()) options_.terminal = options_.colour = false;
  }

  ~ConsoleReporter() override { progress_.clear(); }

  void run_started(const run::RunStarted& started) override {
    record_.started = started;
    progress_.started(started, "");
  }

  void case_started(const std::string& id) override { progress_.case_started(id); }

  void case_finished(const run::CaseResult& result) override {
    add_case(record_, result);
    progress_.case_finished(result);
  }

  void waiting(const run::Waiting& waiting) override {
    slow_start_.note(waiting, &progress_);
    progress_.waiting(waiting);
  }

  void run_finished(const run::RunFinished& finished) override {
    progress_.clear();
    finish(record_, finished);
    output_->stream() << render_console(record_, options_);
    commit_or_tell(*output_, options_);
  }

 private:
  std::unique_ptr<Output> output_;
  ReportOptions options_;
  ProgressShow progress_;
  SlowStart slow_start_;
  Record record_;
};

}  // namespace

std::unique_ptr<run::Reporter> make_console(std::unique_ptr<Output> output,
                                            const ReportOptions& options) {
  return std::make_unique<ConsoleReporter>(std::move(output), options);
}

}  // namespace reports
