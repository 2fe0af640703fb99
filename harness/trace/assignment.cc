// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/assignment.h"

#include <limits>

namespace harness::trace {

// Rows are added one by one, each along the cheapest alternating path; potentials keep the reduced
// costs from falling below zero. Row and column 0 are the usual sentinels.
std::vector<std::size_t> cheapest_assignment(const std::vector<std::vector<std::int64_t>>& costs) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  const std::size_t size = costs.size();
  std::vector<std::int64_t> row_potential(size + 1), column_potential(size + 1);
  std::vector<std::size_t> row_of(size + 1), came_from(size + 1);
  for (std::size_t row = 1; row <= size; ++row) {
    row_of[0] = row;
    std::size_t column = 0;
    std::vector<std::int64_t> least(size + 1, kFar);
    std::vector<bool> used(size + 1);
    do {
      used[column] = true;
      const std::size_t from = row_of[column];
      std::int64_t step = kFar;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= size; ++j) {
        if (used[j]) continue;
        const std::int64_t reduced =
            costs[from - 1][j - 1] - row_potential[from] - column_potential[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          came_from[j] = column;
        }
        if (least[j] < step) {
          step = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= size; ++j) {
        if (used[j]) {
          row_potential[row_of[j]] += step;
          column_potential[j] -= step;
        } else if (least[j] != kFar) {
          least[j] -= step;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    for (; column != 0; column = came_from[column]) row_of[column] = row_of[came_from[column]];
  }
  std::vector<std::size_t> out(size);
  for (std::size_t j = 1; j <= size; ++j) out[row_of[j] - 1] = j - 1;
  return out;
}

}  // namespace harness::trace
