// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/line.h"

#include <string_view>
#include <vector>

#include "harness/wire/message.h"

namespace harness::trace {
namespace {

// Where a member says that a message stands there; in a string its quotes are escaped.
std::vector<std::size_t> messages_in(const std::string& bytes) {
  constexpr std::string_view kMember = "\"jsonrpc\"";
  std::vector<std::size_t> out;
  for (std::size_t i = 0; (i = bytes.find(kMember, i)) != std::string::npos; ++i)
    if (i == 0 || bytes[i - 1] != '\\') out.push_back(i);
  return out;
}

}  // namespace

Line line_of(const std::string& bytes) {
  if (!bytes.starts_with("{") || wire::read_message(bytes).is_json) return Line::kOther;
  const std::vector<std::size_t> messages = messages_in(bytes);
  if (messages.size() < 2) return Line::kCut;
  if (bytes.size() >= kLongLine) return Line::kLongRunInto;
  const std::size_t second = bytes.rfind('{', messages[1]);
  // What stands behind a colon is a value of the first, that holds such a member.
  if (second == std::string::npos || second == 0 || bytes[second - 1] == ':') return Line::kOther;
  return wire::read_message(bytes.substr(0, second)).is_json ? Line::kOther : Line::kMixed;
}

}  // namespace harness::trace
