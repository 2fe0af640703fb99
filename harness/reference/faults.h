// SPDX-License-Identifier: Apache-2.0
// Faults: the named defects the reference server can be given. A Fault is one row of faults/ and,
// unless the row itself says what changes where, one `faults.has(NAME)` in the code, at the place
// where a sound server is correct. Names are hashed at compile time: on a sound server, each check
// costs one bit test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/reference/fault_row.h"

namespace harness::reference {

// The name of a Fault as a number: FNV-1a of its letters. A test ensures that no two rows share a
// number, and that each name in the code has a row.
class FaultName {
 public:
  constexpr FaultName(std::string_view name) {
    for (const char letter : name) {
      number_ ^= static_cast<unsigned char>(letter);
      number_ *= 0x100000001b3;
    }
  }
  consteval FaultName(const char* name) : FaultName(std::string_view(name)) {}
  constexpr std::uint64_t number() const { return number_; }

 private:
  std::uint64_t number_ = 0xcbf29ce484222325;
};

class Faults {
 public:
  bool has(FaultName fault) const {
    return (filter_ & bit(fault)) != 0 &&
           std::find(set_.begin(), set_.end(), fault.number()) != set_.end();
  }
  // The rows that are edits or reactions.
  const std::vector<FaultRow>& edits() const { return edits_; }
  bool any() const { return filter_ != 0; }
  // The Error names the most similar Fault.
  Status add(std::string_view name);

 private:
  static std::uint64_t bit(FaultName fault) { return std::uint64_t{1} << (fault.number() >> 58); }

  std::uint64_t filter_ = 0;  // one bit for each active Fault
  std::vector<std::uint64_t> set_;
  std::vector<FaultRow> edits_;
};

// For `--list-faults`: one line each, or a JSON array of {name, help} and details.
std::string list_faults();
std::string list_faults_json();
// Planted ones have `planted`: {profile, transport, frames, shows}; those of a shape have `breaks`,
// the requirement, and `since` and `until`, the revisions in which they act.
json::Value details_of(const FaultRow& row);

}  // namespace harness::reference
