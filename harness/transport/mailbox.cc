// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/mailbox.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace harness::transport {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kSlack = 32u << 10;     // unused bytes of a frame
constexpr std::size_t kFarewell = 64u << 10;  // that wait of one who is to end

// Empty lines cost memory too.
std::size_t weight(const wire::Frame& frame) { return frame.bytes.size() + sizeof(wire::Frame); }

}  // namespace

wire::Frame received_frame(wire::Channel channel, Piece piece) {
  wire::Frame frame;
  frame.direction = wire::Direction::kReceived;
  frame.channel = channel;
  frame.size = piece.size;
  frame.bytes = std::move(piece.bytes);
  frame.unframed = !piece.whole;
  if (!piece.fault.empty()) {
    frame.head.emplace();
    frame.head->headers.push_back({"reason", std::move(piece.fault)});
  }
  return frame;
}

Mailbox::Mailbox(asio::any_io_executor executor, std::size_t max_bytes)
    : executor_(executor), max_bytes_(max_bytes), arrived_(executor), taken_(std::move(executor)) {}

void Mailbox::put(wire::Frame frame) {
  const bool end = frame.channel == wire::Channel::kExit || frame.channel == wire::Channel::kClose;
  if (closed_ || (farewell_ && !end && bytes_ > kFarewell)) return;
  // What grew piece by piece may hold twice its size.
  if (frame.bytes.capacity() - frame.bytes.size() > kSlack) frame.bytes.shrink_to_fit();
  bytes_ += weight(frame);
  if (frame.channel == wire::Channel::kStderr) stderr_bytes_ += weight(frame);
  frames_.push_back(std::move(frame));
  arrived_.notify_all();
}

std::size_t Mailbox::waiting_bytes(wire::Channel channel) const {
  return channel == wire::Channel::kStderr ? stderr_bytes_ : bytes_ - stderr_bytes_;
}

void Mailbox::say_farewell() {
  farewell_ = true;
  if (bytes_ > kFarewell) {
    frames_.clear();
    bytes_ = stderr_bytes_ = 0;
  }
  taken_.notify_all();
}

void Mailbox::close(std::string how) {
  if (closed_) return;
  closed_ = std::move(how);
  arrived_.close();
  taken_.close();
}

std::optional<Arrival> Mailbox::poll() {
  if (!frames_.empty()) {
    wire::Frame frame = std::move(frames_.front());
    frames_.pop_front();
    const bool was_full = !has_room();
    bytes_ -= weight(frame);
    if (frame.channel == wire::Channel::kStderr) stderr_bytes_ -= weight(frame);
    if (was_full && has_room()) taken_.notify_all();
    return Arrival(std::move(frame));
  }
  if (closed_) return Arrival(Closed{*closed_});
  return std::nullopt;
}

asio::awaitable<Arrival> Mailbox::take(std::shared_ptr<Mailbox> box, Deadline deadline) {
  bool polled = false;
  for (;;) {
    if (auto arrival = box->poll()) co_return std::move(*arrival);
    if (Clock::now() < deadline) {
      co_await box->arrived_.wait(deadline);
      polled = true;
    } else if (!polled) {
      // A caller who polls must not starve the readers: give them one turn.
      co_await asio::post(box->executor_, asio::use_awaitable);
      polled = true;
    } else {
      co_return Quiet{};
    }
  }
}

asio::awaitable<bool> Mailbox::room(std::shared_ptr<Mailbox> box, Deadline deadline) {
  while (!box->has_room() && !box->closed_) {
    const bool notified = co_await box->taken_.wait(deadline);
    if (!notified) break;
  }
  co_return box->has_room() && !box->closed_;
}

}  // namespace harness::transport
