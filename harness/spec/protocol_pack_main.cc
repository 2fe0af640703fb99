// SPDX-License-Identifier: Apache-2.0
// Build tool: packs the rows of cases/protocol/.
//   rpcspec-pack-protocol FOLDER OUTPUT
#include "harness/json/packed.h"
#include "harness/spec/protocol.h"

int main(int argc, char** argv) {
  return harness::json::pack_folder(argc, argv, [](const auto& files) -> harness::Status {
    std::vector<harness::spec::ProtocolFile> rows;
    for (const auto& file : files) rows.push_back({file.name, file.rows});
    const auto protocol = harness::spec::read_protocol(rows);
    return protocol ? harness::Status(harness::Nothing{}) : protocol.error();
  });
}
