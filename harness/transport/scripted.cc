// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/scripted.h"

#include <variant>

namespace harness::transport {
namespace {

wire::Frame received(wire::Channel channel, std::string bytes) {
  wire::Frame frame;
  frame.direction = wire::Direction::kReceived;
  frame.channel = channel;
  frame.size = bytes.size();
  frame.bytes = std::move(bytes);
  return frame;
}

}  // namespace

void Scripted::arrives(std::vector<Arrival> arrivals) {
  acts_.push_back([arrivals = std::move(arrivals)](const Outgoing&) { return arrivals; });
}

void Scripted::acts(Act act) { acts_.push_back(std::move(act)); }

void Scripted::now(std::vector<Arrival> arrivals) { enqueue(std::move(arrivals), 0); }

std::string Scripted::text(std::size_t index) const {
  std::string joined;
  for (const std::string& write : sent_.at(index).writes) joined += write;
  return joined;
}

void Scripted::enqueue(std::vector<Arrival> arrivals, int exchange) {
  for (Arrival& arrival : arrivals) {
    auto* frame = std::get_if<wire::Frame>(&arrival);
    const bool on_stream = frame && frame->channel == wire::Channel::kSse && !has_exchanges();
    if (frame && frame->exchange == 0 && !on_stream) frame->exchange = exchange;
    pending_.push_back(std::move(arrival));
  }
}

boost::asio::awaitable<Status> Scripted::open() { co_return Nothing{}; }

boost::asio::awaitable<int> Scripted::send(Outgoing outgoing, Deadline deadline) {
  deadline_ = deadline;
  Act act = otherwise_;
  if (!acts_.empty()) {
    act = std::move(acts_.front());
    acts_.pop_front();
  }
  sent_.push_back(std::move(outgoing));
  const int exchange = over_http() ? static_cast<int>(sent_.size()) : 0;
  if (act) enqueue(act(sent_.back()), exchange);
  co_return exchange;
}

std::optional<Arrival> Scripted::poll() {
  if (pending_.empty()) return std::nullopt;
  // Closed is the last thing there is: it stays.
  if (std::holds_alternative<Closed>(pending_.front())) return pending_.front();
  Arrival next = std::move(pending_.front());
  pending_.pop_front();
  return next;
}

boost::asio::awaitable<Arrival> Scripted::receive(Deadline deadline) {
  if (pending_.empty() && idle_) enqueue(idle_(deadline), 0);
  std::optional<Arrival> next = poll();
  if (!next) co_return Quiet{};
  co_return std::move(*next);
}

boost::asio::awaitable<void> Scripted::shutdown(std::chrono::milliseconds) {
  input_closed_ = true;
  co_return;
}

Result<std::unique_ptr<Transport>> ScriptedTarget::connect() {
  if (refusal_) return *refusal_;
  auto made = std::make_unique<Scripted>(kind_);
  made->otherwise([this, number = ++connections_](const Outgoing& outgoing) {
    return server_(outgoing, number);
  });
  return std::unique_ptr<Transport>(std::move(made));
}

Arrival line(std::string text) { return received(wire::Channel::kStdout, std::move(text)); }

Arrival exit_with(std::string how) { return received(wire::Channel::kExit, std::move(how)); }

Arrival closed(std::string how) { return Closed{std::move(how)}; }

Arrival answer(int status, std::string body, std::vector<wire::Header> headers) {
  wire::Frame frame = received(wire::Channel::kHttp, std::move(body));
  frame.head.emplace();
  frame.head->status = status;
  frame.head->headers = std::move(headers);
  return frame;
}

Arrival event(std::string data) { return received(wire::Channel::kSse, std::move(data)); }

Arrival end_of_exchange(std::string how) { return received(wire::Channel::kClose, std::move(how)); }

}  // namespace harness::transport
