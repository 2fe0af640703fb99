// SPDX-License-Identifier: Apache-2.0
// Offer: what the target offers, found out once before the cases are played.
#pragma once

#include <map>
#include <string>

#include "harness/json/value.h"
#include "harness/run/protection.h"
#include "harness/target/lists.h"

namespace harness::run {

struct Offer : target::Lists {
  json::Value versions = json::array();          // supportedVersions of server/discover
  json::Value affordances = json::object();      // told by the operator, or recognised
  std::map<std::string, std::string> forbidden;  // tools that may not be called, and why
  bool http_sessions = false;                    // it issues session ids
  bool http_loopback = false;                    // it is reached on this machine
  bool dual_era = false;  // speaks both a handshake and the stateless revision
  Protection protection;  // what it does without the credentials it was given
};

}  // namespace harness::run
