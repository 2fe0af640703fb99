// SPDX-License-Identifier: Apache-2.0
#include "reports/html_matrix.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reports {
namespace {

namespace json = harness::json;
using json::Value;

using CasesById = std::map<std::string_view, const Value*>;

CasesById cases_of(const Value& document) {
  CasesById cases;
  for (const Value& one : document.find("cases")->items) cases[one.find("id")->text] = &one;
  return cases;
}

// The run that the case belongs to: the longest name that it begins with.
std::string run_of(const std::string& case_id, const std::vector<std::string>& names) {
  std::string found;
  for (const std::string& name : names)
    if (name.size() > found.size() && case_id.starts_with(name + "/")) found = name;
  return found;
}

// The finding that a reference of a cause names; null where the report does not hold it.
const Value* finding_at(const CasesById& cases, const std::string& case_id, const Value& number) {
  const auto place = cases.find(case_id);
  const auto at = json::as_integer(number);
  if (place == cases.end() || !at) return nullptr;
  const std::vector<Value>& findings = place->second->find("findings")->items;
  return static_cast<std::size_t>(*at) < findings.size() ? &findings[static_cast<std::size_t>(*at)]
                                                         : nullptr;
}

struct Cell {
  Value value;
  std::int64_t findings = 0;
  std::set<std::string> clauses;
};

}  // namespace

void add_cells(Value& document) {
  std::vector<std::string> names;
  if (const Value* runs = document.find("runs"))
    for (const Value& run : runs->items) names.push_back(run.find("name")->text);
  const CasesById cases = cases_of(document);
  for (Value& cause : document.find("causes")->items) {
    std::map<std::string, Cell> cells;
    for (const Value& ref : cause.find("findings")->items) {
      const std::string& case_id = ref.find("case")->text;
      const Value* finding = finding_at(cases, case_id, *ref.find("finding"));
      if (finding == nullptr) continue;
      Cell& cell = cells[run_of(case_id, names)];
      if (cell.findings++ == 0)
        cell.value = json::object({{"case", json::string(case_id)},
                                   {"finding", *ref.find("finding")},
                                   {"replay", *cases.at(case_id)->find("replay")},
                                   {"baselined", *cases.at(case_id)->find("baselined")}});
      cell.clauses.insert(finding->find("requirement")->text);
    }
    Value all = json::object();
    for (auto& [name, cell] : cells) {
      Value clauses = json::array();
      for (const std::string& clause : cell.clauses) clauses.items.push_back(json::string(clause));
      cell.value.set("findings", json::number(cell.findings));
      cell.value.set("clauses", std::move(clauses));
      all.members.push_back({name, std::move(cell.value), {}});
    }
    cause.set("cells", std::move(all));
  }
}

void keep_cells_alone(Value& document) {
  const CasesById cases = cases_of(document);
  for (Value& cause : document.find("causes")->items) {
    for (json::Member& cell : cause.find("cells")->members)
      if (const Value* found =
              finding_at(cases, cell.value.find("case")->text, *cell.value.find("finding")))
        cell.value.set("shown", *found);
    for (const char* name : {"findings", "frames", "conversation"}) cause.set(name, json::array());
  }
  for (Value& row : document.find("coverage")->items) row.set("cases", json::array());
  for (const char* name : {"cases", "latency"}) document.set(name, json::array());
  document.set("matrix", json::boolean(true));
}

}  // namespace reports
