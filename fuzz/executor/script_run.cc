// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/script_run.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <variant>

#include "fuzz/script/client_answer.h"
#include "fuzz/script/steps.h"
#include "harness/json/write.h"
#include "harness/target/permission.h"
#include "harness/transport/timer.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::Nothing;
using harness::Status;
using harness::session::Deadline;
using harness::session::Exchange;
namespace json = harness::json;
namespace wire = harness::wire;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t kRawTail = 64 * 1024;  // of raw bytes that may still become a call
constexpr int kOwedFor = 16;                 // scripts that may see a late reply to this one
constexpr int kMostPatience = 8;             // times, for a server that says something now and then

bool has_references(const Script& script) {
  return std::any_of(script.steps.begin(), script.steps.end(), [](const Step& step) {
    const auto* frame = std::get_if<Frame>(&step);
    return frame != nullptr && frame->bytes.find("${") != std::string::npos;
  });
}

}  // namespace

WaitSituation ScriptRun::situation() const {
  WaitSituation out;
  out.pace = session().pace();
  out.wishes = shared_.wishes;
  out.habits = shared_.habits;
  out.exchanges = session().has_exchanges();
  out.apart = apart_;
  return out;
}

// ---------------------------------------------------------------------------------- the whole

ScriptRun::awaitable<Status> ScriptRun::play(const Script& script) {
  began_ = Clock::now();  // to start a server is none of the script's time
  has_references_ = has_references(script);
  apart_ = !in_flight_together(script);
  heard_ = session().inbox().size();
  if (tells_output()) said_before_ = shared_.sessions.service().output();
  queue_.connect(session().wire());
  for (std::size_t index = 0; index < script.steps.size(); ++index) {
    const Step& step = script.steps[index];
    if (!shared_.sessions.session() && !std::holds_alternative<Close>(step)) {
      const Status opened = co_await open_again();
      if (!opened) co_return opened;
    }
    if (shared_.sessions.session() && session().closed()) break;
    co_await take(step, index);
    if (out_.ending != Ending::kAnswered) break;
  }
  if (shared_.sessions.session() && out_.ending == Ending::kAnswered) co_await settle(true);
  co_return Nothing{};
}

// Whether what a service writes meanwhile is kept: for a finding, not for each script.
bool ScriptRun::tells_output() const {
  const harness::run::Service& service = shared_.sessions.service();
  return service && service.ours && shared_.wishes.care >= Care::kPatient;
}

ScriptRun::awaitable<Status> ScriptRun::open_again() {
  const Clock::time_point from = Clock::now();
  const Status opened = co_await shared_.sessions.reopen();
  if (!opened) co_return opened;
  idle_ += Clock::now() - from;
  queue_.connect(session().wire());
  co_return Nothing{};
}

ScriptRun::awaitable<void> ScriptRun::take(const Step& step, std::size_t index) {
  if (const auto* frame = std::get_if<Frame>(&step)) {
    co_await take_frame(*frame, index);
  } else if (const auto* raw = std::get_if<Raw>(&step)) {
    if (session().wire().over_http() || !may_be_sent(raw->bytes)) co_return;
    ++out_.frames;
    keep_tail(raw->bytes);
    queue_.add_raw(raw->bytes, {0, index, true, false});
  } else if (const auto* pausing = std::get_if<Pause>(&step)) {
    co_await flush();
    co_await pause(pausing->milliseconds);
  } else if (std::holds_alternative<Sync>(step)) {
    co_await settle(false);
  } else if (std::holds_alternative<Close>(step)) {
    if (shared_.sessions.session()) co_await close();
  } else if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
    co_await flush();
    will_answer(*answer);
  }
}

ScriptRun::awaitable<void> ScriptRun::finish() {
  SessionKeeper& sessions = shared_.sessions;
  if (sessions.session()) {
    const bool crashed = session().exit_status().starts_with("signal");
    if (session().closed() && out_.ending == Ending::kAnswered && (crashed || !queue_.torn()))
      out_.ending = Ending::kGone;
    if (sessions.service()) {
      // Of a process that is not ours the end of a connection is all that can be seen.
      const bool visible = sessions.service().ours || session().closed();
      if (broken_ || (out_.ending != Ending::kAnswered && visible)) co_await sessions.see_end();
      out_.served_ended = sessions.service().died();
      if (out_.served_ended) out_.ending = Ending::kGone;
    }
    if (out_.served_ended) {
      out_.how = sessions.service().ending();
      out_.stderr_tail = sessions.service().output();
    } else if (out_.ending == Ending::kGone) {
      out_.how = session().exited() ? session().exit_status() : session().closed_how();
      out_.stderr_tail = session().stderr_tail();
    } else if (tells_output()) {
      out_.stderr_tail = sessions.service().output();
      if (out_.stderr_tail.starts_with(said_before_))
        out_.stderr_tail.erase(0, said_before_.size());
    }
    keep_slice();
    shared_.habits.asks |= session().asks();
    out_.torn = queue_.torn();
    if (out_.ending != Ending::kAnswered || out_.torn) sessions.forget_session();
  }
  sessions.note_silence(out_.ending == Ending::kSilent);
  sessions.note_frames(out_.frames);
  Arrears& arrears = sessions.arrears();
  arrears.unanswered += out_.missing;
  arrears.scripts = owes_ ? kOwedFor : arrears.scripts - (arrears.scripts > 0);
  out_.took = std::chrono::duration_cast<microseconds>(Clock::now() - began_ - idle_);
}

// ---------------------------------------------------------------------------------- sending

ScriptRun::awaitable<void> ScriptRun::take_frame(const Frame& frame, std::size_t index) {
  const ScriptPlace place{++frames_, index};
  Frame filled = frame;
  if (has_references_ && !references(frame.bytes).empty()) {
    co_await settle(false);
    if (out_.ending != Ending::kAnswered) co_return;
    filled.bytes = filled_in(frame.bytes);
  }
  if (!may_be_sent(filled.bytes)) co_return;
  note_end(filled);
  ++out_.frames;
  if (queue_.add(filled, place)) co_return;
  co_await flush();
  co_await send_alone(filled, place);
}

ScriptRun::awaitable<void> ScriptRun::send_alone(const Frame& frame, ScriptPlace place) {
  DeliveredFrame delivered = deliver(frame, session().wire());
  queue_.note_sent_alone(delivered);
  std::string shown = shown_text(frame, delivered, session().wire());
  const bool unframed = !delivered.as_agreed;
  const bool in_pieces = delivered.writes.size() > 1;
  const Clock::time_point writing = Clock::now();
  const Sent sent = co_await session().send_text(std::move(shown), std::move(delivered.writes),
                                                 unframed, delivered.http);
  if (in_pieces) idle_ += Clock::now() - writing;
  note_sent(place, sent);
  if (frame.delivery.http_method == "GET" && sent.exchange != 0) listening_.insert(sent.exchange);
  if (unframed && sent.exchange != 0) co_await give_up_body(sent);
}

// A body that was announced to be longer than it is may be waited for as long as the server likes,
// and some read nothing else until it is there. After a while we end it.
ScriptRun::awaitable<void> ScriptRun::give_up_body(const Sent& sent) {
  const auto over = [&] {
    const Exchange* http = session().exchange(sent.exchange);
    return !http || http->ended;
  };
  const Clock::time_point from = Clock::now();
  const Deadline soon = from + wait_time(Awaited::kCutBody, situation());
  for (bool more = true; more && !over();) more = co_await session().pump(soon);
  AdaptiveWait& habit = shared_.habits.cut_bodies;
  if (!over()) {
    habit.another();
    const microseconds longer = wait_time(Awaited::kCutBodyLonger, situation());
    if (longer > longer.zero()) {
      const Deadline deadline = from + longer;
      for (bool more = true; more && !over();) more = co_await session().pump(deadline);
      habit.learn(over());
    }
  }
  if (over() || session().closed()) co_return;
  idle_ += Clock::now() - from;
  cut_bodies_.insert(sent.exchange);
  session().disconnect(sent.exchange);
}

ScriptRun::awaitable<void> ScriptRun::pause(int time) {
  const Clock::time_point from = Clock::now();
  harness::transport::Timer timer(co_await boost::asio::this_coro::executor, milliseconds(time));
  co_await timer.async_wait(boost::asio::use_awaitable);
  idle_ += Clock::now() - from;
}

ScriptRun::awaitable<void> ScriptRun::close() {
  co_await settle(true);
  // It died or fell silent before we ended it: finish() tells of that.
  if (out_.ending != Ending::kAnswered) co_return;
  const std::string how = session().closed() ? session().exit_status() : "";
  if (how.starts_with("signal") || (how.starts_with("exit") && how != "exit 0")) co_return;
  unheard_.clear();
  heard_ = 0;
  keep_slice();
  shared_.sessions.forget_session();
}

// What waits goes out.
ScriptRun::awaitable<void> ScriptRun::flush() {
  std::vector<WriteQueue::Entry> entries = queue_.take();
  if (entries.empty() || session().closed()) co_return;
  if (session().wire().over_http()) {
    std::vector<Session::Written> messages;
    for (WriteQueue::Entry& one : entries)
      messages.push_back({std::move(one.shown), std::move(one.bytes)});
    const std::vector<Sent> sent = co_await session().send_together(std::move(messages));
    for (std::size_t i = 0; i < sent.size(); ++i) note_sent(entries[i].place, sent[i]);
  } else {
    const bool apart = session().pace().apart.count() > 0;
    std::vector<WriteQueue::Entry> part;
    std::string bytes;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      bytes += entries[i].bytes;
      part.push_back(std::move(entries[i]));
      if (!apart && i + 1 < entries.size()) continue;
      co_await session().write(std::exchange(bytes, {}));
      note_written(std::exchange(part, {}));
    }
  }
}

void ScriptRun::note_written(std::vector<WriteQueue::Entry> entries) {
  std::vector<Session::Text> texts;
  texts.reserve(entries.size());
  for (WriteQueue::Entry& one : entries) texts.push_back({std::move(one.shown), one.unframed});
  const std::vector<Sent> sent = session().note_written(std::move(texts));
  for (std::size_t i = 0; i < sent.size(); ++i) note_sent(entries[i].place, sent[i]);
}

void ScriptRun::note_sent(const ScriptPlace& place, const Sent& sent) {
  if (place.answerable) asked_.push_back({place.number, sent});
  if (place.of_script)
    out_.sent.push_back({place.step, out_.slices.size(), sent.seq, sent.exchange});
}

// On a stream a canary goes with the rest: a write is a good part of what a script costs.
void ScriptRun::add_canary() { queue_.add_canary(json::write(session().next_canary())); }

// It was sent behind everything else.
harness::session::Sent ScriptRun::take_canary() {
  Sent canary = std::move(asked_.back().sent);
  asked_.pop_back();
  return canary;
}

bool ScriptRun::may_be_sent(const std::string& bytes) {
  if (shared_.forbidden.empty()) return true;
  const std::string tool = harness::target::forbidden_call(raw_tail_ + bytes, shared_.forbidden);
  out_.withheld += !tool.empty();
  return tool.empty();
}

// Without a line end it is read together with what follows.
void ScriptRun::note_end(const Frame& frame) {
  if (frame.delivery.eol == Eol::kNone)
    keep_tail(frame.bytes);
  else
    raw_tail_.clear();
}

void ScriptRun::keep_tail(const std::string& raw) {
  raw_tail_ += raw;
  if (raw_tail_.size() > kRawTail) raw_tail_.erase(0, raw_tail_.size() - kRawTail);
}

// The references of a frame filled in, as far as they can be.
std::string ScriptRun::filled_in(const std::string& bytes) const {
  return fill_in(bytes, [this](std::size_t frame) {
    const auto known = replies_.find(frame);
    return known == replies_.end() ? nullptr : &known->second;
  });
}

void ScriptRun::will_answer(const ClientAnswer& answer) {
  harness::session::SessionOptions options = session().options();
  options.answers.insert_or_assign(answer.method, as_answer(answer));
  session().set_options(std::move(options));
}

void ScriptRun::prepare(const Script& script, std::string& bytes) {
  queue_.connect(session().wire());
  for (std::size_t index = 0; index < script.steps.size(); ++index) {
    const Step& step = script.steps[index];
    if (const auto* frame = std::get_if<Frame>(&step)) {
      const ScriptPlace place{++frames_, index};
      if (!may_be_sent(frame->bytes)) continue;
      note_end(*frame);
      queue_.add(*frame, place);
      ++out_.frames;
    } else if (const auto* raw = std::get_if<Raw>(&step)) {
      if (!may_be_sent(raw->bytes)) continue;
      keep_tail(raw->bytes);
      queue_.add_raw(raw->bytes, {0, index, true, false});
      ++out_.frames;
    } else if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
      answers_.push_back(answer);
    } else if (std::holds_alternative<Sync>(step)) {
      end_part(bytes);
    }
  }
  end_part(bytes);
}

void ScriptRun::end_part(std::string& bytes) {
  add_canary();
  std::vector<WriteQueue::Entry> part = queue_.take();
  for (const WriteQueue::Entry& one : part) bytes += one.bytes;
  parts_.push_back(std::move(part));
}

// ---------------------------------------------------------------------------------- hearing

// A request behind everything else. Servers that answer out of order get a while for the rest.
ScriptRun::awaitable<void> ScriptRun::settle(bool last) {
  const bool together = !queue_.torn() && !session().has_exchanges();
  if (together) add_canary();
  co_await flush();
  if (session().closed()) co_return;
  if (queue_.torn()) {
    co_await settle_torn();
    co_return;
  }
  Sent canary;
  if (together)
    canary = take_canary();
  else
    canary = co_await session().send_canary();
  const Inbound* reply = co_await reply_to_canary(canary);
  if (reply)
    co_await hear_late(*reply, last);
  else
    end_without_reply();
  if (last) leave_streams();
}

// Nothing that is asked now would be read.
ScriptRun::awaitable<void> ScriptRun::settle_torn() {
  const Clock::time_point from = Clock::now();
  co_await hear(from + wait_time(Awaited::kTornReplies, situation()));
  idle_ += Clock::now() - from;
  out_.missing = 0;
}

void ScriptRun::end_without_reply() {
  out_.ending = session().closed() ? Ending::kGone : Ending::kSilent;
}

// What is due when the canary has its reply.
ScriptRun::awaitable<void> ScriptRun::hear_late(const Inbound& canary, bool last) {
  ServerHabits& habits = shared_.habits;
  const std::uint64_t behind = latest_ = canary.seq;
  const std::size_t before = out_.missing;
  const std::size_t awaited = outstanding();
  if (awaited > 0) habits.late_replies.another();
  WaitSituation where = situation();
  where.last = last;
  const microseconds grace = wait_time(Awaited::kLateReplies, where);
  const Clock::time_point from = Clock::now();
  co_await hear(from + grace);
  co_await hear_anything(from + grace);
  // Over HTTP the order says nothing: what is still open has to be waited for.
  if (where.exchanges && last && !unheard_.empty()) where.waited = co_await hear_open(from);
  const std::size_t missing = std::max(out_.missing, before) - before;
  if (awaited > 0 && grace > grace.zero()) habits.late_replies.learn(missing < awaited);
  const auto waited = std::chrono::ceil<microseconds>(Clock::now() - from);
  if (missing > 0) {
    idle_ += waited;
    out_.waited += waited;
  }
  if (missing < awaited) {
    const auto late_by = missing == 0 ? waited : time_of(latest_) - time_of(behind);
    habits.lateness += (late_by - habits.lateness) / 8;
  }
  where.habits = habits;
  where.broken = broken_;
  where.missing = missing > 0;
  const microseconds more = wait_time(Awaited::kSecondCanary, where);
  if (more > more.zero()) co_await pass_over(more);
  heard_ = session().inbox().size();
}

// Of a message that stands alone: nothing but the reply to the canary has come, and what has no id
// may come behind it.
ScriptRun::awaitable<void> ScriptRun::hear_anything(Deadline deadline) {
  const bool patient = shared_.wishes.care >= Care::kPatient && !shared_.wishes.patience;
  if (!apart_ || !patient || session().has_exchanges()) co_return;
  for (bool more = true; more && session().inbox().size() <= heard_ + 1;)
    more = co_await session().pump(deadline);
}

// A result without an id may be that to a message before the canary. If it ended the script, what
// was read by then would be a matter of time.
ScriptRun::awaitable<harness::session::Inbound*> ScriptRun::own_reply(Sent& canary,
                                                                      Deadline deadline) {
  bool& named = shared_.habits.names_canaries;
  for (;;) {
    Inbound* reply = co_await session().reply_to(canary, deadline);
    if (reply == nullptr || session().has_exchanges()) co_return reply;
    named |= reply->key == canary.id_key;
    if (!named || reply->key == canary.id_key) co_return reply;
    reply->claimed = false;
    while (&session().inbox()[canary.from++] != reply) continue;
  }
}

// Where silence was always silence, it is not waited through each time.
ScriptRun::awaitable<harness::session::Inbound*> ScriptRun::reply_to_canary(Sent canary) {
  const Clock::time_point now = Clock::now();
  WaitSituation where = situation();
  for (const Asked& each : asked_) {
    where.batched += each.sent.batched;
    where.bytes += each.sent.bytes;
  }
  std::size_t heard = session().inbox().size();
  Clock::time_point quiet_since = now;
  Inbound* reply = co_await own_reply(canary, now + wait_time(Awaited::kCanary, where));
  if (reply || session().closed()) co_return reply;
  AdaptiveWait& habit = shared_.habits.slow_canaries;
  habit.another();
  where.habits = shared_.habits;
  const microseconds longer = wait_time(Awaited::kSlowCanary, where);
  if (longer == longer.zero()) co_return nullptr;
  reply = co_await own_reply(canary, now + longer);
  // As long as replies come, it is no silence.
  const std::optional<milliseconds> patience = shared_.wishes.patience;
  for (int i = 0; i < kMostPatience && patience && !reply; ++i) {
    if (std::exchange(heard, session().inbox().size()) != session().inbox().size())
      quiet_since = Clock::now();
    const Deadline later = quiet_since + *patience;
    reply = co_await own_reply(canary, later);
    if (session().closed() || session().inbox().size() == heard) break;
  }
  habit.learn(reply != nullptr);
  co_return reply;
}

// Takes in replies to all that was asked, or as many as come.
ScriptRun::awaitable<void> ScriptRun::hear(Deadline deadline) {
  for (const Asked& each : asked_) {
    const Sent& sent = each.sent;
    owes_ |= sent.is_batch || (sent.is_request && sent.id_key.empty());
    if (!sent.is_request && sent.exchange == 0) continue;
    if (listening_.contains(sent.exchange)) {
      co_await hear_beginning(each, deadline);
      continue;
    }
    const Inbound* reply = co_await session().reply_to(sent, deadline);
    if (reply) latest_ = std::max(latest_, reply->seq);
    if (!reply) {
      const Exchange* http = session().exchange(sent.exchange);
      const bool over = http && http->ended;
      if (!over) ++out_.missing;
      if (!over && http) unheard_.push_back(each);
      broken_ |= over && http->status == 0 && !cut_bodies_.contains(sent.exchange);
    } else if (has_references_) {
      replies_[each.number] = json::write(reply->message->value);
    }
    if (session().closed()) break;
  }
  if (shared_.wishes.care == Care::kDogged) co_await hear_arrays(deadline);
  asked_.clear();
}

// A stream that was asked for has been answered when it begins.
ScriptRun::awaitable<void> ScriptRun::hear_beginning(const Asked& asked, Deadline deadline) {
  const auto answered = [&] {
    const Exchange* http = session().exchange(asked.sent.exchange);
    return !http || http->ended || http->streams;
  };
  for (bool more = true; more && !answered();) more = co_await session().pump(deadline);
  if (answered()) co_return;
  ++out_.missing;
  unheard_.push_back(asked);
}

// Nobody listens to the streams of a script that is over.
void ScriptRun::leave_streams() {
  for (const int exchange : std::exchange(listening_, {})) session().disconnect(exchange);
}

// On a stream nothing names the request that an array answers: there are to be as many.
ScriptRun::awaitable<void> ScriptRun::hear_arrays(Deadline deadline) {
  std::size_t due = 0;
  std::size_t from = session().inbox().size();
  for (const Asked& each : asked_) {
    if (each.sent.batched == 0 || each.sent.exchange != 0) continue;
    ++due;
    from = std::min(from, each.sent.from);
  }
  const auto came = [&] {
    const auto& inbox = session().inbox();
    return std::count_if(
        inbox.begin() + static_cast<std::ptrdiff_t>(from), inbox.end(),
        [](const Inbound& one) { return one.message->kind == wire::MessageKind::kBatch; });
  };
  for (bool more = true; more && static_cast<std::size_t>(came()) < due;)
    more = co_await session().pump(deadline);
}

// Exchanges that are open although what was asked behind them is answered. True when they were
// waited for, and some are open still.
ScriptRun::awaitable<bool> ScriptRun::hear_open(Clock::time_point from) {
  co_await hear_unheard(Clock::now());  // what has come since
  if (unheard_.empty() || session().closed()) co_return false;
  AdaptiveWait& habit = shared_.habits.open_exchanges;
  habit.another();
  const microseconds time = wait_time(Awaited::kOpenExchange, situation());
  if (time == time.zero()) {
    out_.hasty = !habit.lost();
    co_return false;
  }
  co_await hear_unheard(from + time);
  const bool open = !unheard_.empty();
  habit.learn(!open);
  co_return open;
}

ScriptRun::awaitable<void> ScriptRun::hear_unheard(Deadline deadline) {
  out_.missing -= unheard_.size();
  asked_ = std::exchange(unheard_, {});
  co_await hear(deadline);
}

// A request asked when a later one than those without a reply has been answered: the oracles take
// only that for a proof that nothing comes (harness/trace/pairing.h).
ScriptRun::awaitable<void> ScriptRun::pass_over(microseconds time) {
  if (session().closed()) co_return;
  const Sent another = co_await session().send_canary();
  const Inbound* reply = co_await session().reply_to(another, Clock::now() + time);
  if (!reply) end_without_reply();
}

ScriptRun::awaitable<void> ScriptRun::hear_pipelined() {
  began_ = Clock::now();
  session().set_options({});
  for (const ClientAnswer* answer : answers_) will_answer(*answer);
  for (std::vector<WriteQueue::Entry>& part : parts_) {
    note_written(std::move(part));
    const Sent canary = take_canary();
    session().take_singly(true);
    const Inbound* reply = co_await reply_to_canary(canary);
    session().take_singly(false);
    if (!reply) {
      end_without_reply();
      co_return;
    }
    claim();
    out_.disordered = has_reply_to_later();
    if (out_.disordered) co_return;
  }
  if (out_.missing == 0) co_return;
  AdaptiveWait& habit = shared_.habits.late_replies;
  habit.another();
  out_.wants_a_look = habit.at_first() || habit.now_and_then();
}

// Claims the replies that have come.
void ScriptRun::claim() {
  auto& inbox = session().inbox();
  for (const Asked& each : asked_) {
    const Sent& sent = each.sent;
    owes_ |= sent.is_batch || (sent.is_request && sent.id_key.empty());
    if (!sent.is_request) continue;
    const auto reply = std::find_if(inbox.begin(), inbox.end(), [&](const Inbound& one) {
      return session().takes_for_answer(one, sent);
    });
    if (reply == inbox.end())
      ++out_.missing;
    else
      reply->claimed = true;
  }
  asked_.clear();
}

// Requests whose replies have not come yet.
std::size_t ScriptRun::outstanding() {
  std::size_t count = 0;
  const auto& inbox = session().inbox();
  for (const Asked& each : asked_) {
    if (!each.sent.is_request) continue;
    count += std::none_of(inbox.begin(), inbox.end(), [&](const Inbound& one) {
      return !one.claimed && session().takes_for_answer(one, each.sent);
    });
  }
  return count;
}

// Something came under an id that has not been used yet.
bool ScriptRun::has_reply_to_later() {
  const auto& inbox = session().inbox();
  return std::any_of(inbox.begin(), inbox.end(), [&](const Inbound& one) {
    return !one.claimed && one.message->is_reply() && one.key != "null" &&
           !session().id_used(one.key);
  });
}

// When a frame of this connection was recorded.
microseconds ScriptRun::time_of(std::uint64_t seq) {
  const auto& frames = session().transcript().frames;
  return microseconds(frames.at(seq - frames.front().seq).time_us);
}

void ScriptRun::keep_slice() {
  harness::trace::Slice slice = session().take_slice();
  // What an earlier script is owed, where replies were ever seen to come behind later ones.
  if (shared_.sessions.arrears().scripts > 0 && !shared_.habits.late_replies.lost())
    slice.earlier_ids.insert(wire::id_key(json::null()));
  out_.slices.push_back(std::move(slice));
}

}  // namespace fuzz
