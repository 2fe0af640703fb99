// SPDX-License-Identifier: Apache-2.0
#include "harness/session/recording.h"

#include <chrono>

#include "harness/trace/trigger.h"

namespace harness::session {
namespace {

// Evidence of one case is bounded: a target that floods is stopped here and named.
constexpr std::size_t kMaxFrames = 30'000;
constexpr std::size_t kMaxBytes = 12u << 20;  // received
constexpr std::size_t kMaxValues = 200'000;   // JSON values of about 100 bytes each
// And so many times what was sent: a target that says again what it was told, as text and as data,
// does not flood.
constexpr std::size_t kEchoes = 4;
constexpr std::size_t kEscaped = 12;  // times what was sent: said twice, each character as \uXXXX
// Chatter on stderr is no breach, nor are pings: past this much evidence they are dropped, never
// taken for a flood.
constexpr std::size_t kChatterFrames = 10'000;
constexpr std::size_t kChatterBytes = 5u << 20;

}  // namespace

Recording::Recording(wire::Transcript head)
    : slice_(std::make_shared<wire::Transcript>(std::move(head))), began_(Clock::now()) {}

std::uint64_t Recording::add(wire::Frame frame) {
  frame.seq = next_seq_++;
  frame.time_us =
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began_).count();
  if (frame.size == 0) frame.size = frame.bytes.size();
  if (frame.direction == wire::Direction::kReceived) bytes_ += frame.bytes.size();
  slice_->frames.push_back(std::move(frame));
  return slice_->frames.back().seq;
}

void Recording::keep(std::uint64_t seq, wire::MessagePtr sent) {
  if (keeps_sent_) sent_.emplace_back(seq, std::move(sent));
}

void Recording::set_exchange(std::uint64_t seq, int exchange) {
  for (auto it = slice_->frames.rbegin(); it != slice_->frames.rend(); ++it) {
    if (it->seq != seq) continue;
    it->exchange = exchange;
    break;
  }
}

wire::MessagePtr Recording::read(std::string_view text) const {
  return cache_ ? cache_->read(text) : wire::read_shared(text);
}

wire::Messages Recording::messages(const Read& received) const {
  const auto& frames = slice_->frames;
  wire::Messages out(frames.size());
  std::vector<bool> known(frames.size());
  const auto place = [&](const Read& some) {
    for (const auto& [seq, message] : some) {
      if (frames.empty() || seq < frames.front().seq) continue;  // of the slice before
      const std::size_t index = seq - frames.front().seq;
      if (index >= frames.size()) continue;
      out.set(index, message);
      known[index] = true;
    }
  };
  place(sent_);
  place(received);
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (!known[i] && wire::carries_message(frames[i])) out.set(i, read(frames[i].bytes));
  return out;
}

bool Recording::is_behind_handshake() const {
  for (auto frame = slice_->frames.rbegin(); frame != slice_->frames.rend(); ++frame) {
    if (!wire::carries_message(*frame)) continue;
    const bool sent = frame->direction == wire::Direction::kSent;
    const wire::MessagePtr message = read(frame->bytes);
    if (sent && trace::method_of(*message) == "notifications/initialized") return true;
    if (!sent && message->is_json) return false;
  }
  return slice_->behind_handshake;
}

void Recording::begin_slice() {
  auto next = std::make_shared<wire::Transcript>();
  next->behind_handshake = is_behind_handshake();
  next->profile = slice_->profile;
  next->transport = slice_->transport;
  next->framing = slice_->framing;
  next->target = slice_->target;
  slice_ = std::move(next);
  bytes_ = 0;
  values_ = 0;
  sent_.clear();
}

void Recording::renumber(std::uint64_t offset) {
  for (wire::Frame& frame : slice_->frames) frame.seq += offset;
  for (auto& [seq, message] : sent_) seq += offset;
  next_seq_ += offset;
}

bool Recording::flooded() const {
  if (slice_->frames.size() > kMaxFrames) return true;
  if (bytes_ <= kMaxBytes && values_ <= kMaxValues) return false;
  std::size_t values = 0;
  for (const auto& [seq, message] : sent_) values += message->values;
  return bytes_ > kMaxBytes + kEchoes * sent_bytes() || values_ > kMaxValues + kEchoes * values;
}

std::size_t Recording::sent_bytes() const {
  std::size_t bytes = 0;
  for (const wire::Frame& frame : slice_->frames)
    if (frame.direction == wire::Direction::kSent) bytes += frame.bytes.size();
  return bytes;
}

bool Recording::may_repeat(std::size_t size) const { return size <= kEscaped * sent_bytes(); }

bool Recording::has_chatter_enough() const {
  return slice_->frames.size() > kChatterFrames || bytes_ > kChatterBytes;
}

}  // namespace harness::session
