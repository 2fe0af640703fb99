// SPDX-License-Identifier: Apache-2.0
// The rows of cases/protocol/ within the program, as the JSON that protocol_pack_main.cc makes of
// them: an object of files, read when they are asked for first.
#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "harness/spec/protocol.h"

RPCSPEC_EMBED(protocol_rows, RPCSPEC_PROTOCOL);

namespace harness::spec {
namespace {

Protocol packed() {
  const json::Value all = json::parse(protocol_rows());
  std::vector<ProtocolFile> files;
  for (const json::Member& file : all.members) files.push_back({file.name, file.value});
  Result<Protocol> protocol = read_protocol(files);
  check(static_cast<bool>(protocol), "the packed protocol is damaged");
  return std::move(*protocol);
}

}  // namespace

const Protocol& protocol() {
  static const Protocol kProtocol = packed();
  return kProtocol;
}

}  // namespace harness::spec
