// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/courtesy.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/base/clock.h"

namespace harness::transport {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongest{1000};  // for a place
constexpr milliseconds kShort{50};
constexpr milliseconds kMostRest{10'000};
constexpr milliseconds kMostRestOfAll{30'000};
constexpr int kMostTimes = 8;

// Seconds; nothing where there is no such header, or a date in it.
const std::string* retry_after(const wire::HttpHead& head) { return head.header("Retry-After"); }

milliseconds asked_for(const wire::HttpHead& head, int times) {
  const std::string* after = retry_after(head);
  int told = -1;
  if (after) std::from_chars(after->data(), after->data() + after->size(), told);
  // A moment longer than told: "0" means soon, and clocks differ.
  if (told >= 0) return std::chrono::seconds(told) + milliseconds(20 << std::min(times, 5));
  return milliseconds(100 << std::min(times, 4));
}

}  // namespace

Courtesy::Courtesy(boost::asio::any_io_executor executor, int most_connections, Refusals refusals)
    : most_(most_connections), refusals_(refusals), changed_(std::move(executor)) {}

void Courtesy::knows(std::weak_ptr<IdleKeeper> keeper) {
  std::erase_if(keepers_, [](const auto& known) { return known.expired(); });
  keepers_.push_back(std::move(keeper));
}

bool Courtesy::close_an_idle_one() {
  return std::any_of(keepers_.begin(), keepers_.end(), [](const auto& known) {
    const std::shared_ptr<IdleKeeper> keeper = known.lock();
    return keeper && keeper->close_idle();
  });
}

boost::asio::awaitable<Courtesy::Place> Courtesy::place(std::size_t own) {
  const std::shared_ptr<Courtesy> self = shared_from_this();
  // Streams that a case holds open do not end because it waits.
  const bool alone = own >= static_cast<std::size_t>(most_);
  const Deadline until = Clock::now() + (alone ? kShort : kLongest);
  while (open_ >= most_ && Clock::now() < until) {
    if (close_an_idle_one()) continue;
    co_await changed_.wait(until);
  }
  ++open_;
  Place place(this, [self](void*) {
    --self->open_;
    self->changed_.notify_all();
  });
  co_return place;
}

milliseconds Courtesy::rest(const wire::HttpHead& head, int times) {
  const bool asks = head.status == 429 || (head.status == 503 && retry_after(head));
  if (!asks || times > kMostTimes || refusals_ == Refusals::kTaken) return milliseconds(0);
  const milliseconds rest = asked_for(head, times);
  if (rest > kMostRest || rested_ + rest > kMostRestOfAll) return milliseconds(0);
  rested_ += rest;
  return rest;
}

}  // namespace harness::transport
