// SPDX-License-Identifier: Apache-2.0
// What a few measurements prove. Pure. README.md says why it is done this way.
#pragma once

#include <vector>

namespace fuzz {

// A mean and its 99 % confidence interval by Student's t: two-sided, so either bound alone holds
// with 99.5 %. For fewer than two values the interval is unbounded.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
};
Interval interval_of(const std::vector<double>& values);

// The course of a quantity while something was repeated: `levels` are taken before the first block
// and after each; all blocks are alike.
struct Growth {
  Interval step;         // from one block to the next
  double total = 0;      // from the first level to the last
  bool goes_on = false;  // the second half still grows, at least half as fast as the first one
};
Growth growth_of(const std::vector<double>& levels);

// The exponent e in cost ~ size^e, at least. Each row has the costs of the same sizes, each twice
// the one before it; a row is one measurement of all of them. By the median of the rows, the cost
// has to rise like that from each size to the next: a single jump, as at a limit, is not an
// exponent. Costs are above 0.
Interval exponent_of(const std::vector<std::vector<double>>& rows);

}  // namespace fuzz
