// SPDX-License-Identifier: Apache-2.0
// The rows a case is played with: those of its table, once for everything that its loop is over.
// Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "harness/contact/offer.h"
#include "harness/suite/case.h"

namespace harness::run {

struct Rows {
  std::vector<json::Value> rows;  // column → value; at least one unless a loop has nothing to do
  std::string not_applicable;     // why there are none
  std::string inconclusive;       // likewise
  std::string remedy;
  std::string note;                // about what was left out
  std::set<std::string> withheld;  // tools left out because they are forbidden
};
Rows rows_of(const suite::Case& scenario, const Offer& offer);

// Of a long list, some elements, evenly spread.
class Spread {
 public:
  static constexpr std::size_t kMost = 16;
  explicit Spread(std::size_t all, std::size_t most = kMost)
      : all_(all), size_(std::min(all, most)) {}
  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t i) const { return i * all_ / size_; }  // a place in the list
  bool whole() const { return size_ == all_; }

 private:
  std::size_t all_, size_;
};

// The name of the row in a report; "" if a case has only one.
std::string label_of(const suite::Case& scenario, const json::Value& row);

}  // namespace harness::run
