// SPDX-License-Identifier: Apache-2.0
// The event streams of one HTTP session: what was sent on each and under which event ids, so that a
// client whose connection broke can come back for the rest. No I/O: the connection that carries a
// stream to a client fetches what is new.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/reference/faults.h"

namespace harness::reference {

struct StreamEvent {
  int number = 0;       // over all streams of the session, from 1
  std::string id;       // "" for none
  std::string message;  // "" in the priming event
};

// One stream, which may outlive the connections that carry it.
struct EventStream {
  int number = 0;
  bool standing = false;  // opened by GET, for messages that belong to no request
  bool finished = false;  // nothing more will be added
  bool leaving = false;   // its connection is closed once everything was sent; the stream continues
  std::deque<StreamEvent> events;
  std::function<void()> on_news;  // the connection that carries it now; empty: none
  const void* carrier = nullptr;  // tells carriers apart

  void news() const {
    if (on_news) on_news();
  }
};
using EventStreamPtr = std::shared_ptr<EventStream>;

class StreamBook {
 public:
  explicit StreamBook(const Faults& faults) : faults_(faults) {}

  // `primed`: it begins with an event that has an id and no data. Some of the oldest completed
  // streams are forgotten.
  EventStreamPtr open(bool standing, bool primed);
  void add(EventStream& stream, std::string message);
  void finish(EventStream& stream);

  // The streams for a message that belongs to no request: one, or none.
  std::vector<EventStreamPtr> for_unrelated() const;
  // The stream of an event id and the number of that event.
  std::optional<std::pair<EventStreamPtr, int>> find(const std::string& event_id) const;
  // The events after that one, for a client that reconnects to this stream.
  std::vector<StreamEvent> missed(const EventStream& stream, int after) const;

  void end_all();

 private:
  const Faults& faults_;
  std::deque<EventStreamPtr> streams_;
  int last_stream_ = 0;
  int last_event_ = 0;
};

}  // namespace harness::reference
