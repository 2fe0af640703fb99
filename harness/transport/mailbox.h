// SPDX-License-Identifier: Apache-2.0
// Mailbox: the bounded queue between the readers of a Transport and its receive(). A reader asks
// for room before it reads more, so a flooding target is blocked by its own pipe or socket.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "harness/transport/async_event.h"
#include "harness/transport/framing.h"
#include "harness/transport/transport.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// What was received, as a frame; header `reason` of its head says what is wrong with its framing.
wire::Frame received_frame(wire::Channel channel, Piece piece);

class Mailbox {
 public:
  Mailbox(boost::asio::any_io_executor executor, std::size_t max_bytes);

  void put(wire::Frame frame);
  bool has_room() const { return bytes_ < max_bytes_ || farewell_; }
  bool empty() const { return frames_.empty(); }
  std::size_t waiting_bytes(wire::Channel channel) const;
  // The peer is about to end, and nobody may read: there is always room, and waiting or later
  // frames are dropped, except for the end.
  void say_farewell();
  // Nothing will be put any more; waiting frames are still delivered, then Closed{how}.
  void close(std::string how);
  bool closed() const { return closed_.has_value(); }

  // What take() would return at once.
  std::optional<Arrival> poll();

  // Coroutines share the Mailbox, so the Transport may be destroyed while they wait.
  static boost::asio::awaitable<Arrival> take(std::shared_ptr<Mailbox> box, Deadline deadline);
  // False if the deadline passed or the Mailbox was closed.
  static boost::asio::awaitable<bool> room(std::shared_ptr<Mailbox> box, Deadline deadline);

 private:
  boost::asio::any_io_executor executor_;
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;
  std::size_t stderr_bytes_ = 0;
  std::deque<wire::Frame> frames_;
  bool farewell_ = false;
  std::optional<std::string> closed_;
  AsyncEvent arrived_;
  AsyncEvent taken_;
};

}  // namespace harness::transport
