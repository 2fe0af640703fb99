// SPDX-License-Identifier: Apache-2.0
// Faults: the named defects the reference server can be given. A Fault is one row of the table in
// fault_table.h, or of planted_table.h when it is for the fuzzer to find, and one
// `faults.has("its-name")` at the place where a sound server does the right thing. The name is
// looked up while compiling, so a hook without a row does not build, and asking costs one bit test.
// Faults of the shape of one message need no hook: they are rows of shape_fault_table.h.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/reference/fault_table.h"
#include "harness/reference/planted_table.h"
#include "harness/reference/shape_faults.h"

namespace harness::reference {

// The number of a Fault, from its name; a name that is in no row stops the compiler.
class FaultName {
 public:
  consteval FaultName(const char* name) : number_(number_of(name)) {}
  constexpr std::size_t number() const { return number_; }

 private:
  static consteval std::size_t number_of(std::string_view name) {
    for (std::size_t i = 0; i < kFaultCount; ++i) {
      if (kFaults[i].name == name) return i;
    }
    for (std::size_t i = 0; i < kPlantedCount; ++i) {
      if (kPlanted[i].name == name) return kFaultCount + i;
    }
    throw "there is no such row in fault_table.h, nor in planted_table.h";
  }
  std::size_t number_;
};

class Faults {
 public:
  bool has(FaultName fault) const { return set_[fault.number()]; }
  const std::vector<const ShapeFault*>& shapes() const { return shapes_; }
  bool any() const { return set_.any() || !shapes_.empty(); }
  // The Error names the nearest Fault there is.
  Status add(std::string_view name);

 private:
  std::bitset<kFaultCount + kPlantedCount> set_;
  std::vector<const ShapeFault*> shapes_;
};

// For `--list-faults`: one line each, or a JSON array of {name, help}; planted ones have `planted`
// besides: {profile, transport, frames, shows}; those of a shape have `breaks`, the requirement,
// and `since` and `until`, the revisions in which they act.
std::string list_faults();
std::string list_faults_json();

}  // namespace harness::reference
