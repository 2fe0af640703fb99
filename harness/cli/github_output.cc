// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/github_output.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "reports/formats.h"
#include "reports/github.h"

namespace harness::cli {
namespace {
constexpr std::size_t kMostSummary = 900u << 10;  // GitHub refuses more than 1 MiB of a step
}

GithubOutput::GithubOutput(bool stdout_is_a_report)
    : stream_(stdout_is_a_report ? stderr : stdout) {
  const char* set = std::getenv("GITHUB_ACTIONS");
  active_ = set != nullptr && std::string_view(set) == "true";
  if (!active_) return;
  token_ = fmt::format("rpcspec-{:016x}{:016x}", random_number(), random_number());
  std::fprintf(stream_, "::stop-commands::%s\n", token_.c_str());
  std::fflush(stream_);
}

GithubOutput::~GithubOutput() { resume(); }

void GithubOutput::resume() {
  if (token_.empty()) return;
  std::fflush(stdout);
  std::fflush(stderr);
  std::fprintf(stream_, "::%s::\n", token_.c_str());
  std::fflush(stream_);
  token_.clear();
}

void GithubOutput::tell(const reports::Record& record, const reports::ReportOptions& options) {
  if (!active_) return;
  resume();
  std::fputs(reports::render_github(record, options).c_str(), stream_);
  std::fflush(stream_);
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  if (summary == nullptr || *summary == '\0') return;
  std::string text = reports::render_markdown(record, options);
  if (text.size() > kMostSummary) {
    text.resize(text.rfind('\n', kMostSummary));
    text += "\n\n… the rest is in the reports\n";
  }
  std::ofstream file(summary, std::ios::app);
  file << text << "\n";
  if (!file.flush())
    std::fprintf(stderr, "rpcspec: WARNING: the summary of the step cannot be written to %s\n",
                 printable(summary).c_str());
}

}  // namespace harness::cli
