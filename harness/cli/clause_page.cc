// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
#include "harness/cli/report_settings.h"
#include "harness/results/coverage.h"
#include "harness/spec/source_link.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostCases = 3;  // named of one software

std::string sources(const spec::Requirement& clause) {
  std::string out;
  for (const spec::SourceLink& link : spec::links_of(clause.source)) {
    out += field(out.empty() ? "source" : "", link.text);
    if (!link.url.empty()) out += fmt::format("  {:<11} {}\n", "", link.url);  // never wrapped
  }
  return out;
}

std::string coverage(const spec::Requirement& clause, const Library& library) {
  std::string out;
  for (const run::CoverageRow& row : run::suite_coverage(library.registry, library.suite, nullptr))
    if (row.requirement == clause.id)
      out += field("covered by", row.cases.empty() ? "nothing yet" : listed(row.cases));
  if (const auto reason = library.not_covered.find(clause.id); reason != library.not_covered.end())
    out += field("because", reason->second);
  return out;
}

// What other clauses have to do with it.
std::string relations(const spec::Requirement& clause, const spec::Registry& registry) {
  std::string out;
  if (!clause.follows.empty())
    out += field("follows", "from " + listed(ids_of(clause.follows)) +
                                ": cannot hold if one of them is broken");
  for (const spec::Requirement& told : registry.all()) {
    if (!told.one_with) continue;
    std::vector<std::string> family = ids_of(told.one_with->others);
    if (told.id != clause.id && std::erase(family, clause.id) == 0) continue;
    if (told.id != clause.id) family.insert(family.begin(), told.id);
    const std::string name = told.id == clause.id ? "this" : told.id;
    out += field("one with",
                 fmt::format("{}: if {} of them are broken{}, they are reported as {}",
                             listed(family), told.one_with->least,
                             told.one_with->itself ? ", " + name + " among them" : "", name));
  }
  return out;
}

std::string advice_lines(const spec::Advice& advice) {
  std::string out = "\n  usual cause\n" + hanging("    ", advice.cause);
  out += "\n  what to change\n";
  for (std::size_t i = 0; i < spec::kLanguages.size(); ++i) {
    out += fmt::format("    {}\n", spec::kLanguages[i].title);
    for (const std::string& line : advice.lines[i]) out += "      " + line + "\n";
  }
  return out;
}

void add_new(std::vector<std::string>& list, const std::string& word) {
  if (!word.empty() && std::count(list.begin(), list.end(), word) == 0) list.push_back(word);
}

// One line for each software; several servers of corpus/servers may run the same.
std::string known_from(const spec::Requirement& clause, const Teaching& teaching) {
  struct Found {
    std::vector<std::string> servers, cases;
  };
  std::map<std::string, Found> by_software;
  for (const KnownFrom& one : teaching.known_from) {
    if (one.clause != clause.id) continue;
    Found& found = by_software[one.software];
    add_new(found.servers, one.server);
    for (const std::string& name : one.cases) add_new(found.cases, name);
  }
  if (by_software.empty()) return "";
  std::string out = "\n  known from\n";
  for (auto& [software, found] : by_software) {
    const std::size_t more = found.cases.size() - std::min(found.cases.size(), kMostCases);
    found.cases.resize(found.cases.size() - more);
    std::string line =
        fmt::format("{} ({}): {}", software, listed(found.servers), listed(found.cases));
    if (more > 0) line += fmt::format(" and {} more", more);
    out += hanging("    ", line);
  }
  return out;
}

}  // namespace

std::vector<std::string> ids_of(const std::vector<spec::Mention>& mentions) {
  std::vector<std::string> ids;
  for (const spec::Mention& one : mentions) ids.push_back(one.id);
  return ids;
}

std::string page_of(const spec::Requirement& clause, const Library& library,
                    const Teaching& teaching) {
  std::string out =
      clause.id + "\n\n" +
      hanging("  ", fmt::format("{}: {}", spec::level_name(clause.level), clause.statement));
  out += "\n" + sources(clause);
  if (const std::string page = site_page(clause.id); !page.empty())
    out += fmt::format("  {:<11} {}\n", "page", page);
  out += field("editions", listed(clause.revisions));
  out += field("transports", listed(clause.transports.words()));
  if (!clause.needs.empty()) out += field("needs", listed(clause.needs));
  out += field("observable", clause.observable) + field("probe", clause.probe);
  out += relations(clause, library.registry);
  out += coverage(clause, library);
  if (const auto advice = teaching.advice.find(clause.id); advice != teaching.advice.end())
    out += advice_lines(advice->second);
  return out + known_from(clause, teaching);
}

}  // namespace harness::cli
