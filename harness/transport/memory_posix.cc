// SPDX-License-Identifier: Apache-2.0
// POSIX does not say what memory another process holds.
#include "harness/transport/memory.h"

namespace harness::transport {

std::optional<std::uint64_t> resident_bytes(int) { return std::nullopt; }

}  // namespace harness::transport
