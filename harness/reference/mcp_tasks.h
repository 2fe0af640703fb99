// SPDX-License-Identifier: Apache-2.0
// Tasks of 2025-11-25: a tools/call that is answered at once, while the tool runs beside it and its
// result is fetched later.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/reference/mcp_tools.h"

namespace harness::reference {

// A task belongs to the session that created it and lives as long; after it has ended, no longer
// than its client requested.
struct Task {
  std::string id;
  std::string status = "working";
  std::string message;  // why it failed; "" otherwise
  std::string created, updated;
  Micros begun = 0;
  json::Value ttl;  // as the client requested, null for none
  CallPtr work;     // the tool's call, which nobody waits for
  std::optional<Outcome> outcome;
  std::vector<CallPtr> waiting;  // calls of tasks/result
  CallPtr creator;               // for a Fault: the tools/call that waits for the end

  bool over() const { return status != "working" && status != "input_required"; }
};

// The current time in the form that tasks use.
std::string timestamp();

// The reply to tools/call with a `task`. `run` is what the call does without a task.
Outcome create_task(Session& session, const CallPtr& call,
                    std::function<Outcome(Session&, const CallPtr&)> run);

}  // namespace harness::reference
