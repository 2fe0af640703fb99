// SPDX-License-Identifier: Apache-2.0
// The cheapest way to pair things off: which reply without an id may answer which message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace harness::trace {

// For a square matrix of costs, row by row: the column of each row that minimises the sum (the
// Hungarian method, cubic in the size).
std::vector<std::size_t> cheapest_assignment(const std::vector<std::vector<std::int64_t>>& costs);

}  // namespace harness::trace
