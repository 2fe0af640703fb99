// SPDX-License-Identifier: Apache-2.0
// Recording: the frames of a session, a slice for each case, and what of them was read already. It
// notices when a target sends too much.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/clock.h"
#include "harness/wire/frame.h"
#include "harness/wire/message.h"
#include "harness/wire/message_cache.h"

namespace harness::session {

class Recording {
 public:
  // The first slice and those after it have this head.
  explicit Recording(wire::Transcript head);

  void begin() { began_ = Clock::now(); }  // times count from now
  // Numbers the frame, and keeps it.
  std::uint64_t add(wire::Frame frame);
  // The last frame, of a message we sent.
  void keep(std::uint64_t seq, wire::MessagePtr sent);
  // The frame with this number belongs to an exchange.
  void set_exchange(std::uint64_t seq, int exchange);

  wire::MessagePtr read(std::string_view text) const;
  void count_values(std::size_t values) { values_ += values; }  // of a received message
  void read_through(std::shared_ptr<wire::MessageCache> cache) { cache_ = std::move(cache); }
  void keep_sent_messages() { keeps_sent_ = true; }

  const std::shared_ptr<wire::Transcript>& transcript() const { return slice_; }
  // Its frames read. `received`: those that were read already, by their numbers.
  using Read = std::vector<std::pair<std::uint64_t, wire::MessagePtr>>;
  wire::Messages messages(const Read& received) const;
  bool is_behind_handshake() const;  // as wire::Transcript has it, at the end of the slice
  void begin_slice();
  // Adds `offset` to every number given so far.
  void renumber(std::uint64_t offset);
  std::uint64_t last_seq() const { return next_seq_ - 1; }

  // More than the evidence of one case may hold.
  bool flooded() const;
  // Whether a message of this size may repeat what was sent, in a lengthy spelling.
  bool may_repeat(std::size_t size) const;
  // Enough diagnostics and pings, which are no breach, have come: further ones are dropped.
  bool has_chatter_enough() const;

 private:
  std::size_t sent_bytes() const;

  std::shared_ptr<wire::Transcript> slice_;
  std::size_t bytes_ = 0;   // received
  std::size_t values_ = 0;  // JSON values read from received frames
  Clock::time_point began_;
  std::uint64_t next_seq_ = 1;
  bool keeps_sent_ = false;
  std::shared_ptr<wire::MessageCache> cache_;  // null: none
  Read sent_;                                  // of this slice
};

}  // namespace harness::session
