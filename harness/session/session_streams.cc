// SPDX-License-Identifier: Apache-2.0
// The streams of a Session's HTTP exchanges: which goes on in which, and how they are left.
#include <algorithm>
#include <boost/asio/use_awaitable.hpp>

#include "harness/session/session.h"

namespace harness::session {

// Before 2025-11-25 no server should end a stream before the response, later none can be resumed.
bool Session::resumes() const {
  return has_exchanges() && profile_->mcp && profile_->era == spec::Era::kHandshake &&
         profile_->revision >= "2025-11-25";
}

// Takes in what a frame says of its exchange, and returns whose it is: events of a resumed stream
// belong to the POST, whose exchange is not over while it is to be resumed.
int Session::note_stream(wire::Frame& frame) {
  if (frame.exchange == 0) return 0;
  const int origin = resumption_.origin(frame.exchange);
  const bool end = frame.channel == wire::Channel::kClose;
  Exchange& post = exchanges_[origin];
  if (origin != frame.exchange) {
    take_in(exchanges_[frame.exchange], frame, true);
    if (frame.channel == wire::Channel::kSse) frame.exchange = origin;
  }
  if (frame.channel == wire::Channel::kSse && frame.head)
    resumption_.take_event(origin, *frame.head);
  post.paused = end && frame.bytes == "end" && post.streams && post.failure.empty() &&
                exchanges_[frame.exchange].status == 200 &&
                resumption_.ended(origin, Clock::now());
  if (end ? !post.paused : origin == frame.exchange) take_in(post, frame, has_exchanges());
  return frame.exchange;
}

// Resumes what is due, and returns until when nothing else is, at most `deadline`.
awaitable<Deadline> Session::resume_until(Deadline deadline) {
  for (auto due = resumption_.next(); due; due = resumption_.next()) {
    if (due->at > Clock::now()) co_return std::min(deadline, due->at);
    wire::Frame frame;
    frame.direction = wire::Direction::kSent;
    frame.channel = wire::Channel::kHttp;
    frame.unframed = true;
    transport::Outgoing outgoing;
    outgoing.http.method = "GET";
    outgoing.http.headers = {{"Accept", "text/event-stream"}, {"Last-Event-ID", due->last_id}};
    frame.head = outgoing.http;
    frame.session = about_http();
    const std::uint64_t seq = record(std::move(frame));
    const Deadline until = Clock::now() + std::max(pace_->reply(), exchange_time_);
    const int number = co_await transport_->send(std::move(outgoing), until);
    resumption_.resumed(*due, number);
    exchanges_[due->exchange].paused = false;
    note_exchange(seq, number);
  }
  co_return deadline;
}

void Session::disconnect(int exchange) {
  const Exchange* state = this->exchange(exchange);
  if (!state || state->ended) return;
  wire::Frame frame;
  frame.channel = wire::Channel::kClose;
  frame.exchange = exchange;
  frame.bytes = "hung up";
  record(std::move(frame));
  transport::Exchanges* exchanges = transport_->exchanges();
  if (!exchanges) return;
  if (const int current = resumption_.current(exchange)) exchanges->disconnect(current);
  resumption_.leave(exchange);
  exchanges->disconnect(exchange);
}

}  // namespace harness::session
