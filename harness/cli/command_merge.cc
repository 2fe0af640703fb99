// SPDX-License-Identifier: Apache-2.0
// rpcspec fuzz merge: the findings and corpora of several campaigns as those of one.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/engine/corpus_merge.h"
#include "fuzz/minimizer/finding_merge.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/cli/option_values.h"
#include "reports/layout.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

struct MergeOptions {
  TargetOptions target;
  FuzzSettings settings;
  std::vector<std::string> folders;
  std::string into;
};

// What the folders hold, as `fuzz` wrote it.
struct Campaigns {
  std::vector<std::string> findings, corpora;
};

bool has_findings(const fs::path& folder) {
  std::error_code failed;
  const fs::directory_iterator entries(folder, failed);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    std::error_code ignored;
    return fs::exists(entry.path() / "signature", ignored) ||
           entry.path().filename().string().starts_with("not-");
  });
}

Result<Campaigns> campaigns_in(const std::vector<std::string>& folders) {
  Campaigns out;
  for (const std::string& one : folders) {
    std::error_code failed;
    const fs::path folder(one);
    if (!fs::is_directory(folder, failed))
      return Error{printable(one), "there is no such folder",
                   "name folders that `fuzz --findings` or `fuzz --corpus` wrote, or folders with "
                   "`findings` and `corpus` in them"};
    const bool both = fs::is_directory(folder / "findings", failed) ||
                      fs::is_directory(folder / "corpus", failed);
    if (!both) {
      (has_findings(folder) ? out.findings : out.corpora).push_back(one);
      continue;
    }
    if (fs::is_directory(folder / "findings", failed))
      out.findings.push_back((folder / "findings").string());
    if (fs::is_directory(folder / "corpus", failed))
      out.corpora.push_back((folder / "corpus").string());
  }
  return out;
}

Status merge_findings_into(const std::string& into, const Campaigns& campaigns) {
  const auto merged = fuzz::merge_findings(campaigns.findings, into);
  if (!merged) return merged.error();
  fmt::print("{} of {}, in {}\n", reports::counted(merged->size(), "bug", "bugs"),
             reports::counted(campaigns.findings.size(), "campaign", "campaigns"), printable(into));
  for (const fuzz::Found& one : *merged)
    fmt::print("  {}  found in {}: expected {}; seen {}\n", printable(one.name),
               reports::counted(one.found_in.size(), "folder", "folders"),
               printable(one.expected, 160), printable(one.seen, 160));
  return Nothing{};
}

// Scripts by their text, so that each is there once.
std::map<std::string, std::string> scripts_in(const std::vector<std::string>& corpora) {
  std::map<std::string, std::string> names;
  for (const std::string& folder : corpora) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      std::error_code gone;
      if (!entry.is_regular_file(gone) || entry.path().filename() == "README.md") continue;
      if (const auto text = read_file(entry.path())) names.emplace(*text, entry.path().filename());
    }
  }
  return names;
}

Status write_corpus(const fs::path& into, const std::map<std::string, std::string>& scripts) {
  std::set<std::string> taken;
  for (const auto& [text, wanted] : scripts) {
    std::string name = wanted;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", wanted, i);
    std::ofstream file(into / name, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush())
      return Error{(into / name).string(), "the script cannot be written",
                   "name another folder with --into"};
  }
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(into, failed))
    if (entry.is_regular_file(failed) && !taken.contains(entry.path().filename()) &&
        entry.path().filename() != "README.md")
      fs::remove(entry.path(), failed);
  return Nothing{};
}

// `plan`: of the server that plays them; null where none is named.
Status merge_corpora_into(const std::string& into, std::vector<std::string> corpora,
                          const FuzzPlan* plan) {
  if (const Status fit = make_writable(into); !fit) return fit.error();
  corpora.push_back(into);
  std::map<std::string, std::string> scripts = scripts_in(corpora);
  if (plan == nullptr) {
    fmt::print("{} of the corpora, in {}; name the server to keep only what shows its behaviours\n",
               reports::counted(scripts.size(), "script", "scripts"), printable(into));
    return write_corpus(into, scripts);
  }
  std::vector<std::string> texts;
  for (const auto& [text, name] : scripts) texts.push_back(text);
  fuzz::WorkerTarget target(plan->worker(), plan->target(), plan->loaded()->suite,
                            plan->loaded()->registry);
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const fuzz::CorpusMerge merged = fuzz::merge_corpus(target, texts, [&](std::size_t played) {
    if (terminal) std::fprintf(stderr, "\r\x1b[K%zu of %zu scripts played", played, texts.size());
  });
  if (terminal) std::fprintf(stderr, "\r\x1b[K");
  target.leave();
  std::map<std::string, std::string> kept;
  for (const std::size_t i : merged.kept) kept.insert(*scripts.find(texts[i]));
  fmt::print("{} of {} scripts show all {} behaviours, in {}\n", kept.size(), scripts.size(),
             merged.features, printable(into));
  return write_corpus(into, kept);
}

int merge(const MergeOptions& given, const Invocation& invocation) {
  const Result<Campaigns> campaigns = campaigns_in(given.folders);
  if (!campaigns) return complain(campaigns.error(), kUsage);
  std::optional<FuzzPlan> plan;
  const TargetOptions& named = given.target;
  if (invocation.has_target_command || !named.url.empty() || !named.file.empty()) {
    Result<target::Target> target = named.resolve(invocation, given.settings.profile);
    if (!target) return complain(target.error(), kUsage);
    FuzzSettings settings = given.settings;
    settings.findings = given.into;
    Result<FuzzPlan> made = FuzzPlan::make(settings, std::move(*target), invocation.program);
    if (!made) return complain(made.error(), kUsage);
    plan.emplace(std::move(*made));
  }
  if (const Status fit = make_writable(given.into); !fit) return complain(fit.error(), kUsage);
  if (!campaigns->findings.empty()) {
    const Status merged = merge_findings_into(given.into + "/findings", *campaigns);
    if (!merged) return complain(merged.error(), kInternal);
  }
  if (campaigns->corpora.empty()) return kOk;
  const Status merged =
      merge_corpora_into(given.into + "/corpus", campaigns->corpora, plan ? &*plan : nullptr);
  return merged ? static_cast<int>(kOk) : complain(merged.error(), kInternal);
}

}  // namespace

Command command_merge(const Invocation& invocation) {
  auto options = std::make_shared<MergeOptions>();
  Command command{"merge", "Join the findings and corpora of several campaigns"};
  options->target.add_to(command);
  command.add({
      {"folders", &options->folders},
      {"--into", &options->into},
      {"--yes-fuzz-remote", &options->settings.yes_remote},
      {"--profile", &options->settings.profile},
      timeout_option(options->settings.timeout),
  });
  command.action = [options, &invocation] { return merge(*options, invocation); };
  return command;
}

}  // namespace harness::cli
