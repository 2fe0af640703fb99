// SPDX-License-Identifier: Apache-2.0
#include "harness/run/length_limit.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/json/write.h"

namespace harness::run {
namespace {

using session::Clock;

enum class Fate { kAnswered, kRefused, kFailed, kUnknown };

// What is asked, with spaces before its last brace until it has so many bytes.
std::string padded_to(const json::Value& request, std::uint64_t bytes) {
  std::string text = json::write(request);
  if (text.size() < bytes) text.insert(text.size() - 1, bytes - text.size(), ' ');
  return text;
}

class Measuring {
 public:
  explicit Measuring(LengthPlay play)
      : play_(std::move(play)), deadline_(Clock::now() + play_.most_time) {}

  bool spent() const { return plays_ >= play_.most_plays || Clock::now() >= deadline_; }
  const std::string& end() const { return end_; }

  awaitable<Fate> ask(std::uint64_t bytes) {
    ++plays_;
    if (!session_) {
      Result<SessionPtr> opened = co_await play_.open();
      if (!opened) co_return Fate::kUnknown;
      session_ = std::move(*opened);
    }
    const std::string text = padded_to(session_->next_canary(), bytes);
    // Named, because GCC 12 does not bear lists in the arguments of a coroutine.
    std::vector<std::string> writes;
    writes.push_back(session_->wire().frame(text));
    const session::Sent sent = co_await session_->send_text(text, std::move(writes), false);
    // One behind it tells sooner that none is going to come.
    const session::Sent behind = co_await session_->send_canary();
    const session::Deadline deadline =
        Clock::now() + session_->reply_time(sent.batched, sent.bytes);
    const session::Inbound* alive = co_await session_->reply_to(behind, deadline);
    const session::Deadline late = Clock::now() + session_->pace().grace(true);
    const session::Inbound* reply =
        co_await session_->reply_to(sent, alive ? std::min(late, deadline) : Clock::now());
    if (reply) {
      const bool result = reply->message->kind == wire::MessageKind::kResponse;
      co_return result || session_->canary().answered_by_error ? Fate::kAnswered : Fate::kRefused;
    }
    if (const session::Exchange* exchange = session_->exchange(sent.exchange);
        exchange && exchange->ended && exchange->status >= 400)
      co_return Fate::kRefused;
    end_ = session_->exited() ? session_->exit_status() : session_->closed_how();
    give_back();
    co_return Fate::kFailed;
  }

  void give_back() {
    if (!session_) return;
    session_->retire();
    play_.discard(std::move(session_));
    session_ = nullptr;
  }

 private:
  LengthPlay play_;
  session::Deadline deadline_;
  SessionPtr session_;
  int plays_ = 0;
  std::string end_;
};

}  // namespace

awaitable<std::optional<LengthLimit>> measure_length(LengthRange range, LengthPlay play) {
  Measuring measuring(std::move(play));
  LengthLimit limit;
  // Both ends are asked anew: what failed there may have been something else than the length.
  const Fate longest = co_await measuring.ask(range.failed);
  if (longest == Fate::kAnswered) {
    limit.answered = range.failed;
    measuring.give_back();
    co_return limit;
  }
  if (longest != Fate::kFailed) co_return std::nullopt;
  limit.failed = range.failed;
  limit.end = measuring.end();
  const Fate least = co_await measuring.ask(range.answered);
  if (least != Fate::kAnswered) co_return std::nullopt;
  limit.answered = range.answered;
  while (limit.failed - limit.answered > 1 && !measuring.spent()) {
    const std::uint64_t middle = limit.answered + (limit.failed - limit.answered) / 2;
    const Fate fate = co_await measuring.ask(middle);
    if (fate == Fate::kUnknown || fate == Fate::kRefused) break;
    (fate == Fate::kAnswered ? limit.answered : limit.failed) = middle;
    if (fate == Fate::kFailed) limit.end = measuring.end();
  }
  measuring.give_back();
  co_return limit;
}

}  // namespace harness::run
