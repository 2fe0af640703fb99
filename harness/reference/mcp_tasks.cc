// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/mcp_tasks.h"

#include <algorithm>
#include <ctime>

#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kTasksAPage = 3;
constexpr std::size_t kKept = 8192;   // bytes of what a task leaves behind
constexpr Micros kBeforeWork = 1000;  // so that the task is told of before anything it does
constexpr int kPollInterval = 40;     // milliseconds

Value shown(const Task& task) {
  Value out =
      json::object({{"taskId", json::string(task.id)}, {"status", json::string(task.status)}});
  if (!task.message.empty()) out.set("statusMessage", json::string(task.message));
  const Faults& faults = *task.work->faults;
  const bool moves = faults.has("task-created-moves") && task.over();
  out.set("createdAt", json::string(moves ? "2001-01-01T00:00:00Z" : task.created));
  out.set("lastUpdatedAt", json::string(task.updated));
  out.set("ttl", task.ttl);
  out.set("pollInterval", json::number(kPollInterval));
  return out;
}

// What tasks/result says of a task that is over.
Outcome fetch(Session& session, Task& task) {
  const Faults& faults = session.server.faults;
  if (!task.outcome) return RpcError{kInternalError, "The task was cancelled"};
  Outcome outcome = *task.outcome;
  if (std::holds_alternative<RpcError>(outcome) && faults.has("task-error-swallowed"))
    outcome = tool_failure("It failed.");
  if (auto* result = std::get_if<Value>(&outcome)) {
    if (faults.has("task-result-wrapped"))
      *result = json::object({{"content", json::array()}, {"result", *result}});
    add_related_task(*result, task.id);
  }
  if (faults.has("task-result-once")) task.outcome.reset();
  if (faults.has("task-dropped-when-fetched"))
    std::erase_if(session.tasks, [&](const auto& one) { return one.get() == &task; });
  return outcome;
}

void end(Session& session, Task& task, std::string status) {
  if (task.creator)
    session.finish(std::exchange(task.creator, nullptr), json::object({{"task", shown(task)}}));
  task.status = std::move(status);
  task.updated = timestamp();
  session.notify("notifications/tasks/status", shown(task), nullptr);
  if (task.status == "cancelled" && session.server.faults.has("task-cancel-unsaid-to-result"))
    return;
  for (const CallPtr& call : std::exchange(task.waiting, {}))
    session.finish(call, fetch(session, task));
}

// The work waits for the client, or goes on.
void wait_for_input(Session& session, Task& task, bool waits) {
  if (task.over() || session.server.faults.has("task-input-unsaid")) return;
  task.status = waits ? "input_required" : "working";
  task.updated = timestamp();
  session.notify("notifications/tasks/status", shown(task), nullptr);
}

void complete(Session& session, Task& task, Outcome outcome) {
  if (task.over() && !session.server.faults.has("task-cancelled-completes")) return;
  std::string status = "completed";
  if (const auto* error = std::get_if<RpcError>(&outcome)) {
    status = "failed";
    task.message = error->message;
  } else if (const auto* result = std::get_if<Value>(&outcome)) {
    const Value* failed = result->find("isError");
    if (failed != nullptr && failed->boolean &&
        !session.server.faults.has("task-failure-completed")) {
      status = "failed";
      const Value* text = json::at(*result, "/content/0/text");
      task.message = text == nullptr ? "The tool failed" : text->text;
    }
  }
  if (session.server.faults.has("task-failure-unexplained")) task.message.clear();
  task.outcome = std::move(outcome);
  end(session, task, std::move(status));
}

// What nobody wants any more; looked for whenever a task is.
void forget(Session& session) {
  const auto over = [&](const std::shared_ptr<Task>& task) {
    const bool expires = task->over() && task->ttl.is_number();
    if (!expires || session.now < task->begun + json::as_double(task->ttl) * 1000) return false;
    if (session.server.faults.has("ended-task-keeps-memory")) session.server.memory.lose(kKept);
    return true;
  };
  std::erase_if(session.tasks, over);
}

// Tasks are a part of one revision only.
bool has_tasks(const Call& call) { return call.version == "2025-11-25"; }
RpcError no_such_method() { return {kMethodNotFound, "Method not found"}; }
RpcError no_such_task(const Call& call) {
  if (call.faults->has("task-unknown-other-code")) return {kInternalError, "No such task"};
  if (call.faults->has("task-error-without-words")) return {kInvalidParams, ""};
  return bad_params("there is no such task");
}

std::shared_ptr<Task> find_task(Session& session, const Call& call) {
  forget(session);
  const Value* id = call.params.find("taskId");
  if (call.faults->has("task-named-by-meta"))
    if (const Value* other = json::at(call.params, "/_meta/io.modelcontextprotocol~1related-task/taskId"))
      id = other;
  if (id == nullptr || !id->is_string()) return nullptr;
  const bool anybodys = call.faults->has("task-for-any-user");
  for (const Session* one : session.server.sessions) {
    if (one != &session && !anybodys) continue;
    for (const auto& task : one->tasks)
      if (task->id == id->text) return task;
  }
  return nullptr;
}

std::string new_task_id(const Session& session, const Value& wanted) {
  const Faults& faults = session.server.faults;
  const Value* own = wanted.find("taskId");
  if (own != nullptr && faults.has("task-id-of-client")) return own->text;
  if (faults.has("task-ids-repeated") && !session.tasks.empty()) return session.tasks.back()->id;
  if (faults.has("task-ids-counted")) return std::to_string(session.tasks.size() + 1);
  return new_session_id();
}

}  // namespace

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Outcome create_task(Session& session, const CallPtr& call,
                    std::function<Outcome(Session&, const CallPtr&)> run) {
  const Faults& faults = *call->faults;
  const Value& wanted = *call->params.find("task");
  const bool checked = !faults.has("task-param-unchecked");
  if (!wanted.is_object() && checked) return bad_params("task has to be an object");
  const Value* ttl = wanted.find("ttl");
  if (ttl != nullptr && checked && (!ttl->is_number() || json::as_double(*ttl) < 0))
    return bad_params("ttl has to be a number that is not negative");
  if (ttl == nullptr && faults.has("task-ttl-demanded")) return bad_params("ttl is missing");
  forget(session);
  auto task = std::make_shared<Task>();
  task->begun = session.now;
  task->id = new_task_id(session, wanted);
  task->created = task->updated = timestamp();
  if (ttl != nullptr) task->ttl = *ttl;
  task->work = std::make_shared<Call>(*call);
  Call& work = *task->work;
  if (faults.has("task-progress-other-token") && work.progress_token)
    work.progress_token = json::string(task->id);
  work.exchange = 0;
  work.batch = nullptr;
  work.deferred = true;
  work.task_id = task->id;
  work.taken = [kept = std::weak_ptr<Task>(task)](Session& s, Outcome outcome) {
    if (const auto one = kept.lock()) complete(s, *one, std::move(outcome));
  };
  work.asks = [kept = std::weak_ptr<Task>(task)](Session& s, bool waits) {
    if (const auto one = kept.lock()) wait_for_input(s, *one, waits);
  };
  session.tasks.push_back(task);
  session.after(task->work, kBeforeWork, [run](Session& s, const CallPtr& c) {
    Outcome outcome = run(s, c);
    if (!std::holds_alternative<Later>(outcome)) s.finish(c, std::move(outcome));
  });
  if (!faults.has("task-created-at-its-end")) return json::object({{"task", shown(*task)}});
  task->creator = call;
  return Later{};
}

Outcome Mcp::tasks_get(Session& session, const CallPtr& call) {
  if (call->stateless) return extension_get(session, *call);
  if (!has_tasks(*call)) return no_such_method();
  const auto task = find_task(session, *call);
  if (!task) return no_such_task(*call);
  if (faults().has("task-get-waits-for-result") && !task->waiting.empty()) {
    task->waiting.push_back(call);
    return Later{};
  }
  const Value answer = shown(*task);
  if (task->over() && faults().has("task-works-again")) task->status = "working";
  return answer;
}

Outcome Mcp::tasks_result(Session& session, const CallPtr& call) {
  if (call->stateless && faults().has("task-ext-old-methods")) return json::object();
  if (!has_tasks(*call)) return no_such_method();
  const auto task = find_task(session, *call);
  if (!task && faults().has("task-result-unknown-silent")) return Silent{};
  if (!task && faults().has("task-result-unknown-empty")) return tool_text("");
  if (!task) return no_such_task(*call);
  if (task->over() && faults().has("task-result-of-newest") && session.tasks.back()->outcome) {
    Task own = *task;
    own.outcome = session.tasks.back()->outcome;
    return fetch(session, own);
  }
  if (task->over()) return fetch(session, *task);
  if (faults().has("task-result-refused-early"))
    return bad_params("the task is not over: " + task->status);
  if (faults().has("task-result-early")) {
    Value early = tool_text("It is not done yet.");
    add_related_task(early, task->id);
    return early;
  }
  task->waiting.push_back(call);
  return Later{};
}

Outcome Mcp::tasks_cancel(Session& session, const CallPtr& call) {
  if (call->stateless) return extension_cancel(session, *call);
  if (!has_tasks(*call)) return no_such_method();
  const auto task = find_task(session, *call);
  if (!task && faults().has("task-cancel-unknown-served")) return json::object();
  if (!task) return no_such_task(*call);
  if (task->over() && !faults().has("task-cancelled-twice"))
    return bad_params("the task is over: " + task->status);
  if (faults().has("task-cancel-ends-all"))
    for (const auto& other : session.tasks)
      if (!other->over()) end(session, *other, "cancelled");
  if (!faults().has("task-cancelled-completes")) task->work->cancelled = true;
  end(session, *task, "cancelled");
  return shown(*task);
}

Outcome Mcp::tasks_list(Session& session, const CallPtr& call) {
  if (call->stateless && faults().has("task-ext-old-methods"))
    return json::object({{"tasks", json::array()}});
  if (!has_tasks(*call)) return no_such_method();
  forget(session);
  std::vector<Value> items;
  for (const auto& task : session.tasks)
    if (!task->over() || !faults().has("task-list-without-finished")) items.push_back(shown(*task));
  if (faults().has("task-list-of-all-users"))
    for (const Session* other : server_.sessions)
      if (other != &session)
        for (const auto& task : other->tasks) items.push_back(shown(*task));
  if (faults().has("task-list-newest-only") && items.size() > 1)
    items.erase(items.begin(), items.end() - 1);
  if (faults().has("task-list-cut") && items.size() > kTasksAPage) items.resize(kTasksAPage);
  if (call->params.find("cursor") != nullptr && faults().has("task-list-cursor-unchecked"))
    return json::object({{"tasks", json::array(std::move(items))}});
  if (call->params.find("cursor") != nullptr && faults().has("task-list-cursor-ignored"))
    std::erase_if(call->params.members, [](const json::Member& one) { return one.name == "cursor"; });
  return page(*call, "tasks", "tasks", std::move(items), kTasksAPage);
}

}  // namespace harness::reference
