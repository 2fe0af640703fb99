// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/writer.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <utility>

#include "harness/transport/awaiting.h"
#include "harness/transport/timer.h"
#include "harness/transport/unread.h"

namespace harness::transport {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kMostPatience{100};  // with a peer that does not read
constexpr std::chrono::microseconds kGlance{50};
constexpr std::chrono::milliseconds kMoment{2};  // where there is no telling whether it has read

}  // namespace

Writer::Writer(asio::any_io_executor executor) : executor_(executor), free_(std::move(executor)) {}

void Writer::close() {
  stream_ = nullptr;
  unsent_.clear();
  free_.close();
}

// The common case is one system call and no waiting.
asio::awaitable<Writer::Wrote> Writer::write_one(std::string_view text, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  std::string_view rest = text;
  while (!rest.empty() && stream_ != nullptr) {
    const ssize_t n = ::write(stream_->native_handle(), rest.data(), rest.size());
    if (n >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) co_return Wrote::kGone;
    Timer timer(executor_, deadline);
    co_await (stream_->async_wait(Stream::wait_write, kToken) || timer.async_wait(kToken));
    if (Clock::now() < deadline) continue;
    if (rest.size() < text.size() && stream_ != nullptr) unsent_ = std::string(rest);
    break;
  }
  co_return rest.empty() ? Wrote::kAll : Wrote::kPart;
}

asio::awaitable<bool> Writer::write(std::vector<std::string> texts, Deadline deadline) {
  while (writing_ && stream_ != nullptr) {
    const bool notified = co_await free_.wait(deadline);
    if (!notified) co_return true;
  }
  if (stream_ == nullptr) co_return true;
  writing_ = true;
  Wrote wrote = Wrote::kAll;
  if (!unsent_.empty()) {
    const std::string rest = std::exchange(unsent_, {});
    wrote = co_await write_one(rest, deadline);
    if (wrote == Wrote::kPart && stream_ != nullptr && unsent_.empty()) unsent_ = rest;
  }
  const Deadline patience = std::min(deadline, Clock::now() + kMostPatience);
  for (std::size_t i = 0; i < texts.size() && wrote == Wrote::kAll; ++i) {
    // Pieces come apart only where the peer reads one before the next is written.
    Timer timer(executor_);
    while (i > 0 && stream_ != nullptr && Clock::now() < patience) {
      const int unread = unread_of(stream_->native_handle());
      timer.expires_after(unread < 0 ? kMoment : kGlance);
      co_await timer.async_wait(kToken);
      if (unread <= 0) break;
    }
    if (stream_ != nullptr) wrote = co_await write_one(texts[i], deadline);
  }
  writing_ = false;
  free_.notify_all();
  co_return wrote != Wrote::kGone;
}

}  // namespace harness::transport
