// SPDX-License-Identifier: Apache-2.0
// Target: the server under test: how to start or reach it, and what its operator told us about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::target {

enum class Allow {
  kListed,    // only tools the operator listed
  kReadOnly,  // those, and tools annotated readOnlyHint (the default)
  kAny,       // every tool
};

struct Target {
  std::string name;                   // for reports
  std::vector<std::string> command;   // program and arguments; empty when only a URL is given
  std::string cwd;                    // "" is ours
  std::vector<std::pair<std::string, std::string>> env;  // added to our environment
  std::string url;                    // "" when the command is driven over stdio
  std::string profile;                // "" or "auto" when the description does not say
  Allow allow = Allow::kReadOnly;
  std::vector<std::string> listed_tools;
  json::Value affordances = json::object();  // "tool.slow" → {name, arguments}, "known_method" → …
  std::string file;                   // the description, "" when the command line said it all
  std::string spec;                   // the TARGET as a user would type it again

  bool stdio() const { return url.empty(); }
};

// Reads a description (cases/../harness/target/README.md) or the `mcpServers` JSON of MCP clients;
// `reference` is FILE or FILE#NAME.
Result<Target> load_target(const std::string& reference);

}  // namespace harness::target
