// SPDX-License-Identifier: Apache-2.0
// Answers to requests of the server: those of the case, or the usual ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"
#include "harness/suite/answer.h"

namespace harness::session {

struct SessionOptions {
  json::Value client_capabilities = json::object();
  suite::Answers answers;  // other methods get the usual answer
};

// No response at all, if all are empty.
struct ServerAnswer {
  std::vector<json::Value> now;
  std::optional<std::string> text;  // instead of a message
  std::optional<json::Value> late;  // after the next message of the server
  bool made = true;                 // false: the form does not allow such an answer; it is declined
};
ServerAnswer answer_to(const json::Value& request, const SessionOptions& options);

// 2026-07-28: `request`, which got the input_required result `asked`, with answers to all of its
// inputRequests. Nothing if one of them gets no result: then the client gives up.
std::optional<json::Value> repeated_with_answers(json::Value request, const json::Value& asked,
                                                 const SessionOptions& options, bool& made);

}  // namespace harness::session
