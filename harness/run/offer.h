// SPDX-License-Identifier: Apache-2.0
// Offer: what the target offers, found out once before the cases are played.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/json/value.h"
#include "harness/run/protection.h"

namespace harness::run {

struct Offer {
  json::Value tools = json::array();
  json::Value resources = json::array();
  json::Value templates = json::array();  // of resources
  json::Value prompts = json::array();
  json::Value versions = json::array();          // supportedVersions of server/discover
  json::Value affordances = json::object();      // told by the operator, or recognised
  std::map<std::string, std::string> forbidden;  // tools that may not be called, and why
  bool http_sessions = false;                    // it issues session ids
  bool http_loopback = false;                    // it is reached on this machine
  bool dual_era = false;  // speaks both a handshake and the stateless revision
  // The code with which it refuses a method nobody has, where that is the canary: others than
  // -32601 are told once, by the case about them, and are its usual reply elsewhere.
  std::optional<std::int64_t> usual_error;
  Protection protection;  // what it does without the credentials it was given

  // Where the list is kept that a result has under this name; null for one that no case asks for.
  json::Value* list(std::string_view items) {
    return items == "tools"               ? &tools
           : items == "resources"         ? &resources
           : items == "resourceTemplates" ? &templates
           : items == "prompts"           ? &prompts
                                          : nullptr;
  }
};

}  // namespace harness::run
