// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/report_settings.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <memory>
#include <optional>

#include "harness/cli/builtin.h"

namespace harness::cli {
namespace {

// Read when the first cause is told: most runs have none.
reports::KnownFrom known_from(const std::string& folder, const spec::Registry& registry) {
  const auto teaching = std::make_shared<std::optional<Teaching>>();
  return [teaching, folder, &registry](const std::string& clause) {
    if (!*teaching) {
      Result<Teaching> loaded = load_teaching(folder, registry);
      *teaching = loaded ? std::move(*loaded) : Teaching{};
    }
    std::vector<std::string> out;
    for (const KnownFrom& one : (*teaching)->known_from)
      if (one.clause == clause && std::find(out.begin(), out.end(), one.software) == out.end())
        out.push_back(one.software);
    return out;
  };
}

// Likewise.
reports::AdviceLookup advice(const std::string& folder, const spec::Registry& registry) {
  const auto teaching = std::make_shared<std::optional<Teaching>>();
  return [teaching, folder, &registry](const std::string& clause) -> const spec::Advice* {
    if (!*teaching) {
      Result<Teaching> loaded = load_teaching(folder, registry);
      *teaching = loaded ? std::move(*loaded) : Teaching{};
    }
    const auto found = (*teaching)->advice.find(clause);
    return found == (*teaching)->advice.end() ? nullptr : &found->second;
  };
}

// Read when it is asked for the first time.
reports::OfficialLookup official(const std::string& folder, const spec::Registry& registry) {
  const auto known = std::make_shared<std::optional<spec::Official>>();
  return [known, folder, &registry](const std::string& clause) -> const spec::Official::Clause* {
    if (!*known) {
      Result<spec::Official> loaded = load_official(folder, registry);
      *known = loaded ? std::move(*loaded) : spec::Official{};
    }
    const auto found = (*known)->clauses.find(clause);
    return found == (*known)->clauses.end() ? nullptr : &found->second;
  };
}

std::string variable(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return {};
}

// Of this moment, and of the job if it is one. GitHub names the branch of a pull request apart, and
// so does GitLab.
reports::Origin origin_of_environment() {
  reports::Origin out;
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&now, &parts) != nullptr &&
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) > 0)
    out.time = text.data();
  if (variable({"GITHUB_ACTIONS"}) == "true") {
    out.repository = variable({"GITHUB_REPOSITORY"});
    out.commit = variable({"GITHUB_SHA"});
    out.branch = variable({"GITHUB_HEAD_REF", "GITHUB_REF_NAME"});
    const std::string server = variable({"GITHUB_SERVER_URL"}), id = variable({"GITHUB_RUN_ID"});
    if (!server.empty() && !out.repository.empty() && !id.empty())
      out.run = server + "/" + out.repository + "/actions/runs/" + id;
  } else if (variable({"GITLAB_CI"}) == "true") {
    out.repository = variable({"CI_PROJECT_PATH"});
    out.commit = variable({"CI_COMMIT_SHA"});
    out.branch = variable({"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME"});
    out.run = variable({"CI_JOB_URL", "CI_PIPELINE_URL"});
  }
  return out;
}

}  // namespace

std::string site_page(const std::string& clause) {
  const char* named = std::getenv("RPCSPEC_SITE");
  std::string site = named != nullptr ? named : RPCSPEC_SITE;
  while (site.ends_with('/')) site.pop_back();
  // An account that is not known yet.
  if (site.empty() || site.find("OWNER") != std::string::npos) return {};
  return site + "/clauses/" + clause + ".html";
}

reports::ReportOptions report_settings(const std::string& suite, const spec::Registry& registry) {
  reports::ReportOptions options;
  options.known_from = known_from(suite, registry);
  options.official = official(suite, registry);
  options.advice = advice(suite, registry);
  options.requirement = [&registry](const std::string& id) { return registry.find(id); };
  if (suite.empty()) options.page = [](const std::string& id) { return site_page(id); };
  options.origin = origin_of_environment();
  options.terminal = isatty(STDOUT_FILENO) == 1;
  options.colour = options.terminal && !std::getenv("NO_COLOR");
  winsize size{};
  if (options.terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    options.width = size.ws_col;
  return options;
}

bool told_on_stderr(const std::vector<std::string>& reports, const std::string& format) {
  struct stat out {
  }, err{};
  return (format == "console" || format == "agent") && !takes_stdout(reports) &&
         fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
         out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

bool takes_stdout(const std::vector<std::string>& reports) {
  return std::any_of(reports.begin(), reports.end(), [](const std::string& word) {
    return word == "console" || word.starts_with("console=") ||
           word.find('=') == std::string::npos || word.ends_with("=-");
  });
}

}  // namespace harness::cli
