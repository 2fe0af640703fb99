// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/mcp_task_extension.h"

#include <algorithm>

#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_tasks.h"
#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr Micros kAfterAnswers = 20'000;
constexpr Micros kUnfindable = 300'000;  // a Fault's
constexpr int kPollIntervalMs = 50;

std::string status_of(const ExtensionTask& task, Micros now) {
  if (task.cancelled) return "cancelled";
  if (!task.open.empty()) return "input_required";
  if (now < task.due) return "working";
  return std::holds_alternative<RpcError>(task.outcome) ? "failed" : "completed";
}

bool is_failure(const Outcome& outcome) {
  const Value* result = std::get_if<Value>(&outcome);
  const Value* failed = result == nullptr ? nullptr : result->find("isError");
  return failed != nullptr && failed->boolean;
}

Value open_requests(const ExtensionTask& task) {
  Value requests = json::object();
  const Question& one = task.open.front();
  requests.set(one.key,
               json::object({{"method", json::string(one.method)}, {"params", one.params}}));
  return requests;
}

}  // namespace

bool knows_tasks(const Call& call) {
  const Faults& faults = *call.faults;
  if (call.client_capabilities.find("tasks") != nullptr && faults.has("task-ext-legacy-capability"))
    return true;
  const Value* extensions = call.client_capabilities.find("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->find(kTasksExtension) != nullptr;
}

RpcError needs_tasks_extension(const Call& call) {
  const Faults& faults = *call.faults;
  Value extensions = json::object();
  extensions.set(kTasksExtension, json::object());
  RpcError error{kMissingCapability, "The client has to know the extension for tasks",
                 json::object({{"requiredCapabilities",
                                json::object({{"extensions", std::move(extensions)}})}})};
  if (faults.has("task-ext-need-other-code")) error.code = kInvalidRequest;
  if (faults.has("task-ext-need-unnamed")) error.data.reset();
  return error;
}

ExtensionTaskPtr new_extension_task(const Call& call, Outcome outcome, Micros now, Micros work) {
  auto task = std::make_shared<ExtensionTask>();
  task->id = new_session_id();
  task->request = call.key;
  task->user = call.user;
  task->created = task->updated = timestamp();
  task->begun = now;
  task->due = now + work;
  task->outcome = std::move(outcome);
  return task;
}

Value shown(ExtensionTask& task, const Faults& faults, Micros now) {
  std::string status = status_of(task, now);
  if (task.cancelled && now >= task.due && faults.has("task-ext-cancelled-completes"))
    status = "completed";
  if (status == "completed" && is_failure(task.outcome) && faults.has("task-ext-failure-failed"))
    status = "failed";
  const bool over = status != "working" && status != "input_required";
  if (task.shown_over && faults.has("task-ext-works-again")) status = "working";
  task.shown_over |= over;
  Value out = json::object({{"taskId", json::string(task.id)},
                            {"status", json::string(status)},
                            {"createdAt", json::string(task.created)},
                            {"lastUpdatedAt", json::string(task.updated)},
                            {"ttlMs", json::null()},
                            {"pollIntervalMs", json::number(kPollIntervalMs)}});
  if (status == "input_required" && !faults.has("task-ext-input-unlisted"))
    out.set("inputRequests", open_requests(task));
  if (status == "completed" && !faults.has("task-ext-result-left-out"))
    out.set("result", std::get<Value>(task.outcome));
  if (status == "failed") {
    RpcError error{kInternalError, "The tool failed"};
    if (const auto* given = std::get_if<RpcError>(&task.outcome)) error = *given;
    if (!faults.has("task-ext-failed-unexplained"))
      out.set("statusMessage", json::string(error.message));
    if (!faults.has("task-ext-error-left-out"))
      out.set("error", json::object({{"code", json::number(error.code)},
                                     {"message", json::string(error.message)}}));
  }
  return out;
}

Value created(ExtensionTask& task, const Faults& faults, Micros now) {
  Value out = shown(task, faults, now);
  // What comes later is for tasks/get.
  std::erase_if(out.members, [](const json::Member& member) {
    return member.name == "inputRequests" || member.name == "result" || member.name == "error";
  });
  if (faults.has("task-ext-nested")) out = json::object({{"task", std::move(out)}});
  const bool typed = !faults.has("task-ext-typed-complete");
  out.set("resultType", json::string(typed ? "task" : "complete"));
  return out;
}

void take_answers(ExtensionTask& task, const Value& answers, const Faults& faults, Micros now) {
  if (task.open.empty() || faults.has("task-ext-keeps-asking")) return;
  Question& question = task.open.front();
  if (answers.find(question.key) == nullptr) return;
  const std::string key = question.key;
  task.asked.push_back(std::move(question));
  task.open.erase(task.open.begin());
  if (!task.open.empty() && faults.has("task-ext-key-used-again")) task.open.front().key = key;
  task.updated = timestamp();
  if (task.open.empty()) task.due = now + kAfterAnswers;
}

Outcome Mcp::make_extension_task(Session& session, const CallPtr& call, const Tool& tool,
                                 const Value& arguments) {
  const Value* ms = arguments.find("durationMs");
  const bool slow = std::string_view(tool.name) == "slow_operation";
  const double work = slow ? (ms == nullptr ? 1000 : json::as_double(*ms)) : 50;
  std::vector<Question> questions;
  if (std::string_view(tool.name) == "approval" &&
      (call->client_capabilities.find("elicitation") != nullptr ||
       faults().has("task-ext-asks-undeclared")))
    questions = {elicitation("approver", "Who approves?", "name", "string"),
                 elicitation("reason", "Why?", "reason", "string")};
  Outcome outcome = slow || std::string_view(tool.name) == "approval"
                        ? Outcome(tool_text("It is done."))
                        : run_tool(session, call, tool, arguments);
  const auto task = new_extension_task(*call, std::move(outcome), session.now,
                                       static_cast<Micros>(work * 1000));
  task->open = std::move(questions);
  if (faults().has("task-ext-ids-counted")) task->id = std::to_string(extension_tasks_.size() + 1);
  extension_tasks_.push_back(task);
  // Nothing is to be done then, but hosts turn the clock to what is due.
  session.after(call, task->due - session.now, [](Session&, const CallPtr&) {});
  return created(*task, faults(), session.now);
}

ExtensionTaskPtr Mcp::find_extension_task(const Call& call, Micros now) const {
  const Value* id = string_member(call.params, "taskId");
  if (id == nullptr) return nullptr;
  for (const auto& task : extension_tasks_) {
    if (task->id != id->text) continue;
    if (task->user != call.user && !faults().has("task-ext-for-any-user")) continue;
    if (task->cancelled && faults().has("task-ext-forgotten-when-cancelled")) continue;
    const bool hidden = faults().has("task-ext-found-late") && now < task->begun + kUnfindable;
    return hidden ? nullptr : task;
  }
  return nullptr;
}

// The task that a request names, or why it is not served.
std::variant<ExtensionTaskPtr, RpcError> Mcp::extension_task_of(const Call& call, Micros now) const {
  if (!knows_tasks(call) && !faults().has("task-ext-open-to-all"))
    return needs_tasks_extension(call);
  if (ExtensionTaskPtr task = find_extension_task(call, now)) return task;
  if (faults().has("task-ext-unknown-other-code"))
    return RpcError{kInternalError, "No such task"};
  return bad_params("there is no such task");
}

Outcome Mcp::extension_get(Session& session, const Call& call) {
  auto found = extension_task_of(call, session.now);
  if (const auto* error = std::get_if<RpcError>(&found)) return *error;
  Value out = shown(*std::get<ExtensionTaskPtr>(found), faults(), session.now);
  if (faults().has("task-ext-get-typed-task")) out.set("resultType", json::string("task"));
  if (out.find("result") != nullptr && faults().has("task-ext-result-of-newest")) {
    const Value newest = shown(*extension_tasks_.back(), faults(), session.now);
    if (const Value* result = newest.find("result")) out.set("result", *result);
  }
  return out;
}

Outcome Mcp::tasks_update(Session& session, const CallPtr& call) {
  auto found = extension_task_of(*call, session.now);
  if (const auto* error = std::get_if<RpcError>(&found)) return *error;
  const auto& task = std::get<ExtensionTaskPtr>(found);
  const Value* answers = call->params.find("inputResponses");
  if (answers == nullptr || !answers->is_object())
    return bad_params("inputResponses has to be an object");
  if (faults().has("task-ext-foreign-key-refused"))
    for (const json::Member& answer : answers->members)
      if (task->open.empty() || task->open.front().key != answer.name)
        return bad_params("nobody asked for " + answer.name);
  take_answers(*task, *answers, faults(), session.now);
  tell_of_task(task);
  if (faults().has("task-ext-update-shows-task")) return shown(*task, faults(), session.now);
  return json::object();
}

Outcome Mcp::extension_cancel(Session& session, const Call& call) {
  auto found = extension_task_of(call, session.now);
  if (const auto* error = std::get_if<RpcError>(&found)) return *error;
  const auto& task = std::get<ExtensionTaskPtr>(found);
  const std::string status = status_of(*task, session.now);
  const bool open = status == "working" || status == "input_required";
  if (!open && faults().has("task-ext-cancel-over-kills")) session.exit_status = 1;
  if (open) {
    task->cancelled = true;
    task->updated = timestamp();
    tell_of_task(task);
  }
  if (faults().has("task-ext-cancel-shows-task")) return shown(*task, faults(), session.now);
  return json::object();
}

// Each subscription to the task is told at once, and again when its work is done.
void Mcp::tell_of_task(const ExtensionTaskPtr& task) {
  for (const Listener& one : live_listeners()) {
    const Value* ids = one.wanted.find("taskIds");
    if (ids == nullptr || !ids->is_array()) continue;
    const bool wanted = std::any_of(ids->items.begin(), ids->items.end(),
                                    [&](const Value& id) { return id.text == task->id; });
    if (wanted) follow_task(*one.session, one.call, task);
  }
}

void Mcp::follow_task(Session& session, const CallPtr& listen, const ExtensionTaskPtr& task) {
  Value params = shown(*task, faults(), session.now);
  if (faults().has("task-ext-told-without-result"))
    std::erase_if(params.members, [](const json::Member& one) { return one.name == "result"; });
  const bool older = faults().has("task-ext-told-as-status");
  session.notify(older ? "notifications/tasks/status" : "notifications/tasks",
                 tagged(std::move(params), *listen, true), listen.get());
  if (faults().has("task-ext-progress-on-listen"))
    session.notify("notifications/progress",
                   tagged(json::object({{"progressToken", json::string(task->id)},
                                        {"progress", json::number(1)}}),
                          *listen, true),
                   listen.get());
  if (status_of(*task, session.now) != "working") return;
  session.after(listen, task->due - session.now, [this, task](Session& s, const CallPtr& call) {
    if (status_of(*task, s.now) != "working") follow_task(s, call, task);
  });
}

// What a subscription is told it will hear of, or why it is refused.
std::optional<RpcError> Mcp::listen_to_tasks(const Call& call, const Value& filter,
                                             Value& agreed) const {
  const Value* ids = filter.find("taskIds");
  if (ids == nullptr) return std::nullopt;
  if (!knows_tasks(call) && !faults().has("task-ext-listen-open"))
    return needs_tasks_extension(call);
  if (!ids->is_array()) return bad_params("taskIds has to be a list of ids");
  Value known = json::array();
  for (const Value& id : ids->items)
    for (const auto& task : extension_tasks_)
      if (id.is_string() && task->id == id.text && task->user == call.user)
        known.items.push_back(id);
  if (!known.items.empty() && !faults().has("task-ext-ack-without-ids"))
    agreed.set("taskIds", std::move(known));
  return std::nullopt;
}

void Mcp::begin_to_tell_of_tasks(Session& session, const CallPtr& listen) {
  const Value* filter = listen->params.find("notifications");
  const Value* ids = filter == nullptr ? nullptr : filter->find("taskIds");
  if (ids == nullptr || !ids->is_array()) return;
  for (const Value& id : ids->items)
    for (const auto& task : extension_tasks_)
      if (id.is_string() && task->id == id.text && task->user == listen->user)
        follow_task(session, listen, task);
}

}  // namespace harness::reference
