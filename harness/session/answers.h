// SPDX-License-Identifier: Apache-2.0
// What is said to requests of the server: what a case says, or the usual answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/json/value.h"

namespace harness::session {

struct SessionOptions {
  json::Value client_capabilities = json::object();
  // Method of a request of the server, or "*" → what to reply: {result: V}, {error: V}, {raw:
  // TEXT}, or the word none, twice, late (after what comes next), wrong-id, garbage. What is not
  // named gets the usual answer.
  json::Value answers;
};

// Nothing at all, where all are empty.
struct ServerAnswer {
  std::vector<json::Value> now;
  std::optional<std::string> text;  // in place of a message
  std::optional<json::Value> late;  // after the next message of the server
};
ServerAnswer answer_to(const json::Value& request, const SessionOptions& options);

}  // namespace harness::session
