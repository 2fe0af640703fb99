// SPDX-License-Identifier: Apache-2.0
// Questions to the client inside results, as 2026-07-28 has them: a call that lacks answers is
// replied with input_required, and repeated by the client with inputResponses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/session.h"

namespace harness::reference {

struct Question {
  std::string key;
  std::string method;  // elicitation/create, sampling/createMessage, roots/list
  json::Value params;
};
Question elicitation(std::string key, std::string_view message, std::string_view field,
                     std::string_view type);
Question sampling(std::string key, std::string_view prompt);
Question roots(std::string key);
// The capability that a client declares to get such requests.
std::string capability_for(std::string_view method);
// Whether a result is a possible answer; for a form also whether its content fits the schema.
bool fits(const Question& question, const json::Value& answer);

// `text` with a seal that only this program makes; opened() returns the text if the seal is intact,
// or, with a Fault, in any case.
std::string sealed(const std::string& text);
std::optional<std::string> opened(const std::string& token, bool unsealed_too = false);
// A requestState, which belongs to its user alone.
std::string state_for(const Call& call, const std::string& text);
std::optional<std::string> state_of_user(const Call& call, const std::string& token,
                                         bool unsealed_too = false);

// Whether inputResponses and requestState have the right types, if present.
std::optional<RpcError> check_inputs(const Call& call);
// -32021 if the client did not declare one of these.
std::optional<RpcError> missing_capabilities(const Call& call, std::vector<std::string> needed);
// The reply if not every request has a valid answer; `state` is sealed.
std::optional<Outcome> unanswered(const Call& call, const std::vector<Question>& questions,
                                  const std::string& state = "");
const json::Value* answer_to(const Call& call, std::string_view key);
// A field that the user filled in, or "(decline)".
std::string said_by_user(const Call& call, std::string_view key, std::string_view field);

}  // namespace harness::reference
