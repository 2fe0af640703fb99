// SPDX-License-Identifier: Apache-2.0
// The sessions of the HTTP host by their ids, and the event streams of each. No I/O.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "harness/reference/http_streams.h"
#include "harness/reference/session.h"

namespace harness::reference {

class HttpSessions {
 public:
  explicit HttpSessions(const Faults& faults) : faults_(faults) {}

  // Null if it does not exist, or no longer.
  std::shared_ptr<Session> find(const std::string& id) const;
  bool empty() const { return sessions_.empty(); }
  std::size_t count() const { return sessions_.size(); }
  void add(const std::string& id, std::shared_ptr<Session> session);
  // With its streams; `id` is nothing for a session that never had one.
  void end(const std::optional<std::string>& id, const Session& session);
  void end_all();

  // Created on first use.
  std::shared_ptr<StreamBook> book_of(const Session& session);

  // Where a client that reconnects with `Last-Event-ID` was: an event of a stream of its session.
  struct Place {
    std::shared_ptr<StreamBook> book;
    EventStreamPtr stream;
    int event = 0;  // its number
  };
  std::optional<Place> find_event(const Session& session, const std::string& event_id);

  // A message that belongs to no request goes to the streams that the session opened by GET.
  void tell_listeners(const Session* session, const std::string& message);

 private:
  const Faults& faults_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;
  std::unordered_map<std::string, std::shared_ptr<Session>> ended_;  // for a Fault
  std::unordered_map<const Session*, std::shared_ptr<StreamBook>> books_;
};

}  // namespace harness::reference
