// SPDX-License-Identifier: Apache-2.0
// The requests of the first contact besides the handshake, and the choice of the canary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/contact/offer.h"
#include "harness/session/session.h"

namespace harness::run {

using session::awaitable;

// The reply to one request; null if none came in this time.
awaitable<const json::Value*> ask(session::Session& session, std::string_view method,
                                  json::Value params, std::chrono::milliseconds patience);

// The capabilities that a server shows by serving them: those of tools, resources and prompts whose
// list returns a result. Null if none does.
awaitable<json::Value> served_features(session::Session& session);

// Gives the session a canary that this server answers: that of the profile, if answered; otherwise
// a list that is served; otherwise an unknown method, which gets an error. If it answers nothing,
// that of the profile.
awaitable<void> choose_canary(session::Session& session, Offer& offer);

// Plain JSON-RPC: if the method that the operator named is slow, replies are waited for longer, and
// a method that nobody has, if it is refused sooner, is the canary.
awaitable<void> spare_slow_method(session::Session& session, Offer& offer);

// Whether several canaries in one write are all answered. The session remembers a reply without an
// id, to recognise it later.
awaitable<bool> answers_canaries(session::Session& session, int how_many);

// For plain JSON-RPC over HTTP if an unknown method gets only a status: the canary becomes the
// request that lists the methods. False if there is none.
awaitable<bool> choose_listing(session::Session& session);
// Names of methods that a plain JSON-RPC server lists when asked in one of the usual ways
// (rpc.discover, system.listMethods …); a few of them, none if it lists nothing.
// `described`: the reply to rpc.discover; null if there was none.
awaitable<std::vector<std::string>> listed_methods(session::Session& session,
                                                   const json::Value& described);
// Whether a response to an initialize of MCP may be that of an agent, whose versions are numbers:
// it opens a session of agents, or knows initialize and refuses the params.
bool may_be_agent(const json::Value& reply);
// Whether the result of an initialize of ACP has what nobody else says; what comes back as it was
// sent is no answer of an agent.
bool is_agent(const json::Value& agreed);

// Adds the examples of JSON-RPC 2.0 §7 that the server answers with the result that stands there:
// methods that may be called. Returns their names.
awaitable<std::vector<std::string>> served_examples(session::Session& session,
                                                    json::Value& affordances);
// Asks the operator to name methods if none of the server is known but examples.
std::string request_for_methods(const Offer& offer);

}  // namespace harness::run
