// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/transcripts.h"

#include <filesystem>
#include <fstream>

namespace harness::cli {
namespace {

class TranscriptKeeper final : public run::Reporter {
 public:
  explicit TranscriptKeeper(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void case_finished(const run::CaseResult& result) override {
    if (!result.transcript) return;
    const std::filesystem::path file = folder_ / (result.id + ".jsonl");
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    std::ofstream(file, std::ios::trunc) << wire::to_json_lines(*result.transcript);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

Result<std::unique_ptr<run::Reporter>> make_transcript_keeper(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{"--transcripts", "the folder " + folder + " cannot be made: " + failed.message(),
                 "name a folder you may write to"};
  return std::unique_ptr<run::Reporter>(std::make_unique<TranscriptKeeper>(folder));
}

}  // namespace harness::cli
