// SPDX-License-Identifier: Apache-2.0
// The rows of cases/protocol/ within the program, as protocol_pack_main.cc packs them: read when
// they are asked for first.
#include "harness/base/embed.h"
#include "harness/json/packed.h"
#include "harness/spec/protocol_files.h"

RPCSPEC_EMBEDDED(protocol_rows);

namespace harness::spec {

std::vector<ProtocolFile> protocol_files() {
  std::vector<ProtocolFile> files;
  for (const json::DataFile& file : json::unpacked(protocol_rows()))
    files.push_back({file.name, file.rows});
  return files;
}

namespace {

Protocol packed_protocol() {
  Result<Protocol> protocol = read_protocol(protocol_files());
  check(static_cast<bool>(protocol), "the packed protocol is damaged");
  return std::move(*protocol);
}

}  // namespace

const Protocol& protocol() {
  static const Protocol kProtocol = packed_protocol();
  return kProtocol;
}

}  // namespace harness::spec
