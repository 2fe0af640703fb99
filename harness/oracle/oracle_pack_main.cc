// SPDX-License-Identifier: Apache-2.0
// Build tool: packs the rows of cases/oracles/.
//   rpcspec-pack-oracles FOLDER OUTPUT
#include "harness/oracle/oracle_rows.h"

int main(int argc, char** argv) {
  return harness::json::pack_folder(argc, argv, [](const auto& files) -> harness::Status {
    const auto rows = harness::oracle::read_oracle_rows(files);
    return rows ? harness::Status(harness::Nothing{}) : rows.error();
  });
}
