// SPDX-License-Identifier: Apache-2.0
// Names to numbers, and the list for people and programs.
#include "harness/reference/faults.h"

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/reference/fault_tables/apps.h"
#include "harness/reference/fault_tables/client.h"
#include "harness/reference/fault_tables/core.h"
#include "harness/reference/fault_tables/drafts.h"
#include "harness/reference/fault_tables/lists.h"
#include "harness/reference/fault_tables/lsp.h"
#include "harness/reference/fault_tables/narrow.h"
#include "harness/reference/fault_tables/prompts.h"
#include "harness/reference/fault_tables/resources.h"
#include "harness/reference/fault_tables/skills.h"
#include "harness/reference/fault_tables/spellings.h"
#include "harness/reference/fault_tables/tasks.h"
#include "harness/reference/fault_tables/tools.h"
#include "harness/reference/fault_tables/tutorial.h"
#include "harness/reference/planted_table.h"

namespace harness::reference {

std::span<const FaultRow> fault_rows() {
  static const std::vector<FaultRow> rows = [] {
    std::vector<FaultRow> all;
    for (const std::span<const FaultRow> table :
         {std::span<const FaultRow>(kCoreFaults), std::span<const FaultRow>(kToolsFaults),
          std::span<const FaultRow>(kResourcesFaults), std::span<const FaultRow>(kPromptsFaults),
          std::span<const FaultRow>(kListsFaults), std::span<const FaultRow>(kClientFaults),
          std::span<const FaultRow>(kSkillsFaults), std::span<const FaultRow>(kAppsFaults),
          std::span<const FaultRow>(kDraftFaults), std::span<const FaultRow>(kSpellingFaults),
          std::span<const FaultRow>(kNarrowFaults), std::span<const FaultRow>(kTasksFaults),
          std::span<const FaultRow>(kTutorialFaults), std::span<const FaultRow>(kLspFaults)})
      all.insert(all.end(), table.begin(), table.end());
    return all;
  }();
  return rows;
}

Status Faults::add(std::string_view name) {
  const auto named = [&](const auto& row) { return row.name == name; };
  if (std::ranges::any_of(fault_rows(), named) || std::ranges::any_of(kPlanted, named)) {
    set_.push_back(FaultName(name).number());
    filter_ |= bit(name);
    return Nothing{};
  }
  for (const ShapeFault& row : shape_faults()) {
    if (row.name == name) {
      shapes_.push_back(&row);
      return Nothing{};
    }
  }
  std::vector<std::string> known;
  for (const FaultRow& row : fault_rows()) known.emplace_back(row.name);
  for (const PlantedRow& row : kPlanted) known.emplace_back(row.name);
  for (const ShapeFault& row : shape_faults()) known.emplace_back(row.name);
  const std::string near = nearest(name, known);
  return Error{"--fault", "unknown fault '" + std::string(name) + "'",
               near.empty() ? "--list-faults shows them" : "did you mean '" + near + "'?"};
}

std::string list_faults() {
  std::size_t width = 0;
  for (const FaultRow& row : fault_rows()) width = std::max(width, row.name.size());
  std::string out;
  const auto line = [&](std::string_view name, std::string_view help) {
    out += name;
    out.append(std::max(width, name.size()) + 2 - name.size(), ' ');
    out += help;
    out += '\n';
  };
  for (const FaultRow& row : fault_rows()) line(row.name, row.help);
  for (const PlantedRow& row : kPlanted) line(row.name, row.help);
  for (const ShapeFault& row : shape_faults()) line(row.name, help_of(row));
  return out;
}

std::string list_faults_json() {
  std::string out = "[";
  const auto begin = [&](std::string_view name, std::string_view help) {
    if (out.size() > 1) out += ',';
    out += "\n{\"name\":";
    json::append_quoted(out, name);
    out += ",\"help\":";
    json::append_quoted(out, help);
  };
  for (const FaultRow& row : fault_rows()) {
    begin(row.name, row.help);
    out += '}';
  }
  for (const PlantedRow& row : kPlanted) {
    begin(row.name, row.help);
    out += ",\"planted\":{\"profile\":";
    json::append_quoted(out, row.profile);
    out += ",\"transport\":";
    json::append_quoted(out, row.transport);
    out += ",\"frames\":" + std::to_string(row.frames) + ",\"shows\":";
    json::append_quoted(out, row.shows);
    out += "}}";
  }
  for (const ShapeFault& row : shape_faults()) {
    begin(row.name, help_of(row));
    out += ",\"breaks\":";
    json::append_quoted(out, row.clause);
    out += ",\"since\":";
    json::append_quoted(out, row.since);
    out += ",\"until\":";
    json::append_quoted(out, row.until);
    out += '}';
  }
  return out + "\n]\n";
}

}  // namespace harness::reference
