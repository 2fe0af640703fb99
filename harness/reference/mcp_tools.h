// SPDX-License-Identifier: Apache-2.0
// The tools of the MCP profiles: one row each, with the revisions that have it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/argument_check.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {

// 2025-11-25: whether a tool runs as a task.
enum class TaskSupport { kForbidden, kOptional, kRequired };

struct Tool {
  const char* name;
  const char* description;
  const char* input_schema;   // JSON text
  const char* output_schema;  // JSON text or null
  const char* since;          // first revision, "" for all
  const char* until;          // first revision without it, "9" for none
  bool read_only;
  Outcome (*run)(Mcp& mcp, Session& session, const CallPtr& call, const json::Value& arguments);
  TaskSupport as_task = TaskSupport::kForbidden;
};

const std::vector<Tool>& tools();
bool offered(const Tool& tool, const std::string& version);
const Tool* find_tool(std::string_view name, const std::string& version);
json::Value input_schema(const Tool& tool);
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
