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

  // A reply came on it, so messages are answered where they were posted.
  void heard(int exchange);

  bool was_posted(int exchange) const;             // with the method POST
  bool has_sessions() const { return sessions_; }  // a session id was sent
  // Why an unanswered message will never be answered.
  enum class Missing {
    kUnknown,      // it may still be, or it was not a message for this server
    kOpen,         // only a later request can decide
    kLeft,         // likewise; the server closed the connection without a reply
    kEmpty,        // the exchange has ended: a status of success, and nothing else
    kServerError,  // it has ended with status 500
  };
  Missing missing(int exchange) const;
  // For an exchange that was answered.
  const wire::Frame& head(int exchange) const { return *answers_.at(exchange); }

 private:
  std::map<int, const wire::Frame*> posts_;
  std::map<int, const wire::Frame*> answers_;
  std::map<int, std::string_view> left_;  // how its connection ended; "end": properly
  std::set<int> spoke_;                   // a reply came on it
  std::set<int> streams_;                 // an event came on it
  std::set<std::string> endpoints_;       // where messages are answered
  bool sessions_ = false;
  bool over_ = false;  // a session was ended, with everything in progress in it
};

// A head that every server accepts: it is short, is valid HTTP, and has no field about the
// connection.
bool is_modest(const wire::HttpHead& head);

}  // namespace harness::trace
