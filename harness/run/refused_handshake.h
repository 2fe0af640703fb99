// SPDX-License-Identifier: Apache-2.0
// The finding if a target refuses a handshake for the client's capabilities: the same handshake
// with others is accepted. Pure.
#pragma once

#include <optional>

#include "harness/json/value.h"
#include "harness/oracle/finding.h"
#include "harness/spec/profile.h"
#include "harness/spec/requirement.h"
#include "harness/trace/trace.h"

namespace harness::run {

// Everything in it may be declared by a client under the revision of the profile.
bool is_defined(const json::Value& client_capabilities, const spec::Profile& profile);

// `slice` is the refused session, on which `client_capabilities` were declared. Nothing if its
// initialize was not answered by an error, or if no clause of the profile forbids that.
std::optional<oracle::Finding> refusal_of_handshake(const trace::Slice& slice,
                                                    const json::Value& client_capabilities,
                                                    const spec::Profile& profile,
                                                    const spec::Registry& registry);

}  // namespace harness::run
