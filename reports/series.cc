// SPDX-License-Identifier: Apache-2.0
#include "reports/series.h"

#include <utility>

#include "reports/console.h"
#include "reports/merge.h"

namespace reports {

namespace run = harness::run;

harness::Result<std::unique_ptr<SeriesReporter>> SeriesReporter::make(
    const std::vector<std::string>& arguments, const ReportOptions& options) {
  std::vector<Document> documents;
  for (const std::string& argument : arguments) {
    const harness::Result<Wanted> wanted = read_argument(argument);
    if (!wanted) return wanted.error();
    auto output = open_output(wanted->file);
    if (!output) return output.error();
    documents.push_back({wanted->format, std::move(*output)});
  }
  return std::unique_ptr<SeriesReporter>(new SeriesReporter(std::move(documents), options));
}

SeriesReporter::SeriesReporter(std::vector<Document> documents, const ReportOptions& options)
    : documents_(std::move(documents)), options_(options) {
  for (const Document& document : documents_)
    if (document.format->make == make_console && document.output->is_stdout() && options_.terminal)
      progress_ = std::make_unique<ProgressShow>(document.output->stream(), true, options_.width,
                                                 options_.now);
}

SeriesReporter::~SeriesReporter() {
  if (progress_) progress_->clear();
}

void SeriesReporter::run_started(const run::RunStarted& started) {
  current_ = Record{};
  current_.started = started;
  current_.evidence = evidence_;
  if (progress_) progress_->started(started, started.profile);
}

void SeriesReporter::case_started(const std::string& id) {
  if (progress_) progress_->case_started(id);
}

void SeriesReporter::case_finished(const run::CaseResult& result) {
  if (result.transcript && !result.id.starts_with("oracle/"))
    add_round_trips(current_.latencies, *result.transcript);
  add_case(current_, result);
  if (progress_) progress_->case_finished(result);
}

void SeriesReporter::waiting(const run::Waiting& waiting) {
  slow_start_.note(waiting, progress_.get());
  if (progress_) progress_->waiting(waiting);
}

void SeriesReporter::run_finished(const run::RunFinished& finished) {
  evidence_ = current_.evidence;
  finish(current_, finished);
  if (!current_.cases.empty() || !finished.gate_passed) records_.push_back(std::move(current_));
  current_ = Record{};
}

Record SeriesReporter::close(std::vector<std::string> stale, const std::string& failure) {
  if (progress_) progress_->clear();
  Record whole = merged(std::move(records_));
  whole.finished.stale = std::move(stale);
  if (!failure.empty() && whole.finished.gate_passed) {
    whole.finished.gate = failure;
    whole.finished.gate_passed = false;
  }
  for (const Document& document : documents_) {
    ReportOptions options = options_;
    options.colour = options_.colour && document.output->is_stdout();
    document.output->stream() << document.format->render(whole, options);
    commit_or_tell(*document.output, options_);
  }
  return whole;
}

}  // namespace reports
