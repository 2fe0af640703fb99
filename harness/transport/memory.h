// SPDX-License-Identifier: Apache-2.0
// resident_bytes(): how much memory the processes of a target hold.
#pragma once

#include <cstdint>
#include <optional>

namespace harness::transport {

// The resident set of all processes of the group together; shared pages count in each. Nothing if
// there is no such process.
std::optional<std::uint64_t> resident_bytes(int process_group);

}  // namespace harness::transport
