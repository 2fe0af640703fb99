// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace fuzz {
namespace {

// 99.5 % quantiles of Student's t for 1, 2, … degrees of freedom; beyond, those of 30 are a little
// on the safe side.
constexpr std::array<double, 30> kStudent = {
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169,
    3.106,  3.055, 3.012, 2.977, 2.947, 2.921, 2.898, 2.878, 2.861, 2.845,
    2.831,  2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750};

double mean_of(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end) {
  return begin == end ? 0 : std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

}  // namespace

Interval interval_of(const std::vector<double>& values) {
  Interval out;
  out.mean = mean_of(values.begin(), values.end());
  if (values.size() < 2) {
    out.low = -std::numeric_limits<double>::infinity();
    out.high = std::numeric_limits<double>::infinity();
    return out;
  }
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  const auto free = static_cast<double>(values.size() - 1);
  const double error = std::sqrt(squares / free / static_cast<double>(values.size()));
  const double width = kStudent[std::min(values.size() - 2, kStudent.size() - 1)] * error;
  out.low = out.mean - width;
  out.high = out.mean + width;
  return out;
}

Growth growth_of(const std::vector<double>& levels) {
  Growth out;
  if (levels.size() < 3) {
    out.step = interval_of({});
    return out;
  }
  std::vector<double> steps;
  for (std::size_t i = 1; i < levels.size(); ++i) steps.push_back(levels[i] - levels[i - 1]);
  out.step = interval_of(steps);
  out.total = levels.back() - levels.front();
  const auto half = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  const double earlier = mean_of(steps.begin(), half), later = mean_of(half, steps.end());
  out.goes_on = later > 0 && later >= earlier / 2;
  return out;
}

Interval exponent_of(const std::vector<std::vector<double>>& rows) {
  const std::size_t sizes = rows.empty() ? 0 : rows.front().size();
  if (sizes < 2) return interval_of({});
  const auto doublings = [](double cost, double before) {
    return std::log2(std::max(cost, 1e-9) / std::max(before, 1e-9));
  };
  std::vector<double> slopes;
  for (const std::vector<double>& row : rows)
    slopes.push_back(doublings(row.back(), row.front()) / static_cast<double>(sizes - 1));
  Interval out = interval_of(slopes);
  for (std::size_t i = 1; i < sizes; ++i) {
    std::vector<double> steps;
    for (const std::vector<double>& row : rows) steps.push_back(doublings(row[i], row[i - 1]));
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    out.mean = std::min(out.mean, *middle);
  }
  out.low = std::min(out.low, out.mean);
  return out;
}

}  // namespace fuzz
