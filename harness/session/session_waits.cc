// SPDX-License-Identifier: Apache-2.0
// How long a Session waits for what comes.
#include <algorithm>
#include <boost/asio/use_awaitable.hpp>

#include "harness/base/starvation.h"
#include "harness/session/patience.h"
#include "harness/session/session.h"

namespace harness::session {
namespace {

// While one is asked after the other, a result without an id is nobody's but a notification's.
bool has_result_of_nobody(const std::deque<Inbound>& inbox) {
  return std::any_of(inbox.begin(), inbox.end(), [](const Inbound& inbound) {
    return !inbound.claimed && inbound.key == "null" &&
           inbound.message->kind == wire::MessageKind::kResponse;
  });
}

}  // namespace

// Where we got no processor ourselves until long after the deadline, what came in time may not have
// been read yet, and the target may have stood still as we did: it has as long once more.
awaitable<transport::Arrival> Session::receive_awake(Deadline deadline) {
  Deadline due = std::max(deadline, Clock::now());
  transport::Arrival arrival = co_await transport_->receive(deadline);
  Clock::duration late = Clock::now() - due;
  for (Clock::duration given{}; late >= patience::kLate && given < patience::kMadeGood;) {
    late_at_ = Clock::now();
    good_until_ = due = late_at_ + late;
    if (!std::holds_alternative<transport::Quiet>(arrival)) break;
    given += late;
    arrival = co_await transport_->receive(due);
    late = Clock::now() - due;
  }
  co_return std::move(arrival);
}

// A deadline that went by while we stood still holds until the target had its time.
Deadline Session::made_good(Deadline deadline) const {
  return deadline <= late_at_ ? std::max(deadline, good_until_) : deadline;
}

// Each second that goes by is told.
awaitable<transport::Arrival> Session::receive_telling(Deadline deadline) {
  constexpr milliseconds kTick{1000};
  const bool first = !heard_ && messages_sent_ > 0;
  const auto began = first ? first_sent_ : Clock::now();
  auto most = std::chrono::duration_cast<milliseconds>(deadline - began);
  if (first) most = std::max(most, pace_->to_begin());  // it may be taken up once more
  auto tick = std::max(Clock::now(), began + kTick);
  for (; pace_->waited && tick < deadline; tick = Clock::now() + kTick) {
    transport::Arrival arrival = co_await receive_awake(tick);
    if (!std::holds_alternative<transport::Quiet>(arrival) || rests()) co_return std::move(arrival);
    const auto since = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
    pace_->waited({asked_.empty() ? "the target" : "a reply to " + asked_, first, since, most});
  }
  transport::Arrival arrival = co_await receive_awake(deadline);
  co_return std::move(arrival);
}

// What a large message is given besides is for reading it: it is over once the target, if its
// processes can be seen, does nothing.
awaitable<transport::Arrival> Session::receive_while_busy(Deadline deadline) {
  const auto began = Clock::now();
  const milliseconds small = pace_->reply(), besides = pace_->reply(0, unanswered_bytes()) - small;
  const Deadline usual = std::min(deadline, std::max(deadline - besides, began + small));
  transport::Arrival arrival = co_await receive_telling(usual);
  while (std::holds_alternative<transport::Quiet>(arrival) && !rests()) {
    const auto from = Clock::now();
    if (from >= deadline) break;
    const transport::ProcessControl* process = transport_->process();
    const Starvation work(process ? std::vector<long>{process->group()} : pace_->processes,
                          process == nullptr);
    arrival = co_await receive_telling(std::min(deadline, from + patience::kBusy));
    const auto ran = work.ran();
    if (ran && (*ran + work.since()) * 2 < Clock::now() - from) break;
  }
  co_return std::move(arrival);
}

// Time in which the target got no processor is given to it besides; not without end, for it may be
// its own threads that keep each other waiting.
awaitable<transport::Arrival> Session::receive_fairly(Deadline deadline) {
  const auto began = Clock::now();
  if (deadline - began < patience::kWorth || deadline == Deadline::max()) {
    transport::Arrival soon = co_await receive_awake(deadline);
    co_return std::move(soon);
  }
  const Starvation starvation(pace_->processes);
  transport::Arrival arrival = co_await receive_while_busy(deadline);
  milliseconds given{0};
  while (std::holds_alternative<transport::Quiet>(arrival) && !rests()) {
    const milliseconds owed = std::min(starvation.since(), patience::kMadeGood) - given;
    if (owed < patience::kStep) break;
    given += owed;
    const Deadline until = Clock::now() + owed;
    arrival = co_await receive_awake(until);
  }
  const auto elapsed = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
  if (elapsed >= patience::kTells) pace_->slowdown = slowdown(elapsed, starvation.since());
  co_return std::move(arrival);
}

awaitable<transport::Arrival> Session::next_arrival(Deadline deadline) {
  const Deadline soon = Clock::now() + pace_->brief();
  const bool brief = (!pace_->waiting && !pace_->waited) || deadline <= soon;
  transport::Arrival arrival = co_await receive_awake(brief ? deadline : soon);
  if (!std::holds_alternative<transport::Quiet>(arrival)) co_return std::move(arrival);
  if (brief && !rests()) co_return std::move(arrival);
  if (pace_->waiting) pace_->waiting(true);
  if (!brief) arrival = co_await receive_fairly(deadline);
  // A server that asked for time has as long as any once it is asked again.
  while (std::holds_alternative<transport::Quiet>(arrival) && rests()) {
    const Deadline until = Clock::now() + pace_->reply();
    arrival = co_await transport_->receive(until);
  }
  if (pace_->waiting) pace_->waiting(false);
  co_return std::move(arrival);
}

bool Session::rests() const {
  const transport::Exchanges* http = transport_->exchanges();
  return http && http->rests();
}

Deadline Session::patience(Deadline deadline) const {
  return garbled_ ? std::min(deadline, Clock::now() + pace_->grace(true)) : deadline;
}

awaitable<void> Session::linger(bool patient, Deadline at_least) {
  const Deadline until = std::max(Clock::now() + pace_->grace(patient), at_least);
  for (bool more = true; more;) more = co_await pump(until);
}

awaitable<void> Session::keep_apart() {
  const Deadline until = written_ + pace_->apart;
  const bool waits = pace_->apart.count() > 0 && transport_->traits().byte_stream;
  for (bool more = waits; more && inbox_.size() == heard_before_ && Clock::now() < until;)
    more = co_await pump(until);
  note_write();
}

awaitable<Inbound*> Session::reply_to(const Sent& sent, Deadline deadline) {
  // A reply without an id may belong to a message sent before the handshake, or answer a
  // notification.
  bool waits = attribution_.keeps_ids() ||
               (!initialized_ && messages_sent_ > 1 && initialize_ids_.contains(sent.id_key));
  bool perhaps = false;
  for (std::size_t heard = sent.from;;) {
    for (; heard < inbox_.size(); ++heard) {
      Inbound& inbound = inbox_[heard];
      const bool unnamed = inbound.key == "null" && !inbound.claimed;
      // What is nobody's in the end, as an error by who keeps ids, cuts no wait short.
      if (waits && unnamed && attribution_.fit(inbound, sent) == trace::Fit::kPerhaps &&
          attribution_.may_pass(inbound, sent)) {
        if (!std::exchange(perhaps, true))
          deadline = std::min(deadline, Clock::now() + pace_->grace(false));
        continue;
      }
      if (!takes_for_answer(inbound, sent)) continue;
      inbound.claimed = true;
      if (inbound.key == sent.id_key && has_result_of_nobody(inbox_))
        attribution_.saw_notes_answered();
      co_return &inbound;
    }
    const Exchange* http = exchange(sent.exchange);
    bool more = !(http && http->ended) && !refusal(sent);
    if (more && take_pending()) continue;
    const Deadline until = patience(deadline);
    if (more) more = co_await pump(until);
    if (more) continue;
    if (!std::exchange(waits, false) || !perhaps) co_return nullptr;
    heard = sent.from;
  }
}

std::size_t Session::unanswered_bytes() const {
  const auto& frames = transcript().frames;
  std::size_t bytes = 0;
  for (auto at = frames.rbegin(); at != frames.rend(); ++at) {
    if (at->direction == wire::Direction::kSent) bytes += at->size;
    // What has no id, as a notification or a line of stderr, answers nothing.
    else if (at->bytes.find("\"id\"") != std::string::npos) break;
  }
  return bytes;
}

// Whoever is asked behind a large message has to read that first.
milliseconds Session::reply_time(std::size_t batched, std::size_t bytes) const {
  const milliseconds usual = pace_->reply(batched, std::max(bytes, unanswered_bytes()));
  return heard_ ? usual : std::max(usual, pace_->first());
}

}  // namespace harness::session
