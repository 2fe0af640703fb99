// SPDX-License-Identifier: Apache-2.0
// Tools that ask the client: for an answer of its model, for words of its user, for its roots. In
// the revisions with a handshake these are requests; in 2026-07-28 they are incomplete results.
#pragma once

#include <optional>
#include <string>

#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_inputs.h"

namespace harness::reference {

// Asks the client and turns its result into that of the tool.
using Report = std::string (*)(const json::Value& result);
Outcome asked(Session& session, const CallPtr& call, Question question, Report report);
// The tool's result if the client does not accept such a request.
std::optional<Outcome> not_for_client(const Call& call, const Question& question,
                                      const Faults& faults);
// What Faults do with a response of the client; true if they did something.
bool spoiled(Session& session, const CallPtr& call, const Question& question,
             const json::Value& response);

using Ask = Outcome(Mcp& mcp, Session& session, const CallPtr& call, const json::Value& arguments);

Ask ask_sampling;
Ask ask_sampling_options;  // with every optional param, and tools for a client that accepts them
Ask ask_elicitation;
Ask ask_defaults;
Ask ask_survey;     // a form with one field of each kind
Ask ask_url;        // the user has to open a page
Ask ask_url_first;  // 2025-11-25: rejected until the user has opened a page
Ask ask_roots;

}  // namespace harness::reference
