// SPDX-License-Identifier: Apache-2.0
// Names to bits, and the list for people and programs.
#include "harness/reference/faults.h"

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::reference {

Status Faults::add(std::string_view name) {
  for (std::size_t i = 0; i < kFaultCount; ++i) {
    if (kFaults[i].name == name) {
      set_.set(i);
      return Nothing{};
    }
  }
  for (std::size_t i = 0; i < kPlantedCount; ++i) {
    if (kPlanted[i].name == name) {
      set_.set(kFaultCount + i);
      return Nothing{};
    }
  }
  for (const ShapeFault& row : shape_faults()) {
    if (row.name == name) {
      shapes_.push_back(&row);
      return Nothing{};
    }
  }
  std::vector<std::string> known;
  for (const FaultRow& row : kFaults) known.emplace_back(row.name);
  for (const PlantedRow& row : kPlanted) known.emplace_back(row.name);
  for (const ShapeFault& row : shape_faults()) known.emplace_back(row.name);
  const std::string near = nearest(name, known);
  return Error{"--fault", "unknown fault '" + std::string(name) + "'",
               near.empty() ? "--list-faults shows them" : "did you mean '" + near + "'?"};
}

std::string list_faults() {
  std::size_t width = 0;
  for (const FaultRow& row : kFaults) width = std::max(width, row.name.size());
  std::string out;
  const auto line = [&](std::string_view name, std::string_view help) {
    out += name;
    out.append(std::max(width, name.size()) + 2 - name.size(), ' ');
    out += help;
    out += '\n';
  };
  for (const FaultRow& row : kFaults) line(row.name, row.help);
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
  for (const FaultRow& row : kFaults) {
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
