// SPDX-License-Identifier: Apache-2.0
// Trace: what was said between one client and one server, read: the messages one by one, and what
// is known besides them. Code that asks which reply answers which request uses a Trace.
//
//   frames of a session ─► Slice ─► Trace (Items) ─► Attribution
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/spec/profile.h"
#include "harness/trace/readable_ids.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/used_ids.h"

namespace harness::spec {
class Known;
}

namespace harness::trace {

// A part of a session, with its frames and what is known about the session.
struct Slice {
  std::shared_ptr<const wire::Transcript> transcript;
  wire::Messages messages;  // its frames, read
  // id_key of requests sent on this session before the slice; that of null when a reply without an
  // id may still come for one.
  wire::UsedIds earlier_ids;
  json::Value server_capabilities;  // as negotiated; null if there was no handshake
  json::Value client_capabilities;  // as we declared them
  std::shared_ptr<const spec::Known> known = nullptr;  // about the target, from before; null for
                                                       // nothing
};

class Attribution;

// One single message: a whole frame, a line of raw bytes that we wrote, or an element of an array.
// An array is an Item itself, followed by one Item for each element.
struct Item {
  std::size_t frame = 0;                        // index into transcript.frames
  std::uint64_t seq = 0;                        // of that frame
  bool sent = false;                            // by us
  const wire::Message* text_message = nullptr;  // the whole text read
  const json::Value* value = nullptr;           // null if the text is not JSON
  wire::MessageKind kind = wire::MessageKind::kMalformed;
  int array = 0;          // number of the array it is an element of; 0: none
  std::string_view key;   // wire::id_key() of its id; "" if it has none
  std::string_view text;  // of the whole text

  const json::Value* member(std::string_view name) const {
    return value != nullptr && value->is_object() ? value->find(name) : nullptr;
  }
  // The outcome of a reply; a null member beside the other one is ignored.
  const json::Value* result() const { return member("result") ? wire::result_in(*value) : nullptr; }
  const json::Value* error() const { return member("error") ? wire::error_in(*value) : nullptr; }
};

// `messages` is parallel to transcript.frames; frames without a message have a default one.
// The arguments must outlive it.
struct Trace {
  const wire::Transcript& transcript;

 private:
  wire::Messages own_messages_;

 public:
  const wire::Messages& messages;
  const spec::Profile& profile;
  wire::UsedIds earlier_ids;  // these four as in Slice
  json::Value server_capabilities;
  json::Value client_capabilities;
  std::shared_ptr<const spec::Known> known;
  // Everything that was sent and received, in order. Sent raw bytes are cut into the lines a server
  // reads; received HTTP bodies are here only when they are meant as JSON-RPC.
  std::vector<Item> items;
  // Those of other sessions with the same server at the same time; they outlive this one.
  std::vector<const Trace*> others;
  mutable std::shared_ptr<const Attribution> attribution;   // for attribution_of()
  mutable std::map<const Item*, ReadableIds> readable_ids;  // for may_have_read_id()

  Trace(const wire::Transcript& said, const spec::Profile& spoken);
  Trace(const Slice& slice, const spec::Profile& spoken);
  Trace(const Trace&) = delete;  // items point into it
  Trace& operator=(const Trace&) = delete;
  const wire::TransportTraits& traits() const { return wire::traits_of(transcript.transport); }
  // The target is a process whose standard streams we hold.
  bool process() const { return traits().process; }
  // All messages share a stream, in which they must be separated.
  bool stream() const { return traits().byte_stream; }
  bool lines() const { return stream() && transcript.framing.empty(); }
  bool http() const { return traits().exchanges; }
  // True if the transcript begins with the session and not in the middle of it.
  bool from_start() const {
    // The ids of our own replies are among them.
    return earlier_ids.size() <= answered_by_us_ &&
           (transcript.frames.empty() || transcript.frames.front().seq <= 1);
  }

 private:
  struct Line {
    std::string text;
    wire::Message message;
  };
  std::deque<Line> lines_;        // those that are not exactly one frame, or are compressed in it
  std::deque<std::string> keys_;  // of elements
  int arrays_ = 0;
  std::size_t answered_by_us_ = 0;  // of earlier_ids: those of replies that this transcript sends

  void collect();
  void add_items(std::size_t frame, const wire::Message& message, std::string_view text);
  void add_sent(std::size_t frame, std::string& partial);
};

}  // namespace harness::trace
