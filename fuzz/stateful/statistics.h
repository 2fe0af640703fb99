// SPDX-License-Identifier: Apache-2.0
// What a few measurements prove. Pure. README.md says why it is done this way.
#pragma once

#include <cstddef>
#include <vector>

namespace fuzz {

// A mean, and where it lies with 99 % certainty by Student's t: two-sided, so either bound by
// itself holds with 99.5 %. Of fewer than two values the interval is without bounds.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
};
Interval interval_of(const std::vector<double>& values);

// How a quantity went on while something was repeated: `levels` are taken before the first block
// and after each; all blocks are alike.
struct Growth {
  Interval step;         // of one block to the next
  double total = 0;      // from the first level to the last
  bool goes_on = false;  // the later half still grows, at least half as fast as the earlier one
};
Growth growth_of(const std::vector<double>& levels);

// The exponent e in cost ~ size^e, at least. Each row has the costs of the same sizes, each twice
// the one before it; a row is one measurement of all of them. From one size to the next it has to
// rise like that each time, by the median of the rows: a single jump, as where a limit is crossed,
// is no exponent. Costs are above 0.
Interval exponent_of(const std::vector<std::vector<double>>& rows);

}  // namespace fuzz
