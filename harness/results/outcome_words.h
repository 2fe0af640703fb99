// SPDX-License-Identifier: Apache-2.0
// What outcomes expect, whatever came: in words for people, and as a value to compare findings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/match/matcher.h"
#include "harness/oracle/observation.h"
#include "harness/spec/profile.h"
#include "harness/suite/outcome.h"
#include "harness/wire/transport_kind.h"

namespace harness::run {

struct Judging {
  const match::MatchContext& match;
  const spec::Profile& profile;
  const wire::TransportKind transport;
  const suite::OutcomeSets& sets;
  const spec::Canary canary;                     // a copy: sessions change within a case
  std::optional<std::int64_t> usual_error = {};  // see Offer
};

// Resolves the name of a set to its outcomes; other outcomes stay as they are.
const suite::Outcomes& whole(const suite::Outcomes& outcomes, const Judging& judging);

// "error -32600, or HTTP status 4xx; tolerated: no reply"
std::string words_of(const suite::Outcomes& outcomes, const Judging& judging);

// The names of all headers that the outcomes mention here, each once.
std::vector<std::string> headers_in(const suite::Outcomes& outcomes, const Judging& judging);

// Everything that may come here without a note. An error with any code has no code here.
oracle::Wanted wanted_of(const suite::Outcomes& outcomes, const Judging& judging);

}  // namespace harness::run
