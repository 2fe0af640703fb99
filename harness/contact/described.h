// SPDX-License-Identifier: Apache-2.0
// What a plain JSON-RPC server says of its own methods, taken up at the first contact.
#pragma once

#include "harness/contact/offer.h"
#include "harness/session/session.h"

namespace harness::run {

// Makes the affordance `openrpc` of the document that the operator gave, or of the one that
// rpc.discover gives, and drops what was told of it otherwise. Affordances that plain cases need
// (`known_method`, `method.positional` …) are filled from calls that may be made, where nobody
// named any and the server does what the document says.
session::awaitable<void> take_description(session::Session& session, Offer& offer);

}  // namespace harness::run
