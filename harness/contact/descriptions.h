// SPDX-License-Identifier: Apache-2.0
// What a plain JSON-RPC server, or its operator, says of its methods: asked for once, at the first
// contact, and from then on what the target is held to.
#pragma once

#include "harness/contact/negotiate.h"

namespace harness::run {

// The result of rpc.discover, or of the method that the operator names; null if none came, or the
// operator wants none. `listens`: false if the server answered nothing at all.
awaitable<json::Value> ask_description(session::Session& session, const target::Target& target,
                                       bool& listens);

// From now on the target is tested against the document that the operator named, or else against
// `described`: its profile has the rows, methods that nobody allowed are forbidden, and missing
// affordances are filled from calls that it answers.
awaitable<void> take_contract(Negotiated& met, const target::Target& target,
                              const json::Value& described);

}  // namespace harness::run
