// SPDX-License-Identifier: Apache-2.0
// What of a script can be played on two transports so that it means the same on both. Pure.
#pragma once

#include <optional>

#include "fuzz/script/script.h"
#include "harness/wire/transport_kind.h"

namespace fuzz {

// How messages reach a target, as far as a script can observe it.
enum class Carrier { kLines, kLengths, kHttp, kEventStream, kWebSocket };
// `line`: a message of a stream is a line.
Carrier carrier_of(harness::wire::TransportKind transport, bool line);

// The script as it is played on both sides. With the same transport everything is kept, but
// messages over HTTP, which travel in parallel, wait for each other. With different transports,
// what only one of them has is dropped: bytes outside messages, delivery options, messages that do
// not fit on a line. Nothing when no step is left, or when the script was written for another
// transport.
std::optional<Script> for_both(const Script& script, Carrier a, Carrier b);

}  // namespace fuzz
