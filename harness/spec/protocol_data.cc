// SPDX-License-Identifier: Apache-2.0
// The rows of cases/protocol/ within the program, as the JSON that protocol_pack_main.cc makes of
// them: an object of files, read when they are asked for first.
#include <string_view>

#include "harness/json/read.h"
#include "harness/spec/protocol.h"

asm(R"(
    .section .rodata
    .global rpcspec_protocol_begin
    .global rpcspec_protocol_end
rpcspec_protocol_begin:
    .incbin ")" RPCSPEC_PROTOCOL R"("
rpcspec_protocol_end:
    .byte 0
    .previous
)");
extern "C" const char rpcspec_protocol_begin[];
extern "C" const char rpcspec_protocol_end[];

namespace harness::spec {
namespace {

Protocol packed() {
  const json::Value all = json::parse(
      std::string_view(rpcspec_protocol_begin,
                       static_cast<std::size_t>(rpcspec_protocol_end - rpcspec_protocol_begin)));
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
