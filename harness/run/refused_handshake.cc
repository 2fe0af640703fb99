// SPDX-License-Identifier: Apache-2.0
#include "harness/run/refused_handshake.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"
#include "harness/spec/sample.h"

namespace harness::run {
namespace {

constexpr std::size_t kLongestSeen = 200;

bool has_all(const json::Value& all, const json::Value& given) {
  return std::all_of(given.members.begin(), given.members.end(), [&](const json::Member& member) {
    const json::Value* known = all.find(member.name);
    return known && has_all(*known, member.value);
  });
}

}  // namespace

bool is_defined(const json::Value& client_capabilities, const spec::Profile& profile) {
  const spec::TypeRow* type = spec::protocol().find_type("ClientCapabilities");
  return type && has_all(spec::sample(*type, profile, {true, 0}), client_capabilities);
}

std::optional<oracle::Finding> refusal_of_handshake(const trace::Slice& slice,
                                                    const json::Value& client_capabilities,
                                                    const spec::Profile& profile,
                                                    const spec::Registry& registry) {
  const std::vector<wire::Frame>& frames = slice.transcript->frames;
  oracle::Finding finding;
  std::string id;
  for (std::size_t i = 0; i < frames.size() && i < slice.messages.size(); ++i) {
    const wire::Message& message = slice.messages[i];
    const bool sent = frames[i].direction == wire::Direction::kSent;
    if (sent && message.kind == wire::MessageKind::kRequest && message.method() &&
        message.method()->text == "initialize") {
      id = message.key;
      finding.frames = {frames[i].seq};
    } else if (!sent && !id.empty() && message.key == id &&
               message.kind == wire::MessageKind::kErrorResponse) {
      finding.frames.push_back(frames[i].seq);
      finding.came = oracle::observed(message);
      finding.seen = printable(json::write(message.value), kLongestSeen);
    }
  }
  if (finding.frames.size() != 2) return std::nullopt;
  finding.requirement = is_defined(client_capabilities, profile)
                            ? "mcp.lifecycle.version-supported-echo"
                            : "mcp.lifecycle.client-capabilities-open";
  const spec::Requirement* requirement = registry.find(finding.requirement);
  if (!requirement || !spec::applies(*requirement, profile, slice.transcript->transport))
    return std::nullopt;
  finding.severity = oracle::Severity::kFail;
  finding.expected = "initialize is answered whatever capabilities the client declares, here " +
                     printable(json::write(client_capabilities), kLongestSeen);
  return finding;
}

}  // namespace harness::run
