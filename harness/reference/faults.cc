// SPDX-License-Identifier: Apache-2.0
// Names to numbers, and the list for people and programs.
#include "harness/reference/faults.h"

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::reference {

Status Faults::add(std::string_view name) {
  if (std::optional<FaultRow> row = fault_named(name)) {
    set_.push_back(FaultName(name).number());
    filter_ |= bit(name);
    if (!row->edits.empty() || row->reaction) edits_.push_back(std::move(*row));
    return Nothing{};
  }
  std::vector<std::string> known;
  for (const FaultRow& row : fault_rows()) known.push_back(row.name);
  const std::string near = nearest(name, known);
  return Error{"--fault", "unknown fault '" + std::string(name) + "'",
               near.empty() ? "--list-faults shows them" : "did you mean '" + near + "'?"};
}

std::string list_faults() {
  std::size_t width = 0;
  for (const FaultRow& row : fault_rows()) width = std::max(width, row.name.size());
  std::string out;
  for (const FaultRow& row : fault_rows()) {
    out += row.name;
    out.append(width + 2 - row.name.size(), ' ');
    out += row.help + '\n';
  }
  return out;
}

std::string list_faults_json() {
  std::string out;
  for (const FaultRow& row : fault_rows()) {
    json::Value one =
        json::object({{"name", json::string(row.name)}, {"help", json::string(row.help)}});
    for (const json::Member& more : details_of(row).members) one.set(more.name, more.value);
    out += (out.empty() ? "[\n" : ",\n") + json::write(one);
  }
  return out + "\n]\n";
}

json::Value details_of(const FaultRow& row) {
  json::Value out = json::object();
  if (row.planted)
    out.set("planted", json::object({{"profile", json::string(row.planted->profile)},
                                     {"transport", json::string(row.planted->transport)},
                                     {"frames", json::number(row.planted->frames)},
                                     {"shows", json::string(row.planted->shows)}}));
  if (row.breaks.empty()) return out;
  for (const auto& [name, value] :
       {std::pair{"breaks", &row.breaks}, {"since", &row.since}, {"until", &row.until}})
    out.set(name, json::string(*value));
  return out;
}

}  // namespace harness::reference
