// SPDX-License-Identifier: Apache-2.0
// Build tool: packs the rows of faults/.
//   rpcspec-pack-faults FOLDER OUTPUT
#include "harness/reference/fault_row.h"

int main(int argc, char** argv) {
  return harness::json::pack_folder(argc, argv, [](const auto& files) -> harness::Status {
    const auto rows = harness::reference::read_fault_rows(files);
    return rows ? harness::Status(harness::Nothing{}) : rows.error();
  });
}
