// SPDX-License-Identifier: Apache-2.0
// rpcspec triage: inputs at which a program ended, from anywhere, as a folder a bug.
#include "harness/cli/command_triage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "fuzz/triage/buckets.h"
#include "fuzz/triage/play_file.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/command_line.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/option_values.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

struct TriageOptions {
  std::vector<std::string> paths;
  std::string findings = "findings";
  std::chrono::milliseconds timeout{10000};
  std::size_t plays = 400;
};

// Each file once, those of folders in their order; what is no input of ours is left out.
Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (fs::is_regular_file(path)) {
      files.push_back(path);
    } else if (fs::is_directory(path)) {
      for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path().string());
    } else {
      return Error{path, "no such file or folder", "name files that crash a program"};
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

int triage(const TriageOptions& options, const Invocation& invocation) {
  if (invocation.target_command.empty())
    return complain(Error{"triage", "the program is missing",
                          "write `rpcspec triage FILE... -- ./my_fuzzer`; the file comes last, or "
                          "where a word is @@"},
                    kUsage);
  const Result<std::vector<std::string>> files = files_of(options.paths);
  if (!files) return complain(files.error(), kUsage);
  if (files->empty())
    return complain(Error{"triage", "there are no files in these folders", "name some"}, kUsage);
  const fuzz::PlayerProgram program{invocation.target_command, options.timeout};
  ::setenv("RPCSPEC_KEEP_GOING", "0", 1);
  try {
    fuzz::Buckets buckets(options.findings, program.command);
    const auto look = [&](const std::string& text) { return fuzz::play_file(program, text); };
    std::size_t well = 0;
    for (const std::string& file : *files) {
      const Result<std::string> input = read_file(file);
      if (!input) return complain(input.error(), kUsage);
      const std::optional<fuzz::Sight> sight = look(*input);
      if (!sight) {
        ++well;
        fmt::print("{}  shows nothing\n", printable(file));
        continue;
      }
      const std::size_t before = buckets.all().size();
      const fuzz::Bucket& bucket = buckets.put(*sight, *input, look, {options.plays});
      fmt::print("{}  {}{}/{}\n", printable(file), buckets.all().size() > before ? "new: " : "",
                 printable(options.findings), bucket.name);
      std::fflush(stdout);
    }
    const std::vector<const fuzz::Bucket*> all = buckets.all();
    fmt::print("\n{} files, {} of them show nothing; {} {} in {}\n", files->size(), well,
               all.size(), all.size() == 1 ? "bug" : "bugs", printable(options.findings));
    for (const fuzz::Bucket* one : all) fmt::print("  {}  {}\n", one->name, one->sight.title);
    return well == files->size() ? kOk : kViolations;
  } catch (const std::runtime_error& wrong) {
    return complain(wrong.what(), kUsage);
  }
}

}  // namespace

Command command_triage(const Invocation& invocation) {
  auto options = std::make_shared<TriageOptions>();
  Command command{"triage", "Sort the crash inputs of a program, one folder per bug"};
  command.add({
      {"files", &options->paths},
      {"--findings", &options->findings},
      timeout_option(options->timeout),
  });
  command.footer =
      "After `--`, give a program that takes a file: one built with RPCSPEC_FUZZ_HANDLER, a "
      "libFuzzer\n"
      "program, or any other that crashes on a bad file. The file comes last, or where a word is "
      "@@.\n"
      "\n" +
      exit_codes();
  command.action = [options, &invocation] { return triage(*options, invocation); };
  return command;
}

}  // namespace harness::cli
