// SPDX-License-Identifier: Apache-2.0
// Tasks of 2026-07-28, the extension io.modelcontextprotocol/tasks: a tools/call that is answered
// with a task, which is looked at, answered and cancelled by its id, over whatever connection. The
// state of a task depends only on the time, so nothing runs between requests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/reference/mcp_inputs.h"

namespace harness::reference {

inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

struct ExtensionTask {
  std::string id;
  std::string request;  // key of the id of the call that created it
  std::string user;     // whose call that was
  std::string created, updated;
  Micros begun = 0;
  Micros due = 0;  // when its work ends, if nothing is open then
  bool cancelled = false;
  bool shown_over = false;
  Outcome outcome;
  std::vector<Question> open;   // sent, one after the other
  std::vector<Question> asked;  // already
};
using ExtensionTaskPtr = std::shared_ptr<ExtensionTask>;

// Whether this request says that its client supports the extension.
bool knows_tasks(const Call& call);
// -32021, naming the extension.
RpcError needs_tasks_extension(const Call& call);
ExtensionTaskPtr new_extension_task(const Call& call, Outcome outcome, Micros now, Micros work);
// Its members as tasks/get shows them at that time.
json::Value shown(ExtensionTask& task, const Faults& faults, Micros now);
// The reply to tools/call.
json::Value created(ExtensionTask& task, const Faults& faults, Micros now);
// Accepts the answers to what is open; ignores others.
void take_answers(ExtensionTask& task, const json::Value& answers, const Faults& faults,
                  Micros now);

}  // namespace harness::reference
