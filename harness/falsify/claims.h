// SPDX-License-Identifier: Apache-2.0
// Claims: who says that it catches which Fault of the reference server. A case and an oracle name
// their Faults; a Fault of a shape names the clause it breaks, and whoever covers that clause has
// to cite it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/suite/loader.h"

namespace harness::falsify {

// Watchers are "a/b/c" (a case), "oracle/NAME" and "clause/ID".
struct Claims {
  std::map<std::string, std::set<std::string>> by_fault;
  // Faults of shapes whose clause nobody covers yet.
  std::vector<std::string> unclaimed;
};

// `only`: globs of watchers and Faults; empty means all.
Claims claims_of(const suite::Suite& suite, const std::vector<std::string>& only);

}  // namespace harness::falsify
