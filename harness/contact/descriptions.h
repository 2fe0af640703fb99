// SPDX-License-Identifier: Apache-2.0
// What a plain JSON-RPC server, or its operator, says of its methods: asked for once, at the first
// contact, and from then on what the target is held to.
#pragma once

#include "harness/contact/negotiate.h"

namespace harness::run {

// The result of rpc.discover, or of the method that the operator names; null where none came, or
// where the operator wants none. `listens`: false where the server answered nothing at all.
awaitable<json::Value> ask_description(session::Session& session, const target::Target& target,
                                       bool& listens);

// From now on the target is held to the document that the operator named, or else to `described`:
// its profile has the rows, methods that nobody permitted may not be called, and affordances that
// were not given are filled from calls that it answers.
awaitable<void> take_contract(Negotiated& met, const target::Target& target,
                              const json::Value& described);

}  // namespace harness::run
