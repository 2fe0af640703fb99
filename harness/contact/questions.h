// SPDX-License-Identifier: Apache-2.0
// What a target is asked at the first contact beside its handshake, and by which request it is seen
// from then on whether it is there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/contact/offer.h"
#include "harness/session/session.h"

namespace harness::run {

using session::awaitable;

// The reply to one request; null where none came for so long.
awaitable<const json::Value*> ask(session::Session& session, std::string_view method,
                                  json::Value params, std::chrono::milliseconds patience);

// The capabilities that a server has by what it serves: of tools, resources and prompts those whose
// list is answered with a result. Null: it serves none of them.
awaitable<json::Value> served_features(session::Session& session);

// Gives the session the canary that this server answers: that of the profile, where it does; else a
// list that is served; else a method that nobody has, which is answered by an error. Where it
// answers nothing at all, that of the profile.
awaitable<void> choose_canary(session::Session& session, Offer& offer);

// Plain JSON-RPC over HTTP, and what nobody has is told by the status alone: the canary is what
// lists the methods of such a server. False where nothing does.
awaitable<bool> choose_listing(session::Session& session);
// Names of methods that a plain JSON-RPC server lists when it is asked in one of the usual ways
// (rpc.discover, system.listMethods …); a few of them, none where it lists nothing.
awaitable<std::vector<std::string>> listed_methods(session::Session& session);
// Asks the operator for what is missing where no method of such a server is known.
std::string request_for_methods(const Offer& offer);

}  // namespace harness::run
