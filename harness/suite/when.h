// SPDX-License-Identifier: Apache-2.0
// When: for which profiles and over which transports a row, a step or an outcome is meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/wire/transport_kind.h"

namespace harness::suite {

struct When {
  std::vector<std::string> profiles;  // selectors; empty means all
  wire::TransportSet transports = wire::TransportSet::all();
  std::optional<json::Value> value, is;  // for a step: both or neither
};
// For a list of texts; none if there is no list.
std::vector<std::string> texts(const json::Value* list);
// A valid `when:` of a row, a step or an outcome.
When when_of(const json::Value& when);
// Whether it admits the profile and the transport; an unknown transport is always admitted.
bool applies(const When& when, const spec::Profile& profile, wire::TransportKind transport);

}  // namespace harness::suite
