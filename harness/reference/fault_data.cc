// SPDX-License-Identifier: Apache-2.0
// The rows of faults/ within the program, as fault_pack_main.cc packs them. A server reads those of
// its own Faults alone.
#include "harness/base/embed.h"
#include "harness/reference/fault_row.h"

RPCSPEC_EMBEDDED(packed_faults);

namespace harness::reference {

const std::vector<FaultRow>& fault_rows() {
  static const std::vector<FaultRow> kRows = [] {
    Result<std::vector<FaultRow>> rows = read_fault_rows(json::unpacked(packed_faults()));
    check(static_cast<bool>(rows), "the packed Faults are damaged");
    return std::move(*rows);
  }();
  return kRows;
}

std::optional<FaultRow> fault_named(std::string_view name) {
  const std::string key = '"' + std::string(name) + "\":";
  std::string_view rest = packed_faults();
  for (std::size_t at; (at = rest.find(key)) != rest.npos;) {
    const std::size_t begin = rest.rfind('\n', at) + 1;
    const std::size_t end = rest.find('\n', at);
    Result<std::vector<FaultRow>> rows =
        read_fault_rows(json::unpacked(rest.substr(begin, end - begin)));
    check(static_cast<bool>(rows), "the packed Faults are damaged");
    for (FaultRow& row : *rows)
      if (row.name == name) return std::move(row);
    rest.remove_prefix(end + 1);
  }
  return std::nullopt;
}

const std::vector<const FaultRow*>& shape_faults() {
  static const std::vector<const FaultRow*> kShapes = [] {
    std::vector<const FaultRow*> shapes;
    for (const FaultRow& row : fault_rows())
      if (!row.breaks.empty()) shapes.push_back(&row);
    return shapes;
  }();
  return kShapes;
}

}  // namespace harness::reference
