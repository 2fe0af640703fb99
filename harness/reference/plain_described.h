// SPDX-License-Identifier: Apache-2.0
// The methods of the plain profile that stand for its OpenRPC document, plain.openrpc.json.
#pragma once

#include <optional>

#include "harness/reference/session.h"

namespace harness::reference {

// Nothing for a method that is another's.
std::optional<Outcome> answer_described(Session& session, const Call& call);

}  // namespace harness::reference
