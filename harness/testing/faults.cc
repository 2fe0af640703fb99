// SPDX-License-Identifier: Apache-2.0
// Names to bits, and the list for people and programs.
#include "harness/testing/faults.h"

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::testing {

Status Faults::add(std::string_view name) {
  for (std::size_t i = 0; i < kFaultCount; ++i) {
    if (kFaults[i].name == name) {
      set_.set(i);
      return Nothing{};
    }
  }
  std::vector<std::string> known;
  for (const FaultRow& row : kFaults) known.emplace_back(row.name);
  const std::string near = nearest(name, known);
  return Error{"--fault", "unknown fault '" + std::string(name) + "'",
               near.empty() ? "--list-faults shows them" : "did you mean '" + near + "'?"};
}

std::string list_faults() {
  std::size_t width = 0;
  for (const FaultRow& row : kFaults) width = std::max(width, row.name.size());
  std::string out;
  for (const FaultRow& row : kFaults) {
    out += row.name;
    out.append(width + 2 - row.name.size(), ' ');
    out += row.help;
    out += '\n';
  }
  return out;
}

std::string list_faults_json() {
  std::string out = "[";
  for (const FaultRow& row : kFaults) {
    if (out.size() > 1) out += ',';
    out += "\n{\"name\":";
    json::append_quoted(out, row.name);
    out += ",\"help\":";
    json::append_quoted(out, row.help);
    out += '}';
  }
  return out + "\n]\n";
}

}  // namespace harness::testing
