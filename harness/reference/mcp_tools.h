// SPDX-License-Identifier: Apache-2.0
// The tools of the MCP profiles: rows of fixtures.json, and code for those that do something.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/argument_check.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {

// 2025-11-25: whether a tool runs as a task.
enum class TaskSupport { kForbidden, kOptional, kRequired };

struct Tool {
  std::string name, description;
  json::Value input_schema;
  std::optional<json::Value> output_schema, content;  // what it returns, if that is always the same
  std::string since, until;  // first revision, and the first without it; "" where there is none
  bool read_only = true;
  TaskSupport as_task = TaskSupport::kForbidden;
  Outcome (*run)(Mcp& mcp, Session& session, const CallPtr& call,
                 const json::Value& arguments) = nullptr;
};

const std::vector<Tool>& tools();
bool offered(const Tool& tool, const std::string& version);
const Tool* find_tool(std::string_view name, const std::string& version);
// An entry of tools/list.
json::Value listed(const Tool& tool, const std::string& version);

json::Value tool_text(std::string_view text);
json::Value tool_blocks(std::vector<json::Value> blocks);
// A result with isError.
json::Value tool_failure(std::string_view text);

// A tool with an interface.
Outcome show_card(Mcp& mcp, Session& session, const CallPtr& call, const json::Value& arguments);

// Arguments of tools/call that HTTP headers mirror: {argument, "Mcp-Param-Region"}.
std::vector<std::pair<std::string, std::string>> mirrored_arguments(std::string_view tool);

}  // namespace harness::reference
