// SPDX-License-Identifier: Apache-2.0
// The rows of cases/protocol/ within the program, as protocol_pack_main.cc packs them: read when
// they are asked for first.
#include "harness/base/embed.h"
#include "harness/json/packed.h"
#include "harness/spec/protocol.h"

RPCSPEC_EMBEDDED(protocol_rows);

namespace harness::spec {
namespace {

Protocol packed_protocol() {
  std::vector<ProtocolFile> files;
  for (const json::DataFile& file : json::unpacked(protocol_rows()))
    files.push_back({file.name, file.rows});
  Result<Protocol> protocol = read_protocol(files);
  check(static_cast<bool>(protocol), "the packed protocol is damaged");
  return std::move(*protocol);
}

}  // namespace

const Protocol& protocol() {
  static const Protocol kProtocol = packed_protocol();
  return kProtocol;
}

}  // namespace harness::spec
