// SPDX-License-Identifier: Apache-2.0
// The list of tools, and calls of them.
#include <algorithm>

#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"
#include "harness/reference/mcp_tasks.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kToolsAPage = 12;

}  // namespace

Outcome Mcp::tools_list(Session& session, const CallPtr& call) {
  if (auto error = odd_app_settings(session, *call)) return *error;
  std::vector<Value> items;
  for (const Tool& tool : tools()) {
    if (!offered(tool, call->version)) continue;
    items.push_back(listed(tool, call->version));
    add_interface(session, *call, items.back());
  }
  return page(*call, "tools", "tools", std::move(items), kToolsAPage);
}

// Whether Faults let all that is wrong with the arguments pass.
static bool overlooked(const Faults& faults, const std::vector<Problem>& problems) {
  const auto one = [&](const Problem& problem) {
    const auto says = [&](const char* words) { return problem.message.rfind(words, 0) == 0; };
    return (says("is required") && faults.has("required-argument-unchecked")) ||
           (says("has to be of type") && faults.has("argument-types-coerced")) ||
           (says("has to be one of") && faults.has("enum-unchecked")) ||
           (says("is not known") && faults.has("unknown-argument-taken")) ||
           (says("is needed beside") && faults.has("dependent-arguments-unchecked")) ||
           ((says("has to be at least") || says("has to be at most")) &&
            faults.has("range-unchecked"));
  };
  return std::all_of(problems.begin(), problems.end(), one);
}

// A tool that runs as a task only, or never, called in the other way.
static std::optional<RpcError> misused(const Tool& tool, const Call& call, bool as_task) {
  const Faults& faults = *call.faults;
  if (call.stateless && tool.as_task == TaskSupport::kRequired && !knows_tasks(call) &&
      !faults.has("task-ext-to-any-client"))
    return needs_tasks_extension(call);
  if (call.version != "2025-11-25") return std::nullopt;
  if (as_task && tool.as_task == TaskSupport::kForbidden && !faults.has("task-of-any-tool") &&
      !faults.has("task-capability-undeclared") && !faults.has("task-param-ignored"))
    return RpcError{kMethodNotFound, "The tool does not run as a task"};
  const bool needs_task =
      tool.as_task == TaskSupport::kRequired ||
      (tool.as_task == TaskSupport::kOptional && faults.has("task-optional-tool-demands-task"));
  if (!as_task && needs_task && !faults.has("task-not-required"))
    return RpcError{kMethodNotFound, "The tool runs as a task only"};
  return std::nullopt;
}

Outcome Mcp::tools_call(Session& session, const CallPtr& call) {
  const Value* name = string_member(call->params, "name");
  if (name == nullptr) return bad_params("name has to be a string");
  if (faults().has("late-cancel-of-call-kills")) server_.memory.tally["called " + call->key] = 1;
  const bool lost = name->text == "test_image_content" && faults().has("listed-tool-unknown");
  const Tool* tool = lost ? nullptr : find_tool(name->text, call->version);
  if (tool == nullptr && faults().has("tool-name-by-prefix"))
    tool = find_tool(name->text.substr(0, name->text.size() - 1), call->version);
  if (tool == nullptr) return RpcError{kInvalidParams, "Unknown tool: " + name->text};
  const Value* given = call->params.find("arguments");
  if (given == nullptr && faults().has("arguments-demanded"))
    return bad_params("arguments are missing");
  Value arguments = given == nullptr ? json::object() : *given;
  if (!arguments.is_object() && faults().has("arguments-type-unchecked"))
    arguments = json::object();
  if (!arguments.is_object() && faults().has("arguments-type-other-code"))
    return RpcError{kInternalError, "arguments have to be an object"};
  if (!arguments.is_object()) return bad_params("arguments have to be an object");
  const bool as_task = call->version == "2025-11-25" && call->params.find("task") != nullptr &&
                       !lacks("tasks/");
  if (auto refusal = misused(*tool, *call, as_task)) return *refusal;
  const bool modern =
      call->stateless || (knows_tasks(*call) && faults().has("task-ext-in-2025-11"));
  if (modern && !lacks("tasks/") && tool->as_task != TaskSupport::kForbidden &&
      (knows_tasks(*call) || faults().has("task-ext-to-any-client")) &&
      problems_of(tool->input_schema, arguments).empty())
    return make_extension_task(session, call, *tool, arguments);
  if (!as_task || (tool->as_task == TaskSupport::kForbidden && faults().has("task-param-ignored")))
    return run_tool(session, call, *tool, arguments);
  return create_task(session, call, [this, tool, arguments](Session& s, const CallPtr& work) {
    return run_tool(s, work, *tool, arguments);
  });
}

Outcome Mcp::run_tool(Session& session, const CallPtr& call, const Tool& tool,
                      const Value& arguments) {
  auto problems = problems_of(tool.input_schema, arguments);
  if (faults().has("nested-arguments-unchecked"))
    std::erase_if(problems, [](const Problem& one) {
      return one.field.find_first_of(".[") != std::string::npos;
    });
  if (!problems.empty()) {
    if (overlooked(faults(), problems)) return tool_text("Done");
    if (faults().has("invalid-arguments-other-code"))
      return RpcError{kInternalError, listed(problems)};
    if (call->version < "2025-11-25") return bad_params(listed(problems));
    return tool_failure("Invalid arguments: " + listed(problems));
  }
  if (auto error = check_inputs(*call)) return *error;
  if (tool.content) return tool_blocks(tool.content->items);
  return tool.run(*this, session, call, arguments);
}

}  // namespace harness::reference
