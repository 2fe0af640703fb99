// SPDX-License-Identifier: Apache-2.0
#include "harness/play/listener.h"

#include <algorithm>

#include "harness/session/patience.h"

namespace harness::run {

using session::Clock;
using session::Deadline;
using session::Inbound;
using session::Sent;
using std::chrono::milliseconds;
using trace::Fit;

namespace {

// A batch of so many requests is work for a while, and its answer fills the buffers of a
// connection.
constexpr std::size_t kLargeBatch = 100;

// Whether it holds a request, or is text that may be taken for one or refused: an answer that comes
// late would be laid to what was sent behind it.
bool may_be_answered(const Asked& asked) {
  return asked.sent.is_request || asked.sent.batched > 0 || !asked.sent.is_json;
}

// An object that has the id of the request but is not a response.
bool is_for(const Inbound& malformed, const Asked& asked) {
  return malformed.message->kind == wire::MessageKind::kMalformed && !asked.sent.id_key.empty() &&
         malformed.message->key == asked.sent.id_key;
}

}  // namespace

std::optional<Asked> Listener::take_up(const std::string& name) {
  const auto found = later_.find(name);
  if (found == later_.end()) return std::nullopt;
  Asked asked = std::move(found->second);
  later_.erase(found);
  session_->attribution().release(asked.sent.id_key);
  return asked;
}

void Listener::clear_put_off() {
  for (const auto& [name, asked] : later_) session_->attribution().release(asked.sent.id_key);
  later_.clear();
}

Fit Listener::fit(const Asked& asked, const Inbound& inbound) const {
  return inbound.claimed ? Fit::kNo : session_->attribution().fit(inbound, asked.sent);
}

// Strays count only when nothing names the frame; where one all but names it, the others do not.
Listener::Inbounds Listener::answers_to(const Asked& asked) const {
  Inbounds own, stray;
  auto& inbox = session_->inbox();
  for (std::size_t i = asked.sent.from; i < inbox.size(); ++i) {
    const Fit found = fit(asked, inbox[i]);
    if (found == Fit::kOwn) own.push_back(&inbox[i]);
    if (found == Fit::kPerhaps) stray.push_back(&inbox[i]);
  }
  const auto other = std::stable_partition(stray.begin(), stray.end(), [&](const Inbound* one) {
    return trace::reads_as_own(*one, asked.sent);
  });
  if (other != stray.begin()) stray.erase(other, stray.end());
  return own.empty() ? stray : own;
}

// The same question asked of new arrivals only: a flooding target must not cost a walk over all
// that came for each line that comes.
Fit Listener::fit_since(const Asked& asked, std::size_t& heard) const {
  auto& inbox = session_->inbox();
  Fit best = Fit::kNo;
  for (heard = std::max(heard, asked.sent.from); heard < inbox.size(); ++heard)
    best = std::max(best, fit(asked, inbox[heard]));
  return best;
}

bool Listener::came_for(const Asked& asked, std::size_t from) const {
  const auto& inbox = session_->inbox();
  return std::any_of(inbox.begin() + static_cast<std::ptrdiff_t>(std::min(from, inbox.size())),
                     inbox.end(), [&](const Inbound& inbound) { return is_for(inbound, asked); });
}

bool Listener::canary_answered(const Sent& canary, std::size_t& heard) {
  auto& inbox = session_->inbox();
  for (heard = std::max(heard, canary.from); heard < inbox.size(); ++heard) {
    Inbound& inbound = inbox[heard];
    if (!inbound.message->is_reply() || inbound.exchange != canary.exchange) continue;
    const Fit found = session_->attribution().fit(inbound, canary);
    const bool alike =
        trace::reads_as_own(inbound, canary) || !session_->attribution().retypes_ids();
    // Who leaves out the id of this result leaves it out again: with one it answers something else.
    const json::Value& unnamed = session_->canary().unnamed;
    const bool passes = found == Fit::kPerhaps && session_->alters_ids() && !inbound.claimed &&
                        alike && unnamed.is_null();
    const bool as_usual = found == Fit::kPerhaps && !inbound.claimed && !unnamed.is_null() &&
                          json::equal(inbound.message->value, unnamed);
    const bool its_own = found == Fit::kOwn || (passes && inbound.message->id()) || as_usual;
    if (!its_own) continue;
    inbound.claimed = true;
    canary_reply_ = &inbound;
    return true;
  }
  return false;
}

awaitable<bool> Listener::ask_canary() {
  Sent canary;
  bool answered = false;
  // Of a target that takes each read for one message, the first may lie in the rest of another.
  for (int left = session_->pace().apart.count() > 0 ? 2 : 1; left > 0 && !answered; --left) {
    canary = co_await session_->send_canary();
    last_canary_ = canary;
    session_->attribution().reserve(canary.id_key);
    const Deadline deadline = left > 1 ? after_canary() : Clock::now() + session_->reply_time();
    std::size_t heard = 0;
    answered = canary_answered(canary, heard);
    for (bool more = true; more && !answered;) {
      const session::Exchange* exchange = session_->exchange(canary.exchange);
      if ((exchange && exchange->ended) || session_->refusal(canary)) break;
      more = co_await session_->pump(deadline);
      answered = canary_answered(canary, heard);
    }
    if (session_->closed()) break;
  }
  // HTTP: who has no session may be refused before any message is read, and that is a sign of life.
  const session::Exchange* refused = session_->exchange(canary.exchange);
  const bool sessionless = !session_->initialized() || session_->lacks_session();
  answered |= refused && sessionless && refused->status >= 400 && refused->status < 500 &&
              session_->profile().era == spec::Era::kHandshake;
  canary_took_ = Clock::now() - canary.at;
  if (answered)
    session_->pace().measured(std::chrono::duration_cast<session::microseconds>(canary_took_));
  alive_proved_ = answered;
  ever_alive_ |= answered;
  canary_failed_ = !answered;
  co_return answered;
}

// How long a target that has just answered the canary may still take for what came before it.
Deadline Listener::after_canary() const {
  return Clock::now() + patience::kBehindCanary.at(
                            std::chrono::duration_cast<session::microseconds>(canary_took_));
}

// How long what a later canary overtook may still come. The requests of a batch have as long as
// they would alone.
Deadline Listener::after_silence(const Asked& asked, Deadline deadline) const {
  return asked.sent.batched > 0 ? deadline : Clock::now() + session_->pace().grace(true);
}

// How long a request is waited for alone, before a canary asks whether it is answered.
Clock::duration Listener::before_canary(bool odd, bool quick) const {
  const session::Pace& pace = session_->pace();
  return quick && !odd ? patience::kFirstLook.at(pace.round_trip) : pace.grace(!odd);
}

bool Listener::silence_is_no_failure(const Asked& asked) const {
  if (!asked.reply) return false;
  const Grade grade = grade_of_silence(*asked.reply, judging_);
  return grade != Grade::kFail && grade != Grade::kBreach;
}

// It may be carried out, the case says how long it may take, or it is one of several waited for.
bool Listener::may_take_time(const Asked& asked) const {
  if (asked.with_others || (asked.step && asked.step->within)) return true;
  if (!asked.sent.method.empty() && asked.sent.method == session_->pace().slow_method) return true;
  return asked.sent.runs_feature && (!asked.reply || accepts_result(*asked.reply, judging_));
}

Reply Listener::blank(const Asked& asked) const {
  Reply reply;
  reply.own_id = asked.sent.id_key;
  reply.readable = asked.sent.is_json;
  reply.valid_request = asked.valid_request;
  return reply;
}

awaitable<Reply> Listener::gather(const Asked& asked, Deadline deadline) {
  Reply reply = blank(asked);
  if (asked.sent.exchange) {
    co_await gather_http(asked, deadline);
    collect(asked, reply);
    reply.waited = reply.messages.empty();
    co_return reply;
  }
  const bool silence_expected = asked.reply && expects_silence(*asked.reply, judging_);
  const bool thorough = silence_ != Silence::kBelieved;
  if ((asked.valid_request || asked.sent.runs_feature) && !silence_expected) {
    // Where silence would be odd but no failure, a canary tells sooner than the deadline.
    // So it does where the target is known to be silent to such a message, and, after a longer
    // wait, where what is asked takes no time and the silence will be looked at again.
    const bool odd = silence_foreseen_ ||
                     (!patient_ && !asked.sent.runs_feature && silence_is_no_failure(asked));
    const bool quick = odd || (!patient_ && !may_take_time(asked));
    const bool holds_back = session_->pace().holds_back();
    const bool soft = quick || holds_back;
    const Deadline first = Clock::now() + before_canary(odd, quick);
    co_await wait_for_answer(asked, soft ? std::min(first, deadline) : deadline);
    const bool answered = !answers_to(asked).empty() || session_->refusal(asked.sent);
    reply.waited = !answered && !soft;
    // What is known to be silent, and may take time, was waited for before.
    reply.waited |= !answered && silence_foreseen_ && may_take_time(asked);
    if (!answered && !session_->closed()) {
      reply.canary_answered = co_await ask_canary();
      const bool silent = soft && reply.canary_answered && answers_to(asked).empty();
      // Did it come of its own accord, or only behind another message? The patient look tells.
      const bool behind = reply.canary_answered && !answers_to(asked).empty();
      crossed_ |= behind && soft && !odd && !holds_back;
      session_->pace().held_back += behind && !soft;
      if (silent && !quick) {
        // It was not held back, and has as long as any other.
        co_await wait_for_answer(asked, deadline);
        reply.waited = answers_to(asked).empty();
      } else if (silent) {
        // It may answer out of order.
        believed_ |= !patient_;
        co_await hear_late(asked, after_silence(asked, deadline));
      } else if (!quick || !reply.canary_answered) {
        // What comes only now was held back until another message: too late to count. After a
        // short wait of a target that is known to do so, it counts: what it says is judged.
        for (Inbound* late : answers_to(asked)) late->claimed = true;
      }
    }
  } else {
    // A canary beside it would be a question of its own: whether two are served at once.
    const bool owed = !silence_expected && !silence_is_no_failure(asked);
    if (asked.sent.batched >= kLargeBatch && owed) co_await wait_for_answer(asked, deadline);
    reply.canary_answered = co_await ask_canary();
    // Whether the POST was refused is told on another connection than the canary's answer.
    if (reply.canary_answered && asked.sent.post) {
      const Deadline late = after_canary();
      co_await finish_exchange(asked.sent.post, late);
    }
    const bool refused = session_->refusal(asked.sent) != nullptr;
    const bool may_lag = session_->pace().answers_out_of_order();
    if (reply.canary_answered && may_lag && answers_to(asked).empty() && !refused)
      co_await wait_for_answer(asked, Clock::now() + session_->pace().brief());
    if (reply.canary_answered && answers_to(asked).empty() && !refused && !silence_expected) {
      // It may answer out of order.
      co_await hear_late(asked, after_silence(asked, deadline));
      believed_ |= !patient_;
    } else if (reply.canary_answered && thorough && answers_to(asked).empty() &&
               (silence_expected || may_be_answered(asked))) {
      // It may answer out of order. The case takes silence for lawful, and oracles may not.
      co_await hear_late(asked, after_silence(asked, deadline));
    }
  }
  collect(asked, reply);
  // Should it come yet, it is not the reply to something later.
  if (reply.messages.empty()) give_up(asked);
  co_return reply;
}

// GCC 12 forgets temporaries around a co_await in a condition, so conditions are kept apart.
awaitable<void> Listener::wait_for_answer(const Asked& asked, Deadline deadline) {
  std::size_t heard = 0;
  for (bool more = true; more;) {
    const std::size_t from = std::max(heard, asked.sent.from);
    const Fit found = fit_since(asked, heard);
    if (session_->refusal(asked.sent)) co_return;
    // An object with its id that is no reply is what the target has for it.
    if (came_for(asked, from))
      deadline = std::min(deadline, Clock::now() + session_->pace().grace(false));
    if (found == Fit::kOwn || (found == Fit::kPerhaps && asked.sent.id_key.empty())) co_return;
    // What names nobody may be meant for somebody else, and the own reply still on its way.
    if (found == Fit::kPerhaps)
      deadline = std::min(deadline, Clock::now() + session_->pace().grace(false));
    more = co_await session_->pump(deadline);
  }
}

// The patient judgement waits here; else whoever plays the case waits once for all such silences.
awaitable<void> Listener::hear_late(const Asked& asked, Deadline deadline) {
  if (patient_) co_return co_await wait_for_answer(asked, deadline);
  if (silence_ == Silence::kBelieved) co_return;
  believed_ = true;
  hear_until_ = std::max(hear_until_, deadline);
}

awaitable<void> Listener::gather_http(const Asked& asked, Deadline deadline) {
  std::size_t heard = 0;
  for (bool more = true; more;) {
    const session::Exchange* exchange = session_->exchange(asked.sent.exchange);
    if (!exchange || exchange->ended) co_return;
    if (asked.head_will_do && exchange->streams) co_return;
    // The reply came on a stream that the server may keep open a little longer.
    const Fit found = fit_since(asked, heard);
    const bool enough = !asked.sent.is_batch && !asked.to_the_end;
    if (enough && found == Fit::kOwn) co_return;
    more = co_await session_->pump(deadline);
  }
}

awaitable<void> Listener::finish_exchange(int number) {
  const Deadline deadline = Clock::now() + session_->reply_time();
  co_await finish_exchange(number, deadline);
}

awaitable<void> Listener::finish_exchange(int number, Deadline deadline) {
  for (bool more = true; more;) {
    const session::Exchange* exchange = session_->exchange(number);
    if (!exchange || exchange->ended) co_return;
    more = co_await session_->pump(deadline);
  }
}

// New arrivals that name their frame are taken. The others that may be replies are counted.
std::size_t Listener::take_flight(const std::vector<Asked>& all, std::vector<Reply>& replies,
                                  std::size_t& heard) const {
  auto& inbox = session_->inbox();
  std::size_t strays = 0;
  for (; heard < inbox.size(); ++heard) {
    Inbound& inbound = inbox[heard];
    bool perhaps = false;
    for (std::size_t i = 0; i < all.size() && !inbound.claimed; ++i) {
      const Asked& asked = all[i];
      if (!asked.reply || heard < asked.sent.from) continue;
      // Two frames may have one id: each gets one of the replies.
      if (!asked.sent.exchange && !replies[i].messages.empty()) continue;
      const Fit found = fit(asked, inbound);
      perhaps |= found == Fit::kPerhaps;
      if (found != Fit::kOwn) continue;
      inbound.claimed = true;
      replies[i].messages.push_back(&inbound);
    }
    strays += perhaps && !inbound.claimed;
  }
  return strays;
}

// True while a reply that is owed is missing; with `firm_only`, one whose absence would be a
// failure.
bool Listener::is_missing(const std::vector<Asked>& all, const std::vector<Reply>& replies,
                          bool firm_only) const {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Asked& asked = all[i];
    if (!replies[i].messages.empty() || !asked.reply || came_for(asked, asked.sent.from)) continue;
    if (asked.sent.exchange) {
      const session::Exchange* exchange = session_->exchange(asked.sent.exchange);
      if (!exchange || !exchange->ended) return true;
    } else if (!asked.sent.id_key.empty() && !session_->refusal(asked.sent) &&
               !expects_silence(*asked.reply, judging_)) {
      const bool soft = asked.silence_foreseen ||
                        (!patient_ && !asked.sent.runs_feature && silence_is_no_failure(asked));
      if (!firm_only || !soft) return true;
    }
  }
  return false;
}

awaitable<std::vector<Reply>> Listener::gather_flight(const std::vector<Asked>& all,
                                                      Deadline deadline) {
  std::vector<Reply> replies;
  for (const Asked& asked : all) replies.push_back(blank(asked));
  const auto open = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      count += all[i].reply && replies[i].messages.empty();
    return count;
  };
  // What takes no time is waited for like a single message: a silence is looked at again.
  const bool quick = !patient_ && !session_->has_exchanges() &&
                     std::none_of(all.begin(), all.end(), [](const Asked& asked) {
                       return asked.sent.runs_feature || (asked.step && asked.step->within);
                     });
  const Deadline whole = deadline;
  // Nor does it help to wait where it is known that not all of them are read, or answered at once.
  const bool lost = session_->pace().apart.count() > 0 || session_->pace().holds_back();
  if (quick || lost) deadline = std::min(deadline, Clock::now() + before_canary(false, true));
  std::size_t heard = 0, strays = 0;
  bool more = true;
  while (more) {
    strays += take_flight(all, replies, heard);
    const bool missing = is_missing(all, replies, true);
    if (!missing) break;
    // As many replies as are missing came without naming their requests.
    if (strays >= open())
      deadline = std::min(deadline, Clock::now() + session_->pace().grace(false));
    more = co_await session_->pump(deadline);
  }
  bool proved = false;
  const bool waited = is_missing(all, replies, true);
  if (!session_->has_exchanges() && !session_->closed()) proved = co_await ask_canary();
  // What may stay away without failing gets a moment more, once the canary was answered.
  const Deadline late = std::min(whole, after_canary());
  more = proved;
  while (more) {
    strays += take_flight(all, replies, heard);
    const bool missing = is_missing(all, replies, false);
    if (!missing) break;
    more = co_await session_->pump(late);
  }
  believed_ |= quick && proved && open() > 0;
  // What came only behind the canary may be held back until then.
  const bool behind = waited && proved && !is_missing(all, replies, true);
  crossed_ |= behind && quick;
  session_->pace().held_back += behind && !quick && !lost;
  // What is left over goes to frames without a reply: one to each where there is enough.
  const std::size_t most = strays >= open() ? 1 : SIZE_MAX;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].reply) continue;
    Reply& reply = replies[i];
    reply.canary_answered = proved;
    if (reply.messages.empty()) {
      collect(all[i], reply, most);
      if (reply.messages.empty()) give_up(all[i]);
    } else {
      reply.http = http_of(all[i].sent);
      fill_ending(reply);
    }
  }
  co_return replies;
}

void Listener::give_up(const Asked& asked) {
  const Sent& sent = asked.sent;
  if (!sent.id_key.empty()) session_->attribution().give_up(sent.id_key);
  silences_ += sent.is_request && !session_->closed() && !session_->refusal(sent);
  const bool answers = !sent.id_key.empty() || sent.batched > 0;
  const bool may_come = asked.reply && accepts_message(*asked.reply, judging_);
  if (answers && (may_come || !silence_is_no_failure(asked))) unanswered_.push_back(sent);
}

bool Listener::is_late(const Inbound& inbound) {
  const bool late = std::any_of(unanswered_.begin(), unanswered_.end(), [&](const Sent& sent) {
    return session_->attribution().fit(inbound, sent) == Fit::kOwn;
  });
  crossed_ |= late && !patient_;
  session_->pace().overtaken += late;
  return late;
}

void Listener::collect(const Asked& asked, Reply& reply, std::size_t most) {
  for (Inbound* inbound : answers_to(asked)) {
    if (reply.messages.size() == most) break;
    inbound->claimed = true;
    const json::Value* id = inbound->message->id();
    const bool named = id && !id->is_null() && wire::id_key(*id) == asked.sent.id_key;
    const bool may_be_of_another = believed_ && !named && !asked.sent.exchange;
    crossed_ |= may_be_of_another;
    session_->pace().overtaken += may_be_of_another;
    reply.messages.push_back(inbound);
  }
  reply.http = http_of(asked.sent);
  for (std::size_t i = asked.sent.from; i < session_->inbox().size(); ++i)
    reply.asked |= session_->inbox()[i].message->kind == wire::MessageKind::kRequest;
  // The one with its id, or the first.
  for (std::size_t i = asked.sent.from; reply.messages.empty() && i < session_->inbox().size();
       ++i) {
    const Inbound& inbound = session_->inbox()[i];
    if (inbound.claimed || inbound.noise || inbound.exchange != asked.sent.exchange ||
        inbound.message->kind != wire::MessageKind::kMalformed)
      continue;
    const bool its_own = is_for(inbound, asked);
    if (its_own || !reply.garbage) reply.garbage = &inbound;
    if (its_own) break;
  }
  fill_ending(reply);
}

// What of HTTP is part of a reply: where messages share a stream, only that a POST was refused.
const session::Exchange* Listener::http_of(const Sent& sent) const {
  return sent.exchange ? session_->exchange(sent.exchange) : session_->refusal(sent);
}

void Listener::fill_ending(Reply& reply) const {
  reply.closed = session_->closed();
  reply.exited = session_->exited();
  reply.how = session_->exited() ? session_->exit_status() : session_->closed_how();
}

awaitable<bool> Listener::hear_latecomers() {
  believed_ = false;
  if (session_->has_exchanges()) co_return session_->has_strays();
  const bool thorough = silence_ != Silence::kBelieved;
  co_await session_->linger(thorough, hear_until_);
  hear_until_ = {};
  const bool came = thorough ? session_->has_unclaimed() : session_->has_strays();
  session_->pace().overtaken += came;
  co_return came;
}

}  // namespace harness::run
