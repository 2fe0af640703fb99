// SPDX-License-Identifier: Apache-2.0
// What `rpcspec mcp` offers: mcp_offer.json says it. A call becomes work, which is done in a
// process of its own.
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
  std::optional<target::Target> target;  // else what the command and the url name
  std::vector<std::string> command, select;
  std::string url, profile = "auto";
  bool quick = false;
};

// What the server knows of the last run.
struct McpMemory {
  std::string report;   // as JSON; "" before the first
  json::Value outcome;  // what the tool said; null before
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
  std::shared_ptr<const McpRun> run = {};  // of a run that is remembered
  bool is_long = false;                    // it takes seconds
};

// The result of a tool that returns this; of one that says why it did not work.
json::Value mcp_result(const json::Value& said);
json::Value mcp_failure(const std::string& why);

// --- what work does, in a process of its own: what is said on stdout is caught

struct McpSaid {
  int code = 0;
  std::string text;  // on stdout and stderr
};
McpSaid say(const std::vector<std::string>& words);  // a command of rpcspec
McpSaid check_text(const std::string& yaml);         // `rpcspec check` of a file with that text
McpOutcome judge(const McpRun& run, const McpProgress& progress);

class McpOffer {
 public:
  // `target`: what `run` judges; where there is none, its arguments name it. `program`: as rpcspec
  // was called.
  McpOffer(std::optional<target::Target> target, std::string allow_tools, std::string program);

  const std::string& instructions() const { return offer_.find("instructions")->text; }
  // "tools", "resources", "resourceTemplates" or "prompts".
  const json::Value& list(const char* kind) const { return *offer_.find(kind); }

  // Nothing where there is no such tool. An Error is one of the arguments.
  std::optional<Result<McpWork>> call(const std::string& tool, const json::Value& arguments,
                                      const McpMemory& memory) const;
  // Nothing where there is no such resource.
  std::optional<McpWork> read(const std::string& uri, const McpMemory& memory) const;
  std::optional<json::Value> prompt(const std::string& name, const McpMemory& memory) const;

 private:
  Result<McpWork> run(const json::Value& arguments) const;
  static Result<McpWork> replay(const json::Value& arguments, const McpMemory& memory);

  std::optional<target::Target> target_;
  std::string allow_tools_, program_;
  json::Value offer_;
};

// Serves on stdin and stdout until there is no more to come. Returns the exit code.
int serve_mcp(const McpOffer& offer);

}  // namespace harness::cli
