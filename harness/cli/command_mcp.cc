// SPDX-License-Identifier: Apache-2.0
// rpcspec mcp: an MCP server on stdin and stdout, for agents.
#include <memory>
#include <optional>
#include <utility>

#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/mcp_offer.h"

namespace harness::cli {

Command command_mcp(const Invocation& invocation) {
  auto options = std::make_shared<TargetOptions>();
  Command command{"mcp", "Serve the tools of rpcspec to an agent, as an MCP server on stdio"};
  options->add_to(command);
  command.action = [options, &invocation] {
    std::optional<target::Target> target;
    if (invocation.has_target_command || !options->url.empty() || !options->file.empty()) {
      Result<target::Target> resolved = options->resolve(invocation);
      if (!resolved) return complain(resolved.error(), kUsage);
      target = std::move(*resolved);
    }
    return serve_mcp(McpOffer(std::move(target), options->allow_tools, invocation.program));
  };
  return command;
}

}  // namespace harness::cli
