// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/script_executor.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <utility>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/target/permission.h"
#include "harness/transport/request.h"
#include "harness/transport/timer.h"
#include "harness/transport/websocket_frame.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::Nothing;
using harness::Result;
using harness::Status;
using harness::session::awaitable;
using harness::session::Clock;
using harness::session::Deadline;
using harness::session::Sent;
using harness::session::Session;
namespace json = harness::json;
namespace wire = harness::wire;
namespace transport = harness::transport;
using std::chrono::milliseconds;

constexpr std::size_t kRawTail = 64 * 1024;  // of raw bytes that may still become a call
constexpr std::size_t kOrdered = 64;         // scripts in order for one that is not
constexpr int kOwedFor = 16;                 // scripts that may see a late reply to this one
constexpr milliseconds kEnds{100};           // what a process may take to end
constexpr milliseconds kUsual{100};          // and 20 round trips: longer is slow
constexpr std::uint64_t kGreetings = 3;      // numbers of them
constexpr int kMostPatience = 8;             // times, for a server that says something now and then
constexpr milliseconds kBrief{4};    // for what hardly ever comes late, on another connection
constexpr milliseconds kBriefer{1};  // on the same, where it comes now and then

std::vector<std::string> cut(const std::string& bytes, const std::vector<std::uint32_t>& lengths) {
  std::vector<std::string> pieces;
  std::size_t at = 0;
  for (const std::uint32_t length : lengths) {
    if (at >= bytes.size()) break;
    pieces.push_back(bytes.substr(at, length));
    at += length;
  }
  if (at < bytes.size() || pieces.empty())
    pieces.push_back(bytes.substr(std::min(at, bytes.size())));
  return pieces;
}

// What goes over a WebSocket for one message.
std::string websocket_frames(const std::string& text, const Delivery& how) {
  constexpr std::uint32_t kMask = 0x52504353;
  std::string out;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= how.fragments.size(); ++i) {
    const bool last = i == how.fragments.size();
    const std::size_t length =
        last ? text.size() - at : std::min<std::size_t>(how.fragments[i], text.size() - at);
    transport::WebsocketFrame frame;
    frame.opcode = i == 0 ? how.opcode : 0;
    frame.payload = std::string_view(text).substr(at, length);
    frame.last = last;
    out += transport::to_bytes(frame, kMask);
    at += length;
  }
  return out;
}

// Whether a header of ours makes the body seem longer or shorter than it is, or differently cut.
bool lies_of_length(const HeaderChange& change, const std::string& body) {
  if (transport::same_name(change.name, "Transfer-Encoding")) return change.value.has_value();
  return transport::same_name(change.name, "Content-Length") &&
         change.value != std::to_string(body.size());
}

// A frame as it is written to this wire; false when its framing is another than agreed.
bool deliver(const Frame& frame, const transport::Transport& wire, std::vector<std::string>& writes,
             wire::HttpHead& http) {
  const Delivery& how = frame.delivery;
  if (wire.over_http()) {
    http.method = how.http_method;
    bool agreed = !how.length;
    for (const HeaderChange& change : how.headers) {
      agreed = agreed && !lies_of_length(change, frame.bytes);
      http.headers.push_back({change.name, change.value ? *change.value : std::string(1, '\0')});
    }
    if (how.length)
      http.headers.push_back({"Content-Length", claimed_length(*how.length, frame.bytes.size())});
    writes.push_back(frame.bytes);
    return agreed;
  }
  std::string framed = wire.frame(frame.bytes);
  bool agreed = true;
  if (std::string_view(wire.name()) == "websocket") {
    if (how.opcode != 1 || !how.fragments.empty()) framed = websocket_frames(frame.bytes, how);
    agreed = how.opcode == 1;
  } else if (*wire.framing() != '\0') {
    if (how.length) {
      framed = "Content-Length: " + claimed_length(*how.length, frame.bytes.size()) + "\r\n\r\n" +
               frame.bytes;
      agreed = false;
    }
  } else if (how.eol != Eol::kLf) {
    framed = frame.bytes + end_of(how.eol);
    agreed = how.eol == Eol::kCrlf;
  }
  // A line break within makes several lines of a frame.
  if (*wire.framing() == '\0' && !wire.has_exchanges() &&
      std::string_view(wire.name()) != "websocket")
    agreed = agreed && frame.bytes.find('\n') == std::string::npos;
  writes = cut(framed, how.chunks);
  return agreed;
}

bool is_process(const transport::Transport& wire) {
  return std::string_view(wire.name()).starts_with("stdio");
}

// A stream of lines.
bool is_lines(const transport::Transport& wire) {
  return !wire.over_http() && *wire.framing() == '\0' &&
         std::string_view(wire.name()) != "websocket";
}

json::Value answer_of(const Answer& answer) {
  if (answer.kind == AnswerKind::kUsual) return json::string("usual");
  if (answer.kind == AnswerKind::kError)
    return json::object({{"error", json::object({{"code", json::number(-32603)},
                                                 {"message", json::string("refused")}})}});
  if (answer.kind != AnswerKind::kResult) return json::string(answer_word(answer.kind));
  const auto reading = json::read(answer.result);
  const auto* good = std::get_if<json::Reading>(&reading);
  return json::object({{"result", good ? good->value : json::null()}});
}

}  // namespace

// One script under way.
struct ScriptExecutor::Playing {
  Playing(ScriptExecutor& owner, Execution& execution) : executor(owner), out(execution) {}

  ScriptExecutor& executor;
  Execution& out;
  // Where something that is sent stands in the script.
  struct Place {
    std::size_t number = 0;    // of a frame; 0: none
    std::size_t step = 0;      // its index
    bool of_script = true;     // not ours, as a canary is
    bool may_be_asked = true;  // a reply may come
  };
  // What goes out in one write.
  struct Waiting {
    Session::Text text;
    std::string bytes;  // as they are written
    Place place;
  };
  std::vector<Waiting> waiting;
  std::vector<std::vector<Waiting>> parts;            // written ahead, each up to a canary
  std::vector<const Answer*> answers;                 // of all its steps, likewise
  std::vector<std::pair<std::size_t, Sent>> asked;    // number of the frame; on this connection
  std::vector<std::pair<std::size_t, Sent>> unheard;  // likewise: exchanges that are still open
  std::map<std::size_t, std::string> replies;  // number of the frame → JSON text of its reply
  std::string raw_tail;
  bool owes = false;         // a reply that has no id, or an array, may come at any time
  bool wanted = false;       // a reference needs replies
  std::set<int> hung_up;     // exchanges whose body was not all sent
  bool open_line = false;    // what was written last did not end a line
  bool broken = false;       // a connection ended without any response
  bool waited_long = false;  // HTTP: for what is missing
  bool torn = false;         // framing was broken beyond repair: silence and a close prove nothing
  std::uint64_t latest = 0;  // of the replies that were waited for behind a canary
  Clock::time_point began = Clock::now();
  Clock::duration idle{};  // pauses, also between pieces, new sessions, what came to nothing

  Session& session() { return *executor.session_; }

  awaitable<void> flush() {
    if (!waiting.empty() && !session().closed()) {
      if (session().wire().over_http()) {
        std::vector<Session::Written> messages;
        for (Waiting& one : waiting)
          messages.push_back({std::move(one.text.bytes), std::move(one.bytes)});
        const std::vector<Sent> sent = co_await session().send_together(std::move(messages));
        take_note(sent);
      } else {
        std::string joined;
        for (const Waiting& one : waiting) joined += one.bytes;
        co_await session().write(std::move(joined));
        note_written();
      }
    }
    waiting.clear();
  }

  // What waits was written.
  void note_written() {
    std::vector<Session::Text> texts;
    texts.reserve(waiting.size());
    for (Waiting& one : waiting) texts.push_back(std::move(one.text));
    take_note(session().note_written(std::move(texts)));
  }

  void take_note(const std::vector<Sent>& sent) {
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const Place& place = waiting[i].place;
      if (place.may_be_asked) asked.emplace_back(place.number, sent[i]);
      if (place.of_script) note(place.step, sent[i]);
    }
  }

  void note(std::size_t step, const Sent& sent) {
    out.sent.push_back({step, out.stretches.size(), sent.seq, sent.exchange});
  }

  bool may_be_sent(const std::string& bytes) {
    if (executor.options_.forbidden.empty()) return true;
    const std::string forbidden =
        harness::target::forbidden_call(raw_tail + bytes, executor.options_.forbidden);
    out.withheld += !forbidden.empty();
    return forbidden.empty();
  }

  // The references of a frame filled in, as far as they can be.
  std::string expanded(const std::string& bytes) const {
    return fill_in(bytes, [this](std::size_t frame) {
      const auto known = replies.find(frame);
      return known == replies.end() ? nullptr : &known->second;
    });
  }

  // Frames and raw bytes that go out as they are wait for what goes with them; false: it has to be
  // sent by itself. `filled` is a frame with its references filled in.
  bool waits(const Frame& filled, std::size_t number, std::size_t index) {
    const transport::Transport& wire = session().wire();
    if (filled.delivery.usual() && filled.bytes.find('\n') == std::string::npos) {
      open_line = false;
      add({filled.bytes, false}, wire.frame(filled.bytes), {number, index});
      return true;
    }
    if (wire.over_http() || !filled.delivery.chunks.empty()) return false;
    std::vector<std::string> writes;
    wire::HttpHead none;
    const bool framed = deliver(filled, wire, writes, none);
    note_line(writes.back());
    torn |= !framed && !lines();
    // What is not framed as agreed is judged by the bytes that go out.
    Session::Text text{framed ? filled.bytes : writes.front(), !framed};
    add(std::move(text), std::move(writes.front()), {number, index});
    return true;
  }

  // Bytes outside the agreed framing.
  void waits(const std::string& raw, Place place) {
    if (raw.empty()) return;
    note_line(raw);
    torn |= !lines();
    add({raw, true}, raw, place);
  }

  void add(Session::Text text, std::string bytes, Place place) {
    waiting.push_back({std::move(text), std::move(bytes), place});
  }

  void note_line(const std::string& written) {
    if (lines()) open_line = written.empty() || written.back() != '\n';
  }

  // On a stream a canary goes with the rest: a write is a good part of what a script costs.
  void add_canary() {
    if (open_line) waits("\n", {0, 0, false, false});
    std::string text = json::write(session().next_canary());
    std::string bytes = session().wire().frame(text);
    add({std::move(text), false}, std::move(bytes), {0, 0, false});
  }

  // Claims the replies that have come.
  void claim() {
    auto& inbox = session().inbox();
    for (const auto& each : asked) {
      const Sent& sent = each.second;
      owes |= sent.is_batch || (sent.is_request && sent.id_key.empty());
      if (!sent.is_request) continue;
      const auto reply = std::find_if(inbox.begin(), inbox.end(), [&](const auto& one) {
        return session().takes_for_answer(one, sent);
      });
      if (reply == inbox.end())
        ++out.missing;
      else
        reply->claimed = true;
    }
    asked.clear();
  }

  // Takes in replies to all that was asked, or as many as come.
  awaitable<void> hear(Deadline deadline) {
    for (auto& [number, sent] : asked) {
      owes |= sent.is_batch || (sent.is_request && sent.id_key.empty());
      if (!sent.is_request && sent.exchange == 0) continue;
      const harness::session::Inbound* reply = co_await session().reply_to(sent, deadline);
      if (reply) latest = std::max(latest, reply->seq);
      if (!reply) {
        const harness::session::Exchange* http = session().exchange(sent.exchange);
        const bool over = http && http->ended;
        if (!over) ++out.missing;
        if (!over && http) unheard.emplace_back(number, sent);
        broken |= over && http->status == 0 && !hung_up.contains(sent.exchange);
      } else if (wanted) {
        replies[number] = json::write(reply->message->value);
      }
      if (session().closed()) break;
    }
    if (executor.care_ == Care::kDogged) co_await hear_arrays(deadline);
    asked.clear();
  }

  // A body that was announced to be longer than it is may be waited for as long as the server
  // likes, and some read nothing else until it is there. After a while we end it.
  awaitable<void> give_up_body(const Sent& sent) {
    const auto over = [&] {
      const harness::session::Exchange* http = session().exchange(sent.exchange);
      return !http || http->ended;
    };
    const Clock::time_point from = Clock::now();
    // Whoever answers at once has seen what is wrong; the others mostly never answer.
    const Deadline soon = from + kBrief + 2 * session().pace().round_trip;
    for (bool more = true; more && !over();) more = co_await session().pump(soon);
    AdaptiveWait& wait = executor.cut_bodies_;
    if (!over()) wait.another();
    if (!over() && (executor.care_ != Care::kQuick || wait.worth_waiting())) {
      const Deadline deadline = from + session().pace().grace(false);
      for (bool more = true; more && !over();) more = co_await session().pump(deadline);
      wait.learn(over());
    }
    if (over() || session().closed()) co_return;
    idle += Clock::now() - from;
    hung_up.insert(sent.exchange);
    session().disconnect(sent.exchange);
  }

  // On a stream nothing names the request that an array answers: there are to be as many.
  awaitable<void> hear_arrays(Deadline deadline) {
    std::size_t due = 0;
    std::size_t from = session().inbox().size();
    for (const auto& each : asked) {
      const Sent& sent = each.second;
      if (sent.batched == 0 || sent.exchange != 0) continue;
      ++due;
      from = std::min(from, sent.from);
    }
    const auto came = [&] {
      const auto& inbox = session().inbox();
      return std::count_if(inbox.begin() + static_cast<std::ptrdiff_t>(from), inbox.end(),
                           [](const harness::session::Inbound& one) {
                             return one.message->kind == wire::MessageKind::kBatch;
                           });
    };
    for (bool more = true; more && static_cast<std::size_t>(came()) < due;)
      more = co_await session().pump(deadline);
  }

  // Requests whose replies have not come yet.
  std::size_t outstanding() {
    std::size_t count = 0;
    const auto& inbox = session().inbox();
    for (const auto& each : asked) {
      const Sent& sent = each.second;
      if (!sent.is_request) continue;
      count += std::none_of(inbox.begin(), inbox.end(), [&](const harness::session::Inbound& one) {
        return !one.claimed && session().takes_for_answer(one, sent);
      });
    }
    return count;
  }

  // When a frame of this connection was recorded.
  std::chrono::microseconds time_of(std::uint64_t seq) {
    const auto& frames = session().transcript().frames;
    return std::chrono::microseconds(frames.at(seq - frames.front().seq).time_us);
  }

  // A request behind everything else. Servers that answer out of order get a while for the rest.
  awaitable<void> settle(bool last) {
    const bool together = !torn && !session().has_exchanges();
    if (together) add_canary();
    co_await flush();
    if (session().closed()) co_return;
    if (torn) {
      const Clock::time_point from = Clock::now();
      co_await hear(from + session().pace().grace(false));
      idle += Clock::now() - from;
      out.missing = 0;
      co_return;
    }
    Sent canary;
    if (together) {
      canary = asked.back().second;
      asked.pop_back();
    } else {
      canary = co_await session().send_canary();
    }
    const bool patient = executor.care_ >= Care::kPatient;
    const harness::session::Inbound* reply = co_await reply_to_canary(canary, patient);
    if (!reply) {
      out.ending = session().closed() ? Ending::kGone : Ending::kSilent;
      co_return;
    }
    const std::uint64_t behind = latest = reply->seq;
    const std::size_t before = out.missing;
    const std::size_t awaited = outstanding();
    // Where hardly any reply comes behind that of the canary, what has not come is not waited
    // for, or now and then, because a wait costs as much as dozens of scripts.
    if (awaited > 0) executor.stragglers_.another();
    const bool closely = executor.closely_ && !executor.stragglers_.lost();
    const bool comes = executor.stragglers_.comes();
    const bool in_order = !session().has_exchanges() && !patient && !closely && !comes &&
                          !executor.stragglers_.worth_waiting();
    // Who asks whether this is silence has an answer now.
    const bool late = patient && last && !executor.patience_;
    auto grace = in_order ? milliseconds(0) : session().pace().grace(late);
    if (last && executor.care_ == Care::kDogged) grace = std::max(session().pace().reply(), kHang);
    // What is late is about as late as before; a request that the server does not take for one
    // would be waited for each time.
    if (executor.care_ == Care::kQuick && executor.stragglers_.known()) {
      const milliseconds usual = std::chrono::ceil<milliseconds>(4 * executor.lateness_);
      const bool briefly = comes && !session().has_exchanges();
      grace = std::min(grace, std::max(briefly ? kBriefer : kBrief, usual));
    }
    const Clock::time_point from = Clock::now();
    co_await hear(from + grace);
    // Over HTTP the order says nothing: what is still open has to be waited for.
    const bool exchanges = session().has_exchanges();
    if (exchanges && last && !unheard.empty()) co_await hear_open(from);
    const std::size_t missing = std::max(out.missing, before) - before;
    if (awaited > 0 && !in_order) executor.stragglers_.learn(missing < awaited);
    const auto waited = std::chrono::ceil<std::chrono::microseconds>(Clock::now() - from);
    if (missing > 0) idle += waited;
    if (missing < awaited) {
      const auto late_by = missing == 0 ? waited : time_of(latest) - time_of(behind);
      executor.lateness_ += (late_by - executor.lateness_) / 8;
    }
    const bool now_and_then = executor.closely_ || executor.stragglers_.now_and_then();
    const bool looks = missing > 0 && (exchanges ? waited_long : now_and_then);
    // What has no id of its own is not missed, but what it lacks shows in the same way.
    if (last && (broken || looks || executor.care_ != Care::kQuick)) co_await pass_over();
  }

  // Exchanges that are open although what was asked behind them is answered.
  awaitable<void> hear_open(Clock::time_point from) {
    co_await hear_unheard(Clock::now());  // what has come since
    if (unheard.empty() || session().closed()) co_return;
    AdaptiveWait& wait = executor.open_exchanges_;
    wait.another();
    if (executor.care_ == Care::kQuick && !executor.closely_ && !wait.worth_waiting()) {
      out.hasty = !wait.lost();
      co_return;
    }
    const Deadline deadline = from + session().pace().grace(true);
    co_await hear_unheard(deadline);
    waited_long = !unheard.empty();
    wait.learn(!waited_long);
  }

  awaitable<void> hear_unheard(Deadline deadline) {
    out.missing -= unheard.size();
    asked = std::exchange(unheard, {});
    co_await hear(deadline);
  }

  // Where silence was always silence, it is not waited through each time: that costs as much as
  // thousands of scripts.
  awaitable<const harness::session::Inbound*> reply_to_canary(const Sent& canary, bool patient) {
    const Clock::time_point now = Clock::now();
    // What stands before it takes its time.
    std::size_t batched = 0, bytes = 0;
    for (const auto& each : asked) {
      batched += each.second.batched;
      bytes += each.second.bytes;
    }
    const harness::session::Pace& pace = session().pace();
    const Deadline deadline = now + pace.reply(batched, bytes);
    const milliseconds more = pace.reply(batched, bytes) - pace.reply();
    const Deadline usual = std::min(deadline, now + kUsual + 20 * pace.round_trip + more);
    std::size_t heard = session().inbox().size();
    Clock::time_point quiet_since = now;
    const harness::session::Inbound* reply = co_await session().reply_to(canary, usual);
    if (reply || session().closed()) co_return reply;
    executor.slow_.another();
    if (!patient && !executor.slow_.worth_waiting()) co_return nullptr;
    reply = co_await session().reply_to(canary, deadline);
    // As long as replies come, it is no silence.
    for (int i = 0; i < kMostPatience && executor.patience_ && !reply; ++i) {
      if (std::exchange(heard, session().inbox().size()) != session().inbox().size())
        quiet_since = Clock::now();
      const Deadline later = quiet_since + *executor.patience_;
      reply = co_await session().reply_to(canary, later);
      if (session().closed() || session().inbox().size() == heard) break;
    }
    executor.slow_.learn(reply != nullptr);
    co_return reply;
  }

  // All that a script sends, a part for each canary. `bytes` grows by what is written.
  void prepare(const Script& script, std::string& bytes) {
    std::size_t number = 0;
    for (std::size_t index = 0; index < script.steps.size(); ++index) {
      if (const auto* frame = std::get_if<Frame>(&script.steps[index])) {
        ++number;
        if (!may_be_sent(frame->bytes)) continue;
        raw_tail.clear();
        waits(*frame, number, index);
        ++out.frames;
      } else if (const auto* raw = std::get_if<Raw>(&script.steps[index])) {
        if (!may_be_sent(raw->bytes)) continue;
        keep_tail(raw->bytes);
        waits(raw->bytes, {0, index, true, false});
        ++out.frames;
      } else if (const auto* answer = std::get_if<Answer>(&script.steps[index])) {
        answers.push_back(answer);
      } else if (std::holds_alternative<Sync>(script.steps[index])) {
        end_part(bytes);
      }
    }
    end_part(bytes);
  }

  void end_part(std::string& bytes) {
    add_canary();
    open_line = false;
    for (const Waiting& one : waiting) bytes += one.bytes;
    parts.push_back(std::exchange(waiting, {}));
  }

  // What comes, up to the reply to the last canary; all was written before.
  awaitable<void> hear_ahead() {
    began = Clock::now();
    session().set_options({});
    for (const Answer* answer : answers) will_answer(*answer);
    for (std::vector<Waiting>& part : parts) {
      waiting = std::move(part);
      note_written();
      waiting.clear();
      const Sent canary = asked.back().second;
      asked.pop_back();
      session().take_singly(true);
      const harness::session::Inbound* reply = co_await reply_to_canary(canary, false);
      session().take_singly(false);
      if (!reply) {
        out.ending = session().closed() ? Ending::kGone : Ending::kSilent;
        co_return;
      }
      claim();
      out.disordered = has_reply_to_later();
      if (out.disordered) co_return;
    }
    if (out.missing == 0) co_return;
    executor.stragglers_.another();
    out.wants_a_look = executor.stragglers_.now_and_then();
  }

  // Something came under an id that has not been used yet.
  bool has_reply_to_later() {
    const auto& inbox = session().inbox();
    return std::any_of(inbox.begin(), inbox.end(), [&](const harness::session::Inbound& one) {
      return !one.claimed && one.message->is_reply() && one.key != "null" &&
             !session().id_used(one.key);
    });
  }

  void will_answer(const Answer& answer) {
    harness::session::SessionOptions options = session().options();
    if (!options.answers.is_object()) options.answers = json::object();
    options.answers.set(answer.method, answer_of(answer));
    session().set_options(std::move(options));
  }

  void keep_tail(const std::string& raw) {
    raw_tail += raw;
    if (raw_tail.size() > kRawTail) raw_tail.erase(0, raw_tail.size() - kRawTail);
  }

  // A request asked when a later one than those without a reply has been answered: the oracles take
  // only that for a proof that nothing comes (harness/oracle/model.cc).
  awaitable<void> pass_over() {
    if (session().closed()) co_return;
    const Sent another = co_await session().send_canary();
    const Deadline deadline = Clock::now() + session().pace().reply();
    const harness::session::Inbound* reply = co_await session().reply_to(another, deadline);
    if (!reply) out.ending = session().closed() ? Ending::kGone : Ending::kSilent;
  }

  bool lines() const { return is_lines(executor.session_->wire()); }

  void keep_stretch() {
    Execution::Stretch stretch;
    stretch.earlier_ids = session().earlier_ids();
    if (executor.may_yet_come()) stretch.earlier_ids.insert(wire::id_key(json::null()));
    if (session().capabilities()) stretch.server_capabilities = *session().capabilities();
    stretch.client_capabilities = session().declared();
    Session::Slice slice = session().take_slice();
    stretch.transcript = std::move(slice.transcript);
    stretch.messages = std::move(slice.messages);
    out.stretches.push_back(std::move(stretch));
  }

  awaitable<void> close() {
    co_await settle(true);
    unheard.clear();
    keep_stretch();
    executor.pool_.discard(std::move(executor.session_));
  }
};

ScriptExecutor::ScriptExecutor(harness::run::Pool& pool, ExecutorOptions options)
    : pool_(pool), options_(std::move(options)) {}

ScriptExecutor::~ScriptExecutor() { forget_session(); }

void ScriptExecutor::forget_session() {
  if (session_) pool_.discard(std::move(session_));
}

void ScriptExecutor::forget_process() {
  forget_session();
  renew_ = true;
}

// All sessions of a served target are in one process: where one fell silent, the next may be, too.
awaitable<Status> ScriptExecutor::reopen() {
  forget_session();
  const bool served = static_cast<bool>(pool_.service());
  const bool shakes_hands = pool_.profile().era == harness::spec::Era::kHandshake;
  const bool doubtful = std::exchange(silent_, false) && served;
  bool renew = (std::exchange(renew_, false) && served) || (doubtful && shakes_hands);
  // What was started ahead may have ended by itself meanwhile.
  bool stale = options_.starts_ahead && !served;
  bool may_be_back = served && !pool_.service().ours && !pool_.service().died();
  for (bool sound = false; !sound;) {
    if (renew) {
      const Status started = co_await pool_.service().restart();
      if (!started) co_return started.error();
    }
    const json::Value usual;
    Result<harness::run::SessionPtr> opened = co_await pool_.connect(
        harness::suite::Need::kFresh, usual, harness::run::SessionHistory::kNone);
    if (!opened && std::exchange(stale, false)) continue;
    if (!opened && served && std::exchange(may_be_back, false)) {
      co_await pool_.service().accepts();  // finds out whether it has ended
      if (pool_.service().died()) continue;
    }
    if (!opened) co_return opened.error();
    session_ = std::move(*opened);
    if (served) life_ = pool_.service().life();
    session_->keep_sent_messages();
    session_->read_through(cache_);
    if (care_ == Care::kDogged) session_->keep_exchanges(2 * kHang);
    if (session_->wire().over_http()) session_->set_tools(options_.tools);
    const bool greeted = co_await greet(renew || !served);
    const bool first = sessions_ == 0 && !greeted && session_->closed();
    if (first && !session_->exited() && !pool_.service().died())
      co_return harness::Error{"", "the target closes a connection after one reply on it",
                               "let it keep connections open: a script is several messages on one"};
    const bool gone = session_->closed() && std::exchange(stale, false);
    sound = !gone && (greeted || renew || !doubtful);
    renew = !sound && served;
    if (!sound) forget_session();
  }
  if (options_.starts_ahead) pool_.expect(1);
  ++sessions_;
  frames_ = 0;
  unanswered_ = 0;
  owed_for_ = 0;
  co_return Nothing{};
}

// That a process has ended is noticed a little later than that its connection did; and the canary
// may have overtaken what ended it.
awaitable<void> ScriptExecutor::see_end() {
  const bool accepts = co_await pool_.service().accepts();
  if (accepts) late_ends_.another();
  if (accepts && care_ < Care::kPatient && !late_ends_.worth_waiting()) co_return;
  co_await pool_.service().wait(kEnds);
  if (accepts) late_ends_.learn(pool_.service().died());
}

// Without a handshake nothing has been heard yet. The process may still be starting; and as long as
// the server was not seen to keep an id, any refusal passes for the reply to the canary.
awaitable<bool> ScriptExecutor::greet(bool starting) {
  if (session_->profile().era == harness::spec::Era::kHandshake) co_return true;
  if (session_->has_exchanges()) co_return false;
  const Sent first = co_await session_->send_canary();
  const milliseconds reply_time = session_->reply_time();
  const auto patience = starting ? std::max(reply_time, session_->pace().start) : reply_time;
  const harness::session::Inbound* reply =
      co_await session_->reply_to(first, Clock::now() + patience);
  // A connection may be good for one request, or so many: what shows however often it was asked
  // before is not for that reason.
  const std::uint64_t more = is_process(session_->wire()) ? 0 : 1 + sessions_ % kGreetings;
  for (std::uint64_t i = 0; reply && i < more; ++i) {
    const Sent second = co_await session_->send_canary();
    reply = co_await session_->reply_to(second, Clock::now() + reply_time);
  }
  session_->take_slice();  // what a script shows must not be shown by this
  co_return reply != nullptr;
}

awaitable<Status> ScriptExecutor::be_ready() {
  const bool worn =
      scripts_ >= options_.scripts_per_session || frames_ >= options_.frames_per_session;
  // Somebody else may have started another process. Over HTTP nothing else tells.
  const bool outlived = pool_.service() && pool_.service().life() != life_;
  if (session_ && !outlived && !session_->closed() && !session_->unusable() && !worn)
    co_return Nothing{};
  const Status opened = co_await reopen();
  journal_.clear();
  scripts_ = 0;
  co_return opened;
}

// What is known when the last step is over.
awaitable<void> ScriptExecutor::finish(Playing& playing) {
  Execution& out = playing.out;
  if (session_) {
    const bool crashed = session_->exit_status().starts_with("signal");
    if (session_->closed() && out.ending == Ending::kAnswered && (crashed || !playing.torn))
      out.ending = Ending::kGone;
    if (pool_.service()) {
      // Of a process that is not ours the end of a connection is all that can be seen.
      const bool visible = pool_.service().ours || session_->closed();
      if (playing.broken || (out.ending != Ending::kAnswered && visible)) co_await see_end();
      out.served_ended = pool_.service().died();
      if (out.served_ended) out.ending = Ending::kGone;
    }
    if (out.served_ended) {
      out.how = pool_.service().ending();
      out.stderr_tail = pool_.service().output();
    } else if (out.ending == Ending::kGone) {
      out.how = session_->exited() ? session_->exit_status() : session_->closed_how();
      out.stderr_tail = session_->stderr_tail();
    }
    playing.keep_stretch();
    asks_ |= session_->asks();
    if (out.ending != Ending::kAnswered || playing.torn) forget_session();
  }
  silent_ = out.ending == Ending::kSilent;
  frames_ += out.frames;
  unanswered_ += out.missing;
  owed_for_ = playing.owes ? kOwedFor : owed_for_ - (owed_for_ > 0);
  out.took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - playing.began -
                                                                   playing.idle);
}

awaitable<Result<Execution>> ScriptExecutor::play(const Script& script) {
  Execution out;
  Playing playing(*this, out);
  const Status ready = co_await be_ready();
  if (!ready) co_return ready.error();
  playing.began = Clock::now();  // to start a server is none of the script's time
  out.first = scripts_++ == 0;
  out.unsettled = unanswered_ > 0 || owed_for_ > 0;
  if (options_.keeps_journal) journal_.push_back(script);
  session_->set_options({});

  for (const Step& step : script.steps)
    if (const auto* frame = std::get_if<Frame>(&step))
      playing.wanted |= frame->bytes.find("${") != std::string::npos;

  std::size_t number = 0;
  for (std::size_t index = 0; index < script.steps.size(); ++index) {
    const Step& step = script.steps[index];
    if (!session_ && !std::holds_alternative<Close>(step)) {
      const Clock::time_point opening = Clock::now();
      const Status opened = co_await reopen();
      if (!opened) co_return opened.error();
      playing.idle += Clock::now() - opening;
      playing.open_line = playing.torn = false;
    }
    if (session_ && session_->closed()) break;
    if (const auto* frame = std::get_if<Frame>(&step)) {
      ++number;
      Frame filled = *frame;
      if (playing.wanted && !references(frame->bytes).empty()) {
        co_await playing.settle(false);
        if (out.ending != Ending::kAnswered) break;
        filled.bytes = playing.expanded(frame->bytes);
      }
      if (!playing.may_be_sent(filled.bytes)) continue;
      playing.raw_tail.clear();
      ++out.frames;
      if (playing.waits(filled, number, index)) continue;
      co_await playing.flush();
      std::vector<std::string> writes;
      wire::HttpHead http;
      const bool framed = deliver(filled, session_->wire(), writes, http);
      playing.note_line(writes.back());
      playing.torn |= !framed && !playing.lines() && !session_->wire().over_http();
      // What is not framed as agreed is judged by the bytes that went out.
      std::string shown = filled.bytes;
      if (!framed && !session_->wire().over_http()) {
        shown.clear();
        for (const std::string& piece : writes) shown += piece;
      }
      const bool in_pieces = writes.size() > 1;
      const Clock::time_point writing = Clock::now();
      const Sent sent =
          co_await session_->send_text(std::move(shown), std::move(writes), !framed, http);
      if (in_pieces) playing.idle += Clock::now() - writing;
      playing.asked.emplace_back(number, sent);
      playing.note(index, sent);
      if (!framed && sent.exchange != 0) co_await playing.give_up_body(sent);
    } else if (const auto* raw = std::get_if<Raw>(&step)) {
      if (session_->wire().over_http() || !playing.may_be_sent(raw->bytes)) continue;
      ++out.frames;
      playing.keep_tail(raw->bytes);
      playing.waits(raw->bytes, {0, index, true, false});
    } else if (const auto* pause = std::get_if<Pause>(&step)) {
      co_await playing.flush();
      const Clock::time_point paused = Clock::now();
      harness::transport::Timer timer(co_await boost::asio::this_coro::executor,
                                      milliseconds(pause->milliseconds));
      co_await timer.async_wait(boost::asio::use_awaitable);
      playing.idle += Clock::now() - paused;
    } else if (std::holds_alternative<Sync>(step)) {
      co_await playing.settle(false);
      if (out.ending != Ending::kAnswered) break;
    } else if (std::holds_alternative<Close>(step)) {
      if (session_) co_await playing.close();
      if (out.ending != Ending::kAnswered) break;
    } else if (const auto* answer = std::get_if<Answer>(&step)) {
      co_await playing.flush();
      playing.will_answer(*answer);
    }
  }
  if (session_ && out.ending == Ending::kAnswered) co_await playing.settle(true);
  closely_ = false;
  co_await finish(playing);
  co_return std::move(out);
}

bool ScriptExecutor::can_pipeline(const Script& script) const {
  if (!session_ || session_->closed() || session_->wire().over_http()) return false;
  if (session_->has_exchanges() || care_ != Care::kQuick) return false;
  if (disordered_ * kOrdered > kOrdered * 2 + ahead_) return false;
  const bool lines = is_lines(session_->wire());
  return std::all_of(script.steps.begin(), script.steps.end(), [&](const Step& step) {
    if (std::holds_alternative<Sync>(step)) return true;
    if (std::holds_alternative<Answer>(step)) return !asks_;
    if (std::holds_alternative<Raw>(step)) return lines;
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr || frame->bytes.find("${") != std::string::npos) return false;
    return frame->delivery.usual() || (lines && frame->delivery.chunks.empty());
  });
}

awaitable<Result<std::vector<Execution>>> ScriptExecutor::play_pipelined(
    const std::vector<Script>& scripts) {
  const Status ready = co_await be_ready();
  if (!ready) co_return ready.error();
  std::vector<Execution> all(scripts.size());
  std::deque<Playing> playing;
  std::string bytes;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    Playing& one = playing.emplace_back(*this, all[i]);
    one.prepare(scripts[i], bytes);
    if (options_.keeps_journal) journal_.push_back(scripts[i]);
  }
  co_await session_->write(std::move(bytes));
  std::size_t execution = 0;
  for (bool more = true; more && execution < all.size();) {
    Execution& out = all[execution];
    Playing& one = playing[execution];
    out.first = scripts_++ == 0;
    out.unsettled = unanswered_ > 0 || owed_for_ > 0;
    co_await one.hear_ahead();
    ++ahead_;
    if (out.disordered) {
      ++disordered_;
      forget_session();
      break;
    }
    const bool process = is_process(session_->wire());
    co_await finish(one);
    // What was written behind it is not in its transcript, and may be why the connection ended.
    if (out.ending == Ending::kGone && !process && !out.served_ended) break;
    more = session_ && out.ending == Ending::kAnswered;
    ++execution;
  }
  all.resize(execution);
  co_return std::move(all);
}

}  // namespace fuzz
