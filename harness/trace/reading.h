// SPDX-License-Identifier: Apache-2.0
// Reading: the frames of a transcript with the messages in them, by their numbers. It keeps no copy
// of the transcript.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/spec/profile.h"
#include "harness/trace/attribution.h"
#include "harness/trace/trace.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"

namespace harness::trace {

class Reading {
 public:
  Reading(const wire::Transcript& transcript, const spec::Profile& profile)
      : trace_(transcript, profile), attribution_(trace::attribution_of(trace_)) {
    for (std::size_t i = 0; i < transcript.frames.size(); ++i)
      at_.emplace(transcript.frames[i].seq, i);
  }

  const trace::Trace& trace() const { return trace_; }
  const trace::Attribution& attribution() const { return attribution_; }
  bool over_websocket() const { return trace_.traits().frames; }
  std::size_t size() const { return trace_.transcript.frames.size(); }
  bool behind_handshake() const { return trace_.transcript.behind_handshake; }
  const wire::Frame& frame(std::size_t i) const { return trace_.transcript.frames[i]; }
  const wire::Message& message(std::size_t i) const { return trace_.messages[i]; }
  std::optional<std::size_t> place(std::uint64_t seq) const {
    const auto found = at_.find(seq);
    if (found == at_.end()) return std::nullopt;
    return found->second;
  }
  // The request that a reply answers; nothing for other messages.
  std::optional<std::size_t> asked_by(std::size_t reply) const {
    if (!message(reply).is_reply()) return std::nullopt;
    for (const trace::Item& item : trace_.items)
      if (item.frame == reply && attribution_.of(item).whose == trace::Whose::kRequest)
        return attribution_.of(item).to->frame;
    return std::nullopt;
  }
  // It answers a request, but has another id.
  bool is_altered(std::size_t reply) const {
    for (const trace::Item& item : trace_.items)
      if (item.frame == reply && attribution_.of(item).whose == trace::Whose::kAltered) return true;
    return false;
  }
  bool is_sent_message(std::size_t i) const {
    return frame(i).direction == wire::Direction::kSent && wire::carries_message(frame(i)) &&
           frame(i).channel != wire::Channel::kPing && frame(i).channel != wire::Channel::kPong;
  }
  bool ends(std::size_t i) const {
    return frame(i).direction == wire::Direction::kReceived &&
           (frame(i).channel == wire::Channel::kExit || frame(i).channel == wire::Channel::kClose);
  }

 private:
  const trace::Trace trace_;
  const trace::Attribution& attribution_;
  std::map<std::uint64_t, std::size_t> at_;
};

}  // namespace harness::trace
