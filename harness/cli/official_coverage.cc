// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/official_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostStatement = 160;  // bytes of a sentence of theirs
constexpr const char* kNotKnown = "not known to this rpcspec";
constexpr const char* kNotThere = "not in the checkout";

json::Value list_of_texts(const std::vector<std::string>& all) {
  json::Value list = json::array();
  for (const std::string& one : all) list.items.push_back(json::string(one));
  return list;
}

}  // namespace

OfficialCoverage::OfficialCoverage(const spec::Official& official, const Library& library,
                                   const std::vector<run::CoverageRow>& coverage)
    : official_(official), library_(library) {
  for (const run::CoverageRow& row : coverage) by_clause_[row.requirement] = &row;
}

std::vector<std::string> OfficialCoverage::cases_of(const std::vector<std::string>& clauses) const {
  std::set<std::string> cases;
  for (const std::string& clause : clauses)
    if (const auto found = by_clause_.find(clause); found != by_clause_.end())
      cases.insert(found->second->cases.begin(), found->second->cases.end());
  return {cases.begin(), cases.end()};
}

bool OfficialCoverage::knows(const std::string& check) const {
  return official_.without_clause.contains(check) || !official_.clauses_of(check).empty();
}

OfficialCoverage::Row OfficialCoverage::row_of(const std::string& group,
                                               const std::string& check) const {
  Row row{group, check, official_.clauses_of(check), {}, {}};
  row.cases = cases_of(row.clauses);
  if (const auto found = official_.without_clause.find(check);
      found != official_.without_clause.end())
    row.reason = found->second;
  else if (row.cases.empty() && !row.clauses.empty())
    row.reason =
        row.clauses[0] + ": " + why_no_case(*library_.registry.find(row.clauses[0]), library_);
  return row;
}

std::string OfficialCoverage::as_json(const std::vector<Row>& rows) {
  json::Value all = json::array();
  for (const Row& row : rows) {
    json::Value one = json::object({{"scenario", json::string(row.group)},
                                    {"check", json::string(row.check)},
                                    {"clauses", list_of_texts(row.clauses)},
                                    {"cases", list_of_texts(row.cases)}});
    if (!row.reason.empty()) one.set("reason", json::string(row.reason));
    all.items.push_back(std::move(one));
  }
  return json::write_pretty(all) + "\n";
}

std::string OfficialCoverage::as_text(const std::vector<Row>& rows, bool missing,
                                      const Heading& heading) {
  std::string out;
  std::optional<std::string> group;
  for (const Row& row : rows) {
    if (missing && !row.cases.empty()) continue;
    if (row.group != group) out += heading(row.group) + "\n";
    group = row.group;
    std::string what = fmt::format("{}", fmt::join(row.cases, " "));
    if (!row.reason.empty()) what = "- " + row.reason + (what.empty() ? "" : ": " + what);
    out += fmt::format("  {:<58} {}\n", row.check.empty() ? row.clauses[0] : row.check, what);
  }
  return out;
}

std::string OfficialCoverage::of_suite(bool json, bool missing) const {
  // Those that stand in no scenario come last.
  std::vector<Row> rows;
  for (const spec::Official::Scenario& scenario : official_.scenarios)
    for (const std::string& check : scenario.checks) rows.push_back(row_of(scenario.name, check));
  for (const std::string& check : official_.unscheduled()) rows.push_back(row_of("", check));
  if (json) return as_json(rows);
  const auto covered =
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.cases.empty(); });
  return as_text(
             rows, missing,
             [](const std::string& name) { return name.empty() ? "(in no scenario yet)" : name; }) +
         fmt::format("\n{} of {} checks of {} have a case\n", covered, rows.size(),
                     official_.suite);
}

Status OfficialCoverage::add_proposal(const std::string& file, std::vector<Row>& rows) const {
  const Result<json::Value> root = json::read_yaml_file(file);
  if (!root) return root.error();
  const json::Value* sep = root->find("sep");
  const json::Value* list = root->find("requirements");
  const auto number = sep ? json::as_integer(*sep) : std::nullopt;
  if (!number || !list || !list->is_array())
    return json::wrong_at(file, *root, "a proposal has `sep`, a number, and `requirements`, a list",
                          "name a checkout of the official suite that this rpcspec can read");
  const std::string group = fmt::format("sep-{}", *number);
  std::set<std::string> theirs, tested;  // their checks, and clauses of ours that those are about
  for (const json::Value& one : list->items) {
    const json::Value* check = one.find("check");
    if (check == nullptr || !check->is_string()) continue;  // a sentence that they exclude
    if (!theirs.insert(check->text).second) continue;
    Row row = row_of(group, printable(check->text));
    tested.insert(row.clauses.begin(), row.clauses.end());
    const json::Value* text = one.find("text");
    if (!knows(check->text))
      row.reason = kNotKnown + (": " + printable(text ? text->text : "", kMostStatement));
    rows.push_back(std::move(row));
  }
  const auto add_gone = [&](const std::string& check) {
    if (!check.starts_with(group + "-") || !theirs.insert(check).second) return;
    Row row = row_of(group, check);
    row.reason = kNotThere;
    rows.push_back(std::move(row));
  };
  for (const auto& [clause, official] : official_.clauses)
    for (const std::string& check : official.checks) add_gone(check);
  for (const auto& [check, why] : official_.without_clause) add_gone(check);
  for (const std::string& clause : official_.clauses_of(group))
    if (!tested.contains(clause))
      rows.push_back({group, "", {clause}, cases_of({clause}), "no check in the checkout"});
  return Nothing{};
}

Result<std::string> OfficialCoverage::of_checkout(const std::string& checkout, bool json,
                                                  bool missing) const {
  const fs::path folder = fs::path(checkout) / "src/seps";
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  if (files.empty())
    return Error{"--against", "there is no " + printable((folder / "*.yaml").string()),
                 "write official, or the folder of a checkout of "
                 "https://github.com/modelcontextprotocol/conformance"};
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  for (const std::string& file : files)
    if (const Status read = add_proposal(file, rows); !read) return read.error();
  struct Counts {
    int covered = 0, checks = 0, unknown = 0, alone = 0;
  };
  std::map<std::string, Counts> counts;  // of all under ""
  for (const Row& row : rows)
    for (Counts* one : {&counts[row.group], &counts[""]}) {
      const bool check = !row.check.empty() && row.reason != kNotThere;
      one->checks += check ? 1 : 0;
      one->covered += check && !row.cases.empty() ? 1 : 0;
      one->unknown += row.reason.starts_with(kNotKnown) ? 1 : 0;
      one->alone += row.check.empty() ? 1 : 0;
    }
  const auto summary = [&](const std::string& group) {
    const Counts& of = counts[group];
    return fmt::format(
        "{} of {} checks have a case, {} are not known here; "
        "{} of our clauses have no check there",
        of.covered, of.checks, of.unknown, of.alone);
  };
  if (missing)
    std::erase_if(rows, [](const Row& row) { return row.check.empty() || !row.cases.empty(); });
  if (json) return as_json(rows);
  return as_text(rows, missing,
                 [&](const std::string& group) { return group + ": " + summary(group); }) +
         "\nin all: " + summary("") + "\n";
}

}  // namespace harness::cli
