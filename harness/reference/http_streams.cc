// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_streams.h"

#include <algorithm>

namespace harness::reference {
namespace {

constexpr std::size_t kMostStreams = 64;
constexpr std::size_t kMostEvents = 1000;  // of one stream

}  // namespace

EventStreamPtr StreamBook::open(bool standing, bool primed) {
  if (streams_.size() >= kMostStreams) {
    std::erase_if(streams_, [](const EventStreamPtr& one) { return one->finished; });
    // Nobody has to come back for a stream that was left.
    if (streams_.size() >= kMostStreams) {
      std::erase_if(streams_, [](const EventStreamPtr& one) {
        return one->standing && one->carrier == nullptr;
      });
    }
  }
  auto stream = std::make_shared<EventStream>();
  stream->number = ++last_stream_;
  stream->standing = standing;
  streams_.push_back(stream);
  if (primed && !faults_.has("priming-event-missing")) add(*stream, "");
  return stream;
}

void StreamBook::add(EventStream& stream, std::string message) {
  StreamEvent event{++last_event_, "", std::move(message)};
  event.id = std::to_string(stream.number) + "_" + std::to_string(event.number);
  if (faults_.has("event-ids-per-stream")) event.id = std::to_string(stream.events.size() + 1);
  if (faults_.has("event-id-with-nul")) event.id.insert(1, 1, '\0');
  stream.events.push_back(std::move(event));
  if (stream.events.size() > kMostEvents) stream.events.pop_front();
  stream.news();
}

void StreamBook::finish(EventStream& stream) {
  stream.finished = true;
  stream.news();
}

std::vector<EventStreamPtr> StreamBook::for_unrelated() const {
  std::vector<EventStreamPtr> open;
  EventStreamPtr left;  // the client may come back for it
  for (const EventStreamPtr& one : streams_) {
    if (!one->standing || one->finished) continue;
    if (one->carrier != nullptr) open.push_back(one);
    left = one;
  }
  if (open.empty() && left) open.push_back(left);
  if (open.size() > 1 && !faults_.has("message-broadcast")) open.resize(1);
  return open;
}

std::optional<std::pair<EventStreamPtr, int>> StreamBook::find(const std::string& id) const {
  for (auto one = streams_.rbegin(); one != streams_.rend(); ++one) {
    for (const StreamEvent& event : (*one)->events)
      if (event.id == id) return std::make_pair(*one, event.number);
  }
  return std::nullopt;
}

std::vector<StreamEvent> StreamBook::missed(const EventStream& stream, int after) const {
  std::vector<StreamEvent> out;
  if (faults_.has("resume-loses-events")) return out;
  for (const EventStreamPtr& one : streams_) {
    const bool own = one.get() == &stream;
    if (!own && !faults_.has("resume-replays-every-stream")) continue;
    for (const StreamEvent& event : one->events)
      if (event.number > after) out.push_back(event);
  }
  return out;
}

void StreamBook::end_all() {
  for (const EventStreamPtr& one : streams_) finish(*one);
}

}  // namespace harness::reference
