// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/named_cases.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/oracle/oracle.h"

namespace harness::cli {
namespace {

std::string family_pattern(const std::string& clause) {
  return clause.substr(0, clause.rfind('.')) + ".*";
}

bool is_matched(const std::string& pattern, const Library& library) {
  return suite::unmatched(library.suite.cases, {{pattern}, {}, {}}).empty();
}

bool is_judged_by_oracles(const std::string& clause) {
  const auto& all = oracle::oracles();
  return std::any_of(all.begin(), all.end(), [&](const oracle::Oracle& one) {
    return std::find(one.covers.begin(), one.covers.end(), clause) != one.covers.end();
  });
}

// Patterns of the cases in whose sessions oracles can judge what `found` does not come near.
std::vector<std::string> sessions_for(const std::vector<std::string>& judged,
                                      const std::vector<std::string>& found,
                                      const Library& library) {
  std::set<std::string> near, families, patterns;
  for (const std::string& clause : found) near.insert(family_pattern(clause));
  for (const std::string& clause : judged)
    if (!near.contains(family_pattern(clause))) families.insert(family_pattern(clause));
  for (const std::string& family : families) {
    if (is_matched(family, library)) {
      patterns.insert(family);
      continue;
    }
    for (const suite::Case& one : library.suite.cases)
      if (one.survey) patterns.insert(one.id);
  }
  if (!families.empty())
    std::fprintf(stderr, "rpcspec: %s has no case: oracles judge it in other sessions\n",
                 printable(joined(judged)).c_str());
  return {patterns.begin(), patterns.end()};
}

}  // namespace

Status name_cases(suite::Selection& selection, const Library& library, const std::string& suite) {
  std::optional<spec::Official> official;
  for (std::vector<std::string>* patterns : {&selection.select, &selection.exclude}) {
    const char* option = patterns == &selection.select ? "--select" : "--exclude";
    std::vector<std::string> named;
    for (const std::string& name : *patterns) {
      std::vector<std::string> found, judged;
      if (is_matched(name, library)) {
        named.push_back(name);
        continue;
      }
      if (!official) {
        Result<spec::Official> read = load_official(suite, library.registry);
        if (!read) return read.error();
        official = std::move(*read);
      }
      if (const std::string about = official->about(name); !about.empty())
        return Error{option, "`" + printable(name) + "` binds no server: " + about, ""};
      std::vector<std::string> clauses = official->clauses_of(name);
      if (library.registry.find(name) != nullptr) clauses = {name};
      for (const std::string& clause : clauses)
        if (is_matched(clause, library))
          found.push_back(clause);
        else if (patterns == &selection.select && is_judged_by_oracles(clause))
          judged.push_back(clause);
      if (patterns == &selection.select && !clauses.empty() && found.empty() && judged.empty())
        return Error{"--select",
                     "`" + printable(name) + "` has no case: " +
                         why_no_case(*library.registry.find(clauses.front()), library),
                     ""};
      const std::vector<std::string> more = sessions_for(judged, found, library);
      found.insert(found.end(), more.begin(), more.end());
      if (found.empty()) found.push_back(name);  // which is told
      named.insert(named.end(), found.begin(), found.end());
    }
    *patterns = std::move(named);
  }
  return Nothing{};
}

}  // namespace harness::cli
