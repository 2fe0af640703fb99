// SPDX-License-Identifier: Apache-2.0
// The event streams of one HTTP session: what was sent on each and under which event ids, so that a
// client whose connection broke can come back for the rest. No I/O: whoever carries a stream to a
// client asks for what is new.
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
  bool standing = false;  // opened by GET, for what belongs to no request
  bool finished = false;  // nothing more will be added
  bool leaving = false;   // its connection is closed once everything was sent; the stream goes on
  std::deque<StreamEvent> events;
  std::function<void()> on_news;  // whoever carries it now; empty: nobody
  const void* carrier = nullptr;  // tells carriers apart

  void news() const {
    if (on_news) on_news();
  }
};
using EventStreamPtr = std::shared_ptr<EventStream>;

class StreamBook {
 public:
  explicit StreamBook(const Faults& faults) : faults_(faults) {}

  // `primed`: it begins with an event that has an id and no data. Of the oldest streams that are
  // over some are forgotten.
  EventStreamPtr open(bool standing, bool primed);
  void add(EventStream& stream, std::string message);
  void finish(EventStream& stream);

  // The streams to which a message goes that belongs to no request: one, or none.
  std::vector<EventStreamPtr> for_unrelated() const;
  // The stream of an event id and the number of that event.
  std::optional<std::pair<EventStreamPtr, int>> find(const std::string& event_id) const;
  // What a client that comes back for this stream after that event has missed.
  std::vector<StreamEvent> missed(const EventStream& stream, int after) const;

  void end_all();

 private:
  const Faults& faults_;
  std::deque<EventStreamPtr> streams_;
  int last_stream_ = 0;
  int last_event_ = 0;
};

}  // namespace harness::reference
