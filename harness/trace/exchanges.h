// SPDX-License-Identifier: Apache-2.0
// Exchanges: the state of the HTTP exchanges of a Trace: what was posted, what came, and how their
// connections ended.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "harness/trace/trace.h"
#include "harness/wire/frame.h"

namespace harness::trace {

class Exchanges {
 public:
  // Empty for other transports. `trace` outlives it.
  explicit Exchanges(const Trace& trace);

  // A reply came on it, and so messages are answered where it was posted.
  void heard(int exchange);

  bool was_posted(int exchange) const;             // with the method POST
  bool has_sessions() const { return sessions_; }  // a session id was sent
  // Why a message that is not answered will not be.
  enum class Missing {
    kUnknown,      // it may yet be, or it was no message for this server
    kOpen,         // only what is asked later can tell
    kLeft,         // likewise; the connection was closed by the server without a word
    kEmpty,        // the exchange is over: a status of success, and nothing else
    kServerError,  // it is over with status 500
  };
  Missing missing(int exchange) const;
  // Of an exchange that was answered.
  const wire::Frame& head(int exchange) const { return *answers_.at(exchange); }

 private:
  std::map<int, const wire::Frame*> posts_;
  std::map<int, const wire::Frame*> answers_;
  std::map<int, std::string_view> left_;  // how its connection was; "end": as it should be
  std::set<int> spoke_;                   // a reply came on it
  std::set<int> streams_;                 // an event came on it
  std::set<std::string> endpoints_;       // where messages are answered
  bool sessions_ = false;
  bool over_ = false;  // a session was ended, and whatever was under way in it
};

// A head that every server reads: it is short, is HTTP, and does not speak of the connection.
bool is_modest(const wire::HttpHead& head);

}  // namespace harness::trace
