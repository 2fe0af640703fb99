// SPDX-License-Identifier: Apache-2.0
// What of a script can be played on two transports so that it means the same on both. Pure.
#pragma once

#include <optional>
#include <string>

#include "fuzz/script/script.h"
#include "harness/wire/transport_kind.h"

namespace fuzz {

// How messages come to a target, as far as scripts can tell.
enum class Carrier { kLines, kLengths, kHttp, kEventStream, kWebSocket };
// `line`: a message of a stream is a line.
Carrier carrier_of(harness::wire::TransportKind transport, bool line);

// The script as it is played on both. Over the same carrier everything stays, but that messages
// over HTTP, which travel side by side, wait for each other. Over different ones what only one of
// them has goes: bytes outside messages, deliveries, messages that a line cannot hold. Nothing when
// nothing is left, or when it is made for another transport.
std::optional<Script> for_both(const Script& script, Carrier a, Carrier b);

}  // namespace fuzz
