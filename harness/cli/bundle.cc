// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/bundle.h"

#include <cstdio>
#include <utility>

#include "harness/base/sha256.h"
#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/transcripts.h"
#include "harness/json/write.h"
#include "reports/json.h"
#include "reports/output.h"
#include "reports/record.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostOfRun = 60 << 20;  // bytes of conversations

class Bundler final : public reports::Recorder {
 public:
  Bundler(std::unique_ptr<reports::Output> output, reports::ReportOptions options)
      : Recorder(options.campaign), output_(std::move(output)), options_(std::move(options)) {}

  void run_started(const run::RunStarted& started) override {
    Recorder::run_started(started);
    put(json::object({{"format", json::string("rpcspec-bundle/1")},
                      {"rpcspec", json::string(started.version)},
                      {"case_set", json::string(case_set())},
                      {"target", json::string(started.target)},
                      {"profile", json::string(started.profile)},
                      {"transport", json::string(started.transport)},
                      {"seed", json::number_spelled(std::to_string(started.seed))}}));
  }

  void case_finished(const run::CaseResult& result) override {
    Recorder::case_finished(result);
    if (!result.transcript) return;
    const std::string text = transcript_text(*result.transcript);
    if (text.size() > left_) {
      ++left_out_;
      return;
    }
    left_ -= text.size();
    put(json::object({{"case", json::string(result.id)},
                      {"frames", frame_offsets(text)},
                      {"transcript", json::string(text)}}));
  }

  void run_finished(const run::RunFinished& finished) override {
    Recorder::run_finished(finished);
    put(json::object({{"report", reports::json_value(record(), options_)}}));
    const std::string hash = sha256_hex(text_);
    output_->stream() << text_ << json::write(json::object({{"sha256", json::string(hash)}}))
                      << "\n";
    reports::commit_or_tell(*output_, options_);
    if (left_out_ > 0)
      std::fprintf(stderr, "rpcspec: --bundle: %zu conversations were left out; %zu MiB are kept\n",
                   left_out_, kMostOfRun >> 20);
  }

 private:
  void put(const json::Value& line) { text_ += json::write(line) + "\n"; }

  std::unique_ptr<reports::Output> output_;
  reports::ReportOptions options_;
  std::string text_;
  std::size_t left_ = kMostOfRun, left_out_ = 0;
};

}  // namespace

Result<std::unique_ptr<run::Reporter>> make_bundler(const std::string& file,
                                                    const reports::ReportOptions& options) {
  auto output = reports::open_output(file);
  if (!output) return output.error();
  return std::unique_ptr<run::Reporter>(std::make_unique<Bundler>(std::move(*output), options));
}

}  // namespace harness::cli
