// SPDX-License-Identifier: Apache-2.0
// Offer: what the target offers, found out once before the cases are played.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contact/protection.h"
#include "harness/json/value.h"
#include "harness/target/lists.h"

namespace harness::spec {
class Known;
}

namespace harness::contract {
struct InUse;
}

namespace harness::run {

struct Offer : target::Lists {
  json::Value versions = json::array();          // supportedVersions of server/discover
  json::Value affordances = json::object();      // named by the operator, or recognised
  std::map<std::string, std::string> forbidden;  // tools and methods not to call, and why
  const contract::InUse* contract = nullptr;     // plain JSON-RPC: its contract, if there is one
  std::vector<std::string> methods;              // plain JSON-RPC: a few that it lists
  std::vector<std::string> examples;             // of JSON-RPC 2.0 §7, which it serves
  bool http_sessions = false;                    // it issues session ids
  bool http_loopback = false;                    // it is reached on this machine
  bool unanswered = false;                       // nothing that could be the canary was answered
  bool reads_as_one = false;       // of two messages in one write, not both are answered
  bool mixes_ids = false;          // or both are, but not each under its own id
  bool one_by_one = false;         // no two connections are open beside each other
  bool http = false;               // it is reached over HTTP
  bool dual_era = false;           // speaks both a handshake and the stateless revision
  bool refuses_stateless = false;  // this one was requested, and another was the reply
  // The code for an unknown method, if that is the canary: a code other than -32601 is reported
  // once, by the case about it, and is the usual reply elsewhere.
  std::optional<std::int64_t> usual_error;
  std::shared_ptr<spec::Known> known;  // the lists, common to all sessions
  Protection protection;               // how it treats requests without its credentials
};

}  // namespace harness::run
