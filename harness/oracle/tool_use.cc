// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/tool_use.h"

#include <set>

namespace harness::oracle {
namespace {

using json::Value;

// What one message has of tools.
struct Tools {
  std::set<std::string> uses, results;  // ids
  bool other = false;                   // a block of another type
};

void add_block(const Value& block, Tools& out) {
  const auto text = [&](const char* name) {
    const Value* member = block.is_object() ? block.find(name) : nullptr;
    return member != nullptr && member->is_string() ? member->text : std::string();
  };
  const std::string type = text("type");
  if (type == "tool_use")
    out.uses.insert(text("id"));
  else if (type == "tool_result")
    out.results.insert(text("toolUseId"));
  else
    out.other = true;
}

Tools tools_of(const Value& message) {
  Tools out;
  const Value* content = message.is_object() ? message.find("content") : nullptr;
  if (content == nullptr) return out;
  if (!content->is_array())
    add_block(*content, out);
  else
    for (const Value& block : content->items) add_block(block, out);
  return out;
}

}  // namespace

std::vector<std::string> slips_of_tool_use(const Value* messages) {
  std::set<std::string> slips;
  std::set<std::string> used;  // ids of all uses so far
  std::set<std::string> open;  // of those of the message before
  if (messages == nullptr) return {};
  for (const Value& message : messages->items) {
    const Tools tools = tools_of(message);
    if (!open.empty() && (tools.other || tools.results != open))
      slips.insert("mcp.sampling.tool-use-balanced");
    if (!tools.results.empty() && (tools.other || !tools.uses.empty()))
      slips.insert("mcp.sampling.tool-result-only-message");
    for (const std::string& id : tools.results)
      if (!used.contains(id)) slips.insert("mcp.sampling.tool-result-id-known");
    used.insert(tools.uses.begin(), tools.uses.end());
    open = tools.uses;
  }
  if (!open.empty()) slips.insert("mcp.sampling.tool-use-balanced");
  return {slips.begin(), slips.end()};
}

}  // namespace harness::oracle
