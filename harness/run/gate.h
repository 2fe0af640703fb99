// SPDX-License-Identifier: Apache-2.0
// Whether a case can be played against what the target offers. Pure.
#pragma once

#include <string>

#include "harness/run/offer.h"
#include "harness/suite/case.h"

namespace harness::run {

// Why the case cannot be played against this offer; empty when it can.
struct Gate {
  std::string not_applicable;
  std::string inconclusive;
  std::string remedy;
  bool open() const { return not_applicable.empty() && inconclusive.empty(); }
};
// `capabilities` is what the server declared, or null.
Gate gate(const suite::Case& scenario, const Offer& offer, const json::Value* capabilities);

}  // namespace harness::run
