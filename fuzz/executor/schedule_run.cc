// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/schedule_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "fuzz/script/client_answer.h"
#include "harness/base/starvation.h"
#include "harness/json/read.h"
#include "harness/session/dialect.h"
#include "harness/target/permission.h"
#include "harness/wire/message.h"

namespace fuzz {

using harness::Nothing;
using harness::Status;
namespace json = harness::json;
namespace wire = harness::wire;
using std::chrono::milliseconds;

namespace {

// Several sessions are heard in turn, each so long.
constexpr milliseconds kTurn{2};
// What is to come is waited for so long within a schedule: what comes later is late for it.
constexpr milliseconds kWithin{150};
constexpr milliseconds kMoment{20};  // nothing came: no more of what was on its way

// The key of the id that the message cancels; "" when it cancels none.
std::string cancelled_by(const std::string& bytes) {
  if (bytes.find("ancel") == std::string::npos) return "";
  const auto read = json::read(bytes);
  const auto* reading = std::get_if<json::Reading>(&read);
  if (!reading || !reading->value.is_object()) return "";
  const json::Value* method = reading->value.find("method");
  if (!method || !method->is_string()) return "";
  const bool lsp = method->text == "$/cancelRequest";
  if (!lsp && method->text != "notifications/cancelled") return "";
  const json::Value* id = json::at(reading->value, lsp ? "/params/id" : "/params/requestId");
  return id ? wire::id_key(*id) : "";
}

}  // namespace

ScheduleRun::ScheduleRun(const ScriptRun::Shared& shared, harness::run::Pool& pool,
                         const ExecutorOptions& options, Execution& out)
    : shared_(shared), pool_(pool), options_(options), out_(out), began_(Clock::now()) {}

ScheduleRun::Clock::duration ScheduleRun::quiet() const {
  if (shared_.wishes.patience) return *shared_.wishes.patience;
  if (shared_.wishes.care == Care::kDogged) return kHang;
  for (const auto& [number, lane] : lanes_)
    if (lane.open) return lane.session().reply_time();
  return kHang;
}

ScheduleRun::awaitable<Status> ScheduleRun::play(const Script& script) {
  const Status opened = co_await be_open(lane());
  if (!opened) co_return opened;
  for (std::size_t index = 0; index < script.steps.size(); ++index) {
    const Status taken = co_await take(script.steps[index], index);
    if (!taken) co_return taken;
  }
  co_await settle();
  co_await finish();
  co_return Nothing{};
}

ScheduleRun::awaitable<Status> ScheduleRun::be_open(Lane& lane) {
  if (lane.open) co_return Nothing{};
  const Clock::time_point from = Clock::now();
  if (!lane.keeper && at_ == 1) lane.keeper = &shared_.sessions;
  if (!lane.keeper) {
    lane.own = std::make_unique<SessionKeeper>(pool_, options_, shared_.wishes, shared_.habits);
    lane.keeper = lane.own.get();
  }
  const harness::Result<bool> ready = co_await lane.keeper->be_ready();
  if (!ready) co_return ready.error();
  if (lane.own) lane.keeper->note_script();
  idle_ += Clock::now() - from;
  lane.session().set_options(options_of(lane));
  // Over HTTP nobody leaves but by a step: an answer that is held keeps its call waiting.
  lane.session().keep_exchanges(2 * kHang);
  lane.queue.connect(lane.session().wire());
  lane.asked.clear();
  lane.cancelled.clear();
  lane.held.clear();
  lane.heard = lane.session().inbox().size();
  lane.slice = out_.slices.size();
  out_.slices.emplace_back();
  lane.open = true;
  co_return Nothing{};
}

harness::session::SessionOptions ScheduleRun::options_of(const Lane& lane) const {
  harness::session::SessionOptions out;
  out.client_capabilities = lane.session().declared();
  out.answers = answers_;
  return out;
}

// ---------------------------------------------------------------------------------- sending

ScheduleRun::awaitable<Status> ScheduleRun::take(const Step& step, std::size_t index) {
  const bool sends = std::holds_alternative<Frame>(step) || std::holds_alternative<Raw>(step);
  if (sends) {
    const Status opened = co_await be_open(lane());
    if (!opened) co_return opened;
  }
  if (const auto* frame = std::get_if<Frame>(&step)) {
    co_await add(*frame, index);
  } else if (const auto* raw = std::get_if<Raw>(&step)) {
    const bool stream = !lane().session().wire().over_http();
    if (stream && harness::target::forbidden_call(raw->bytes, shared_.forbidden).empty())
      lane().queue.add_raw(raw->bytes, {0, index, true, false});
  } else if (const auto* pausing = std::get_if<Pause>(&step)) {
    co_await flush_all();
    if (pausing->milliseconds > 0) co_await listen(milliseconds(pausing->milliseconds));
  } else if (std::holds_alternative<Sync>(step) || std::holds_alternative<Close>(step)) {
    co_await flush_all();
    const Done done = [this] { return all_answered(); };
    co_await hear(lane(), done, quiet());
    if (std::holds_alternative<Close>(step)) leave(lane());
  } else if (const auto* answer = std::get_if<ClientAnswer>(&step)) {
    co_await flush_all();
    answers_.insert_or_assign(answer->method, as_answer(*answer));
    holds_[answer->method] = answer->kind == AnswerKind::kHeld;
    for (auto& [number, one] : lanes_) {
      if (!one.open) continue;
      one.session().set_options(options_of(one));
    }
  } else if (const auto* timing = std::get_if<Timing>(&step)) {
    co_await take_timing(*timing);
  }
  co_return Nothing{};
}

ScheduleRun::awaitable<void> ScheduleRun::take_timing(const Timing& timing) {
  co_await flush_all();
  if (timing.kind == TimingKind::kSession) {
    at_ = timing.number;
    co_return;
  }
  if (timing.kind == TimingKind::kAwait) {
    for (auto& [number, one] : lanes_) {
      const auto asked = std::find_if(one.asked.begin(), one.asked.end(), [&](const Asked& each) {
        return each.number == timing.number;
      });
      if (asked == one.asked.end() || !is_due(one, *asked)) continue;
      Lane& own = one;
      const std::size_t index = static_cast<std::size_t>(asked - one.asked.begin());
      const Done done = [&] { return claim(own, own.asked[index]); };
      const bool came = co_await hear(own, done, kWithin);
      // It may wait for an answer that is held until a later step.
      if (came || is_holding()) continue;
      const bool late = co_await hear(own, done, quiet());
      own.asked[index].waited_for = !late;
    }
    co_return;
  }
  if (!lane().usable()) co_return;
  if (timing.kind == TimingKind::kArrival) {
    const std::size_t before = lane().session().inbox().size();
    const Done done = [&] { return lane().session().inbox().size() > before; };
    co_await hear(lane(), done, kWithin);
  } else if (timing.kind == TimingKind::kCut) {
    leave(lane());
  } else {
    co_await release(lane(), timing.kind == TimingKind::kReleaseLast);
  }
}

ScheduleRun::awaitable<void> ScheduleRun::add(const Frame& frame, std::size_t index) {
  const ScriptPlace place{++frames_, index};
  if (!harness::target::forbidden_call(frame.bytes, shared_.forbidden).empty()) {
    ++out_.withheld;
    co_return;
  }
  ++out_.frames;
  Lane& at = lane();
  if (at.queue.add(frame, place)) co_return;
  co_await flush(at);
  if (!at.usable()) co_return;
  DeliveredFrame delivered = deliver(frame, at.session().wire());
  at.queue.note_sent_alone(delivered);
  std::string shown = shown_text(frame, delivered, at.session().wire());
  const bool unframed = !delivered.as_agreed;
  const Sent sent = co_await at.session().send_text(std::move(shown), std::move(delivered.writes),
                                                    unframed, delivered.http);
  note_sent(at, place, sent, frame.bytes);
}

// What waits of the session goes out in one write, or all at once.
ScheduleRun::awaitable<void> ScheduleRun::flush(Lane& lane) {
  std::vector<WriteQueue::Entry> entries = lane.queue.take();
  if (entries.empty() || !lane.usable()) co_return;
  std::vector<Session::Written> messages;
  std::vector<std::string> shown;
  for (WriteQueue::Entry& one : entries) {
    shown.push_back(one.shown);
    messages.push_back({std::move(one.shown), std::move(one.bytes), one.unframed});
  }
  const std::vector<Sent> sent = co_await lane.session().send_together(std::move(messages));
  for (std::size_t i = 0; i < sent.size(); ++i) note_sent(lane, entries[i].place, sent[i], shown[i]);
}

ScheduleRun::awaitable<void> ScheduleRun::flush_all() {
  for (auto& [number, one] : lanes_) co_await flush(one);
}

void ScheduleRun::note_sent(Lane& lane, const ScriptPlace& place, const Sent& sent,
                            const std::string& bytes) {
  out_.sent.push_back({place.step, lane.slice, sent.seq, sent.exchange});
  if (sent.is_request && place.answerable)
    lane.asked.push_back({place.number, place.step, sent, false});
  if (std::string key = cancelled_by(bytes); !key.empty()) lane.cancelled.insert(std::move(key));
}

// Without a word more on it.
void ScheduleRun::leave(Lane& lane) {
  if (!lane.open) return;
  out_.slices[lane.slice] = lane.session().take_slice();
  lane.open = false;
  lane.asked.clear();
  lane.keeper->forget_session();
}

// ---------------------------------------------------------------------------------- hearing

ScheduleRun::awaitable<bool> ScheduleRun::hear(Lane& first, const Done& done,
                                               Clock::duration quiet) {
  Clock::time_point last = Clock::now();
  std::optional<harness::Starvation> starvation;  // since then, about
  const auto is_first_alone = [&] {
    return std::all_of(lanes_.begin(), lanes_.end(), [&](const auto& entry) {
      return &entry.second == &first || !entry.second.usable();
    });
  };
  while (!done()) {
    bool any = false, usable = false;
    for (auto& [number, one] : lanes_) {
      if (!one.usable()) continue;
      usable = true;
      const Clock::time_point now = Clock::now();
      const bool alone = &one == &first && is_first_alone();
      const Clock::time_point until = alone ? last + quiet : now + kTurn;
      const Clock::time_point deadline = std::max(until, now + kTurn);
      const bool came = co_await one.session().pump(deadline);
      any |= came;
      keep_requests(one);
      if (done()) co_return true;
    }
    if (!usable) co_return false;
    if (any) {
      last = Clock::now();
      starvation.reset();
      continue;
    }
    const bool over = Clock::now() - last > quiet;
    if (over && (!starvation || Clock::now() - last > quiet + starvation->since())) co_return false;
    if (!starvation) starvation.emplace();
  }
  co_return true;
}

// A gap: whatever comes meanwhile is heard and answered.
ScheduleRun::awaitable<void> ScheduleRun::listen(milliseconds time) {
  const Clock::time_point until = Clock::now() + time;
  while (Clock::now() < until) {
    bool usable = false;
    for (auto& [number, one] : lanes_) {
      if (!one.usable()) continue;
      usable = true;
      const Clock::time_point soon = std::min(until, Clock::now() + kTurn);
      const Clock::time_point deadline = lanes_.size() == 1 ? until : soon;
      co_await one.session().pump(deadline);
      keep_requests(one);
    }
    if (!usable) co_return;
  }
  idle_ += time;
}

bool ScheduleRun::is_holding() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto& entry) {
    return entry.second.usable() && !entry.second.held.empty();
  });
}

bool ScheduleRun::is_held(const json::Value& request) const {
  const json::Value* method = request.find("method");
  auto how = method && method->is_string() ? holds_.find(method->text) : holds_.end();
  if (how == holds_.end()) how = holds_.find("*");
  return how != holds_.end() && how->second;
}

// Requests of the server whose answers are to be held.
void ScheduleRun::keep_requests(Lane& lane) {
  const auto& inbox = lane.session().inbox();
  for (; lane.heard < inbox.size(); ++lane.heard) {
    const wire::Message& message = *inbox[lane.heard].message;
    if (message.kind == wire::MessageKind::kRequest && is_held(message.value))
      lane.held.push_back(message.value);
  }
}

ScheduleRun::awaitable<void> ScheduleRun::give(Lane& lane, bool latest) {
  const json::Value request = latest ? lane.held.back() : lane.held.front();
  latest ? lane.held.pop_back() : lane.held.pop_front();
  const json::Value answer =
      harness::session::default_answer(request, lane.session().declared());
  co_await lane.session().send(answer);
}

ScheduleRun::awaitable<void> ScheduleRun::release(Lane& lane, bool latest) {
  const Done done = [&] { return !lane.usable() || !lane.held.empty(); };
  const bool held = co_await hear(lane, done, kWithin);
  if (!held || !lane.usable()) co_return;
  // Which is the latest is known when no more come.
  const Done never = [] { return false; };
  if (latest) co_await hear(lane, never, kMoment);
  if (lane.usable()) co_await give(lane, latest);
}

ScheduleRun::awaitable<void> ScheduleRun::release_all() {
  for (auto& [number, one] : lanes_)
    while (one.usable() && !one.held.empty()) co_await give(one, false);
}

bool ScheduleRun::is_due(const Lane& lane, const Asked& asked) const {
  return lane.usable() && !asked.answered && !lane.cancelled.contains(asked.sent.id_key);
}

bool ScheduleRun::claim(Lane& lane, Asked& asked) {
  if (!is_due(lane, asked)) return true;
  auto& inbox = lane.session().inbox();
  const auto reply = std::find_if(inbox.begin(), inbox.end(), [&](const auto& one) {
    return lane.session().takes_for_answer(one, asked.sent);
  });
  if (reply == inbox.end()) {
    const harness::session::Exchange* http = lane.session().exchange(asked.sent.exchange);
    return http && http->ended;
  }
  reply->claimed = true;
  asked.answered = true;
  return true;
}

bool ScheduleRun::all_answered(bool or_waited_for) {
  bool all = true;
  for (auto& [number, one] : lanes_)
    for (Asked& asked : one.asked) {
      const bool answered = claim(one, asked);
      all &= answered || (or_waited_for && asked.waited_for);
    }
  return all;
}

// Nobody is kept waiting for an answer any more. Then all that is due has its time, and canaries
// tell whether the server goes on.
ScheduleRun::awaitable<void> ScheduleRun::settle() {
  co_await flush_all();
  answers_.clear();
  holds_.clear();
  for (auto& [number, one] : lanes_)
    if (one.open) one.session().set_options(options_of(one));
  co_await release_all();
  const Done done = [this] { return all_answered(true); };
  co_await hear(lane(), done, quiet());
  for (auto& [number, one] : lanes_) {
    if (!one.open) continue;
    bool lives = !one.session().closed();
    if (lives) lives = co_await is_alive(one);
    if (!lives) {
      co_await conclude(one);
      co_return;
    }
  }
  if (all_answered()) co_return;
  for (auto& [number, one] : lanes_)
    for (const Asked& asked : one.asked)
      if (is_due(one, asked)) out_.unanswered.push_back(asked.step);
  out_.missing = out_.unanswered.size();
}

// Two requests in turn: the oracles take only that for a proof that nothing comes.
ScheduleRun::awaitable<bool> ScheduleRun::is_alive(Lane& lane) {
  for (int i = 0; i < 2; ++i) {
    const Sent canary = co_await lane.session().send_canary();
    const auto* reply = co_await lane.session().reply_to(canary, Clock::now() + quiet());
    if (!reply) co_return false;
  }
  co_return true;
}

// The session ended or fell silent; what is judged of that is the last slice.
ScheduleRun::awaitable<void> ScheduleRun::conclude(Lane& lane) {
  Session& session = lane.session();
  out_.ending = session.closed() ? Ending::kGone : Ending::kSilent;
  const harness::run::Service& service = lane.keeper->service();
  if (service && (service.ours || session.closed())) {
    co_await lane.keeper->see_end();
    out_.served_ended = service.died();
  }
  if (out_.served_ended) {
    out_.ending = Ending::kGone;
    out_.how = service.ending();
    out_.stderr_tail = service.output();
  } else if (out_.ending == Ending::kGone) {
    out_.how = session.exited() ? session.exit_status() : session.closed_how();
    out_.stderr_tail = session.stderr_tail();
  }
  shared_.sessions.note_silence(out_.ending == Ending::kSilent);
  const std::size_t own = lane.slice;
  out_.slices[own] = session.take_slice();
  std::rotate(out_.slices.begin() + static_cast<std::ptrdiff_t>(own),
              out_.slices.begin() + static_cast<std::ptrdiff_t>(own) + 1, out_.slices.end());
  const auto moved = [&](std::size_t slice) {
    return slice == own ? out_.slices.size() - 1 : slice - (slice > own);
  };
  for (Execution::SentStep& step : out_.sent) step.slice = moved(step.slice);
  for (auto& [number, one] : lanes_) one.slice = moved(one.slice);
  lane.open = false;
  lane.keeper->forget_session();
}

// The first session goes on where nothing happened to it; what is owed on others ends with them.
ScheduleRun::awaitable<void> ScheduleRun::finish() {
  for (auto& [number, one] : lanes_) {
    if (!one.open) continue;
    out_.slices[one.slice] = one.session().take_slice();
    shared_.habits.asks |= one.session().asks();
    const bool sound = out_.ending == Ending::kAnswered && out_.unanswered.empty() &&
                       !one.queue.torn() && !one.own && one.cancelled.empty();
    if (!sound) one.keeper->forget_session();
  }
  shared_.sessions.note_frames(out_.frames);
  out_.took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began_ - idle_);
  co_return;
}

}  // namespace fuzz
