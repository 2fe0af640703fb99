// SPDX-License-Identifier: Apache-2.0
// POSIX does not say who listens at a port.
#include "harness/base/port_owner.h"

namespace harness {

std::vector<long> processes_at(std::uint16_t) { return {}; }

}  // namespace harness
