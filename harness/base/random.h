// SPDX-License-Identifier: Apache-2.0
// An unpredictable number from the kernel. (std::random_device needs newer C libraries than our
// packages support.)
#pragma once

#include <cstdint>

namespace harness {

std::uint64_t random_number();

}  // namespace harness
