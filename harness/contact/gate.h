// SPDX-License-Identifier: Apache-2.0
// Whether a case can be played against what the target offers. Pure.
#pragma once

#include <string>

#include "harness/contact/offer.h"
#include "harness/spec/profile.h"
#include "harness/suite/case.h"

namespace harness::run {

// Why the case cannot be played against this offer; empty if it can.
struct Gate {
  std::string not_applicable;
  std::string inconclusive;
  std::string remedy;
  bool open() const { return not_applicable.empty() && inconclusive.empty(); }
};
// `capabilities` is what the server declared, or null. A capability that the profile does not have
// requires nothing.
Gate gate(const suite::Case& scenario, const Offer& offer, const json::Value* capabilities,
          const spec::Profile& profile);

}  // namespace harness::run
