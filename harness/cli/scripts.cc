// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/scripts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

// What a finding and a campaign write beside scripts: fuzz/triage/finding_folder.h, fuzz/engine.
constexpr const char* kOfFinding = "script";
constexpr const char* kNoScripts[] = {"README.md", "seen-once.txt"};

bool is_finding(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / kOfFinding, failed) &&
         fs::is_regular_file(folder / "signature", failed);
}

Result<std::vector<fs::path>> files_in(const fs::path& folder) {
  if (is_finding(folder)) return std::vector<fs::path>{folder / kOfFinding};
  std::vector<fs::path> files, of_findings;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const fs::path& path = entry.path();
    if (is_finding(path)) of_findings.push_back(path / kOfFinding);
    const bool none = std::find(std::begin(kNoScripts), std::end(kNoScripts), path.filename()) !=
                      std::end(kNoScripts);
    std::error_code gone;
    if (entry.is_regular_file(gone) && !none) files.push_back(path);
  }
  if (failed) return Error{folder.string(), "the folder cannot be read: " + failed.message(), ""};
  if (!of_findings.empty()) files = std::move(of_findings);
  if (files.empty())
    return Error{folder.string(), "no script is in it",
                 "name scripts, a folder of them, a finding or the folder of findings"};
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::vector<NamedScript>> read_scripts(const std::vector<std::string>& given) {
  std::vector<fs::path> files;
  for (const std::string& one : given) {
    std::error_code failed;
    if (!fs::is_directory(one, failed)) {
      files.emplace_back(one);
      continue;
    }
    const Result<std::vector<fs::path>> inside = files_in(one);
    if (!inside) return inside.error();
    files.insert(files.end(), inside->begin(), inside->end());
  }
  std::vector<NamedScript> out;
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
      return Error{path.string(), "the script cannot be read", "name a file, or a folder of files"};
    out.push_back({path.string(), fuzz::read_script(text.str())});
  }
  return out;
}

}  // namespace harness::cli
