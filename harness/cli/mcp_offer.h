// SPDX-License-Identifier: Apache-2.0
// What `rpcspec mcp` offers: mcp_offer.json says it. A call becomes work, which is done in a
// separate process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/target/target.h"

namespace harness::cli {

struct McpRun {
  std::string program, allow_tools;
  std::optional<target::Target> target;  // otherwise what the command and the URL name
  std::vector<std::string> command, select;
  std::string url, profile = "auto";
  bool quick = false;
};

// What the server remembers of the last run.
struct McpMemory {
  std::string report;   // as JSON; "" before the first run
  json::Value outcome;  // the result of the tool; null before
  std::shared_ptr<const McpRun> run;
};

struct McpOutcome {
  json::Value result;  // of the request
  std::string report;  // of a run
  std::string error;   // why there is no result
};

using McpProgress =
    std::function<void(std::int64_t done, std::int64_t total, const std::string& what)>;

struct McpWork {
  std::function<McpOutcome(const McpProgress& progress)> act;
  std::shared_ptr<const McpRun> run = {};  // of a remembered run
  bool is_long = false;                    // it takes seconds
};

// The result of a tool that returns this; the result of a tool that failed, with the reason.
json::Value mcp_result(const json::Value& said);
json::Value mcp_failure(const std::string& why);

// --- the work, in a separate process: its stdout is captured

struct McpSaid {
  int code = 0;
  std::string text;  // on stdout and stderr
};
McpSaid say(const std::vector<std::string>& words);  // a command of rpcspec
McpSaid check_text(const std::string& yaml);         // `rpcspec check` of a file with that text
McpOutcome judge(const McpRun& run, const McpProgress& progress);

class McpOffer {
 public:
  // `target`: what `run` judges; if there is none, the arguments name it. `program`: how the user
  // called rpcspec.
  McpOffer(std::optional<target::Target> target, std::string allow_tools, std::string program);

  const std::string& instructions() const { return offer_.find("instructions")->text; }
  // "tools", "resources", "resourceTemplates" or "prompts".
  const json::Value& list(const char* kind) const { return *offer_.find(kind); }

  // Nothing if there is no such tool. An Error means invalid arguments.
  std::optional<Result<McpWork>> call(const std::string& tool, const json::Value& arguments,
                                      const McpMemory& memory) const;
  // Nothing if there is no such resource.
  std::optional<McpWork> read(const std::string& uri, const McpMemory& memory) const;
  std::optional<json::Value> prompt(const std::string& name, const McpMemory& memory) const;

 private:
  Result<McpWork> run(const json::Value& arguments) const;
  static Result<McpWork> replay(const json::Value& arguments, const McpMemory& memory);

  std::optional<target::Target> target_;
  std::string allow_tools_, program_;
  json::Value offer_;
};

// Serves on stdin and stdout until the input ends. Returns the exit code.
int serve_mcp(const McpOffer& offer);

}  // namespace harness::cli
