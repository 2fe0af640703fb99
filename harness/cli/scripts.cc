// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/scripts.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/spec/profile.h"

namespace harness::cli {

namespace fs = std::filesystem;

namespace {

// What a finding and a campaign write beside scripts: fuzz/minimizer/finding_folder.h, fuzz/engine.
constexpr const char* kOfFinding = "script";
constexpr const char* kNoScripts[] = {"README.md", "not-reproducible.txt", "case.yaml",   "journal",
                                      "signature", "transcript.jsonl",     "finding.json"};

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
    return Error{folder.string(), "it contains no script",
                 "name scripts, a folder of them, a finding or the folder of findings"};
  std::sort(files.begin(), files.end());
  return files;
}

std::string_view without_blanks(std::string_view text) {
  constexpr const char* kBlanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// read_script() takes a line with what can be no name for a comment; a person meant something.
void note_profile(std::string_view text, NamedScript& script) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view said = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = said.find(':');
    if (!said.starts_with("#!") || colon == std::string_view::npos) continue;
    if (without_blanks(said.substr(2, colon - 2)) != "profile") continue;
    script.profile = without_blanks(said.substr(colon + 1));
    script.profile_line = line;
  }
}

std::string place_of_profile(const NamedScript& script) {
  return script.name + ":" + std::to_string(script.profile_line);
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
    const Result<std::string> text = read_file(path);
    if (!text)
      return Error{path.string(), "the script cannot be read", "name a file, or a folder of files"};
    NamedScript script{path.string(), fuzz::read_script(*text), "", 0};
    note_profile(*text, script);
    out.push_back(std::move(script));
  }
  return out;
}

Result<std::string> profile_named_in(const std::vector<NamedScript>& scripts) {
  const NamedScript* first = nullptr;
  for (const NamedScript& one : scripts) {
    if (one.profile_line == 0) continue;
    if (!spec::find_profile(one.profile))
      return Error{place_of_profile(one),
                   "there is no profile `" + printable(one.profile, 60) + "`",
                   "write one of `rpcspec list profiles`, or name another with --profile"};
    if (first == nullptr) first = &one;
    if (one.profile != first->profile)
      return Error{place_of_profile(one),
                   "it is for " + one.profile + ", and " + first->name + " for " + first->profile,
                   "name one profile for all of them with --profile; auto negotiates one"};
  }
  return first ? first->profile : "";
}

std::string kept_command(const NamedScript& script) {
  const Result<std::string> text = read_file(fs::path(script.name).parent_path() / "finding.json");
  if (!text) return "";
  const auto read = json::read(*text);
  const auto* finding = std::get_if<json::Reading>(&read);
  const json::Value* command = finding ? finding->value.find("replay") : nullptr;
  return command && command->is_string() ? printable(command->text, 2000) : "";
}

}  // namespace harness::cli
