// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/report_settings.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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

}  // namespace

reports::ReportOptions report_settings(const std::string& suite, const spec::Registry& registry) {
  reports::ReportOptions options;
  options.known_from = known_from(suite, registry);
  options.official = official(suite, registry);
  options.requirement = [&registry](const std::string& id) { return registry.find(id); };
  options.terminal = isatty(STDOUT_FILENO) == 1;
  options.colour = options.terminal && !std::getenv("NO_COLOR");
  winsize size{};
  if (options.terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    options.width = size.ws_col;
  return options;
}

bool takes_stdout(const std::vector<std::string>& reports) {
  return std::any_of(reports.begin(), reports.end(), [](const std::string& word) {
    return word == "console" || word.starts_with("console=") ||
           word.find('=') == std::string::npos || word.ends_with("=-");
  });
}

}  // namespace harness::cli
