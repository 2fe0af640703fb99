// SPDX-License-Identifier: Apache-2.0
// For tests: plays messages to the engine on a clock turned by hand and returns what it says.
#pragma once

#include <string>
#include <vector>

#include "harness/reference/session.h"

namespace harness::reference {

// A conversation with one session of a fresh server.
class Conversation {
 public:
  Conversation(const std::string& profile, const std::vector<std::string>& faults = {});

  // The immediate output of the server.
  std::vector<std::string> say(const std::string& message);
  // Its output in the next `seconds`.
  std::vector<std::string> wait(double seconds);
  // A handshake for `revision`, with a client that declares everything.
  void open(const std::string& revision);

  Server& server() { return server_; }
  Session& session() { return session_; }

 private:
  std::vector<std::string> heard();

  Server server_;
  Session session_;
  Micros now_ = kSecond;
};

}  // namespace harness::reference
