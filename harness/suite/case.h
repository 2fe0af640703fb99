// SPDX-License-Identifier: Apache-2.0
// Case: one scenario read from YAML. The language is described in cases/GRAMMAR.md; this is its
// parsed form. Patterns and rows stay json::Values: they are filled in and matched when played.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/suite/step.h"
#include "harness/wire/transport_kind.h"

namespace harness::suite {

struct Requires {
  std::string kind;  // "capability", "affordance", "era", "http", "auth"
  std::string name;
};

struct Case {
  std::string id;    // its path (loader.h) below the suite folder
  std::string file;  // for errors
  std::string title;
  std::vector<std::string> covers;
  std::vector<std::string> profiles;  // selectors; empty means all
  wire::TransportSet transports = wire::TransportSet::all();
  Need need = Need::kReady;
  std::vector<Requires> gates;
  std::vector<std::string> falsified_by;
  std::optional<Answers> answers;   // to requests of the server
  json::Value client_capabilities;  // null: the harness's own
  std::vector<json::Value> table;   // rows; empty means one nameless row
  bool growing = false;             // each row sends more than the one before
  bool survey = false;  // played first, alone: it shows how the target treats a class of messages
  std::string for_each_name;  // loop variable, "" when there is no loop
  // "tools", "resources", "templates", "prompts", "versions", "completions"; or what to make:
  // "arguments" of tools, "prompt-arguments", "uris"
  std::string for_each_list;
  std::string for_each_kind;                 // the kind to make: "valid", "unknown", …
  std::vector<std::string> for_each_of;      // keywords of their schema; empty means all
  std::vector<json::Value> for_each_values;  // values to use in it; empty: plain values
  std::vector<Step> steps;
  std::set<std::string> references;  // everywhere in it, by their paths: "target.tool.echo.name"
};

}  // namespace harness::suite
