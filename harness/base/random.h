// SPDX-License-Identifier: Apache-2.0
// A number nobody can foretell, from the kernel. (std::random_device asks newer C libraries than
// those a package has to run with.)
#pragma once

#include <cstdint>

namespace harness {

std::uint64_t random_number();

}  // namespace harness
