// SPDX-License-Identifier: Apache-2.0
// Case: one scenario read from YAML. The language is described in cases/GRAMMAR.md; this is its
// parsed form. Patterns stay json::Values: they are expanded and matched when played.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/wire/transport_kind.h"

namespace harness::suite {

// The session a case asks for; see `session` in cases/GRAMMAR.md.
enum class Need { kReady, kBare, kFresh, kDisposable };

// What `auth:` of a step may say; target/auth.h knows what each means.
inline std::vector<std::string> credential_showings() {
  return {"usual", "none", "wrong", "cut", "unsigned", "lower-case"};
}

struct Requires {
  std::string kind;  // "capability", "affordance", "era", "auth"
  std::string name;
};

struct Case {
  std::string id;    // path below the suite folder, without ".yaml"
  std::string file;  // for errors
  std::string title;
  std::vector<std::string> covers;
  std::vector<std::string> profiles;  // selectors; empty means all
  wire::TransportSet transports = wire::TransportSet::all();
  Need need = Need::kReady;
  std::vector<Requires> gates;
  std::vector<std::string> falsified_by;
  json::Value answers;                   // method → reply to server requests; null when none
  json::Value client_capabilities;       // null: the harness's own
  std::vector<json::Value> table;        // rows; empty means one nameless row
  std::string for_each_name;             // loop variable, "" when there is no loop
  std::string for_each_list;             // "tools", "resources", "prompts", "versions", "arguments"
  std::string for_each_kind;             // of arguments: "valid", "minimal", "boundary" or "broken"
  std::vector<std::string> for_each_of;  // keywords of their schema; empty means all
  json::Value steps;                     // array, checked by the loader
};

}  // namespace harness::suite
