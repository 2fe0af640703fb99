// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/both.h"

#include <algorithm>
#include <utility>

#include "fuzz/script/steps.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

// Bodies and WebSocket messages have limits that lines have not; the least usual one is 100 KiB.
constexpr std::size_t kLargest = 64 * 1024;

bool is_stream(Carrier carrier) {
  return carrier == Carrier::kLines || carrier == Carrier::kLengths;
}

bool sends(const Step& step) {
  return std::holds_alternative<Frame>(step) || std::holds_alternative<Raw>(step);
}

// Where the message means the same to both.
bool fits(const Frame& frame, Carrier a, Carrier b) {
  const std::string& bytes = frame.bytes;
  if (bytes.size() > kLargest || bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    return false;
  // A header says what the body does, as far as its sender can read the body.
  const bool http = a == Carrier::kHttp || b == Carrier::kHttp;
  if (http && bytes.starts_with("\xEF\xBB\xBF")) return false;
  const bool line = a == Carrier::kLines || b == Carrier::kLines;
  if (line && bytes.find_first_of("\r\n") != std::string::npos) return false;
  const bool text = a == Carrier::kWebSocket || b == Carrier::kWebSocket;
  return !text || harness::is_utf8(bytes);
}

}  // namespace

Carrier carrier_of(harness::wire::TransportKind transport, bool line) {
  const harness::wire::TransportTraits& traits = harness::wire::traits_of(transport);
  if (traits.http) return traits.exchanges ? Carrier::kHttp : Carrier::kEventStream;
  if (traits.frames) return Carrier::kWebSocket;
  return line ? Carrier::kLines : Carrier::kLengths;
}

std::optional<Script> for_both(const Script& script, Carrier a, Carrier b) {
  if (a == b) return a == Carrier::kHttp ? one_by_one(script) : script;
  if (script.transport != harness::wire::TransportKind::kUnknown) return std::nullopt;
  Script out{script.profile, {}, {}};
  bool counted = false;  // a reference counts the messages before it
  bool left_out = false;
  for (const Step& step : script.steps) {
    if (std::holds_alternative<Raw>(step)) continue;
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr) {
      out.steps.push_back(step);
      continue;
    }
    counted |= !references(frame->bytes).empty();
    if (!fits(*frame, a, b)) {
      left_out = true;
      continue;
    }
    Frame plain{frame->bytes, {}};
    if (is_stream(a) && is_stream(b)) plain.delivery.chunks = frame->delivery.chunks;
    out.steps.emplace_back(std::move(plain));
  }
  const bool empty = std::none_of(out.steps.begin(), out.steps.end(), sends);
  if (empty || (counted && left_out)) return std::nullopt;
  return one_by_one(out);
}

}  // namespace fuzz
