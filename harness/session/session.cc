// SPDX-License-Identifier: Apache-2.0
#include "harness/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>

#include "harness/base/ascii.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/session/patience.h"
#include "harness/spec/known.h"
#include "harness/transport/request.h"

namespace harness::session {
namespace {

constexpr std::size_t kLarge = 256 << 10;  // bytes of a message

// Requests of the server in a slice: more get no answer.
constexpr std::size_t kMostAnswered = 1000;
constexpr std::size_t kHeldOnce = 1u << 20;  // bytes of a text that is not copied needlessly

// Of a batch.
std::size_t requests_in(const wire::Message& message) {
  if (message.kind != wire::MessageKind::kBatch) return 0;
  const auto& items = message.value.items;
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(),
      [](const json::Value& item) { return wire::kind_of(item) == wire::MessageKind::kRequest; }));
}

bool begins_as_message(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

wire::Transcript head_of(const spec::Profile& profile, const transport::Transport& transport,
                         std::string target) {
  wire::Transcript head;
  head.profile = profile.name;
  head.transport = transport.kind();
  head.framing = transport.framing();
  head.target = std::move(target);
  return head;
}

}  // namespace

Session::Session(std::unique_ptr<transport::Transport> transport, const spec::Profile& profile,
                 std::string target_name, std::shared_ptr<Pace> pace)
    : transport_(std::move(transport)), profile_(&profile), canary_(spec::canary_of(profile)),
      pace_(std::move(pace)), recording_(head_of(profile, *transport_, std::move(target_name))) {
  static std::uint64_t sessions = 0;
  number_ = ++sessions;
  // A server may send each reply to all of its clients: then no two of them ask with one id.
  const wire::TransportTraits& traits = wire::traits_of(transport_->kind());
  if (!traits.process && !traits.exchanges && traits.of_targets)
    next_id_ += 1000 * static_cast<std::int64_t>((number_ - 1) % 800);
}

Session::~Session() = default;

awaitable<Status> Session::open() {
  recording_.begin();
  co_return co_await transport_->open();
}

std::uint64_t Session::record(wire::Frame frame) {
  if (pace_->rate && frame.direction == wire::Direction::kSent) pace_->rate->sent(Clock::now());
  const std::uint64_t seq = recording_.add(std::move(frame));
  if (recording_.flooded() && closed_how_.empty()) {
    closed_how_ = "flood";
    unusable_ = true;
    if (auto* process = transport_->process()) process->send_signal(9);
  }
  return seq;
}

Sent Session::note_sent(std::uint64_t seq, std::string_view text, wire::MessagePtr read,
                        bool unframed) {
  const wire::Message& message = *read;
  Sent sent;
  sent.seq = seq;
  sent.from = inbox_.size();
  sent.at = Clock::now();
  if (messages_sent_++ == 0) first_sent_ = sent.at;
  sent.bytes = text.size();
  sent.is_json = message.is_json;
  sent.is_batch = message.kind == wire::MessageKind::kBatch;
  sent.batched = requests_in(message);
  sent.is_request = message.kind == wire::MessageKind::kRequest && !unframed;
  attribution_.sent(message, text, unframed);
  if (message.is_reply()) withheld_.erase(message.key);
  if (profile_->lsp && message.method() && message.method()->text == "shutdown") retire();
  if (trace::is_usable_id(message.id())) {
    sent.id_key = message.key;
    const json::Value* called = message.method();
    if (called && sent.is_request) asked_ = called->text;
    if (called && sent.is_request && message.duplicate_name.empty()) {
      sent.method = asked_;
      const json::Value* name = json::at(message.value, "/params/name");
      if (name && name->is_string()) sent.name = name->text;
    }
    sent.runs_feature =
        called && (called->text == "tools/call" || called->text == "resources/read" ||
                   called->text == "prompts/get" || called->text == "tools/batch_call");
    if (called && called->text == "initialize") {
      initialize_ids_.insert(sent.id_key);
      declare(declared_, message.value);
    }
  }
  if (!message.is_json) declare_leniently(declared_, options_.client_capabilities, text);
  recording_.keep(seq, std::move(read));
  return sent;
}

wire::HttpHead Session::head_for(const json::Value& body, const wire::HttpHead& overrides) const {
  wire::HttpHead head;
  head.method = overrides.method;
  head.target = overrides.target;
  head.headers = request_headers(*profile_, body, tools_);
  // Two of one name, written in two cases, are both sent.
  std::erase_if(head.headers, [&](const wire::Header& own) {
    return std::any_of(overrides.headers.begin(), overrides.headers.end(),
                       [&](const wire::Header& header) {
                         return ascii::equal_ignoring_case(own.name, header.name);
                       });
  });
  head.headers.insert(head.headers.end(), overrides.headers.begin(), overrides.headers.end());
  return head;
}

wire::Channel Session::sending_channel() const {
  if (transport_->over_http()) return wire::Channel::kHttp;
  return transport_->traits().process ? wire::Channel::kStdin : wire::Channel::kSocket;
}

awaitable<Sent> Session::send(const json::Value& message, const wire::HttpHead& http) {
  std::string text = json::write(message);
  std::vector<std::string> writes(1, transport_->frame(text));
  co_return co_await send_text(std::move(text), std::move(writes), false, http);
}

awaitable<Sent> Session::send_text(std::string shown, std::vector<std::string> writes,
                                   bool unframed, const wire::HttpHead& http,
                                   const transport::HttpManner& manner) {
  wire::Frame frame;
  frame.direction = wire::Direction::kSent;
  frame.channel = sending_channel();
  frame.unframed = unframed;
  frame.bytes = std::move(shown);
  // Megabytes are not held once more while they are read.
  std::string end;
  const bool again = frame.bytes.size() > kHeldOnce && writes.size() == 1 &&
                     writes.front().starts_with(frame.bytes);
  if (again) end = std::exchange(writes.front(), {}).substr(frame.bytes.size());
  wire::MessagePtr message = recording_.read(frame.bytes);
  if (again) {
    writes.front().reserve(frame.bytes.size() + end.size());
    writes.front().append(frame.bytes).append(end);
  }
  transport::Outgoing outgoing;
  outgoing.writes = std::move(writes);
  if (transport_->over_http()) {
    outgoing.http = head_for(message->value, http);
    outgoing.manner = manner;
    frame.head = outgoing.http;
    if (frame.head->method.empty()) frame.head->method = "POST";
    frame.session = about_http();
  } else if (!http.headers.empty()) {
    frame.head = http;
  }
  if (!transport_->over_http()) co_await keep_apart();
  // Recorded before it is written: an answer must never stand before its question.
  const std::uint64_t seq = record(std::move(frame));
  Sent sent = note_sent(seq, transcript().frames.back().bytes, std::move(message), unframed);
  const milliseconds usual =
      pace_->reply(sent.batched, sent.bytes) * (manner.keep_open ? patience::kOpenStream : 1);
  const Deadline deadline = Clock::now() + std::max(usual, exchange_time_);
  const int number = co_await transport_->send(std::move(outgoing), deadline);
  // A request written out in a case is answered where it was asked, wherever messages are.
  (has_exchanges() || !http.method.empty() ? sent.exchange : sent.post) = number;
  note_exchange(seq, number);
  if (http.header("Last-Event-ID")) resumption_.leave_all();  // whoever sends it resumes by himself
  else if (sent.is_request && resumes()) resumption_.asked(number, sent.id_key);
  co_return sent;
}

awaitable<Sent> Session::send_ping(std::string payload, std::string bytes) {
  wire::Frame frame;
  frame.direction = wire::Direction::kSent;
  frame.channel = wire::Channel::kPing;
  frame.bytes = std::move(payload);
  Sent sent;
  sent.from = inbox_.size();
  sent.at = Clock::now();
  sent.seq = record(std::move(frame));
  transport::Outgoing outgoing;
  outgoing.writes.push_back(std::move(bytes));
  co_await transport_->send(std::move(outgoing), Clock::now() + pace_->reply());
  co_return sent;
}

awaitable<Sent> Session::send_upgrade(wire::HttpHead head) {
  wire::Frame frame;
  frame.direction = wire::Direction::kSent;
  frame.channel = wire::Channel::kHttp;
  head.method = "GET";
  frame.head = head;
  Sent sent;
  sent.from = inbox_.size();
  sent.at = Clock::now();
  sent.seq = record(std::move(frame));
  const Deadline deadline = Clock::now() + pace_->reply();
  transport::Upgrades* upgrades = transport_->upgrades();
  if (!upgrades) co_return sent;
  sent.exchange = co_await upgrades->upgrade(std::move(head), deadline);
  note_exchange(sent.seq, sent.exchange);
  co_return sent;
}

void Session::note_exchange(std::uint64_t seq, int number) {
  if (number == 0) return;
  exchanges_[number].sent_seq = seq;
  attribution_.began_exchange(number);
  recording_.set_exchange(seq, number);
}

awaitable<std::vector<Sent>> Session::send_together(std::vector<Written> messages) {
  if (transport_->over_http()) {
    std::vector<Sent> all;
    for (Written& one : messages) {
      std::vector<std::string> writes(1, std::move(one.bytes));
      all.push_back(
          co_await send_text(std::move(one.shown), std::move(writes), one.unframed, one.http));
    }
    co_return all;
  }
  std::vector<Text> texts;
  std::string joined;
  for (Written& one : messages) {
    joined += one.bytes;
    texts.push_back({std::move(one.shown), one.unframed});
  }
  // Recorded before it is written: an answer must never stand before its question.
  std::vector<Sent> all = note_written(std::move(texts));
  co_await write(std::move(joined));
  co_return all;
}

void Session::note_write() {
  written_ = Clock::now();
  heard_before_ = inbox_.size();
}

awaitable<void> Session::write(std::string bytes) {
  co_await keep_apart();
  transport::Outgoing outgoing;
  outgoing.writes.push_back(std::move(bytes));
  co_await transport_->send(std::move(outgoing), Clock::now() + pace_->reply());
  note_write();
}

std::vector<Sent> Session::note_written(std::vector<Text> texts) {
  std::vector<Sent> all;
  all.reserve(texts.size());
  for (Text& text : texts) {
    wire::Frame frame;
    frame.direction = wire::Direction::kSent;
    frame.channel = sending_channel();
    frame.unframed = text.unframed;
    frame.bytes = std::move(text.bytes);
    wire::MessagePtr message = recording_.read(frame.bytes);
    const std::uint64_t seq = record(std::move(frame));
    all.push_back(
        note_sent(seq, transcript().frames.back().bytes, std::move(message), text.unframed));
  }
  return all;
}

json::Value Session::next_canary() {
  const json::Value id = json::number(next_id());
  return message(&id, canary_.method, canary_.params);
}

awaitable<Sent> Session::send_canary() {
  const json::Value request = next_canary();
  co_return co_await send(request);
}

trace::Slice Session::read_slice() const {
  Recording::Read received;
  received.reserve(inbox_.size());
  for (const Inbound& inbound : inbox_) received.emplace_back(inbound.seq, inbound.message);
  return {recording_.transcript(),
          recording_.messages(received),
          earlier_ids(),
          capabilities() ? *capabilities() : json::null(),
          declared(),
          known_};
}

trace::Slice Session::take_slice() {
  trace::Slice slice = read_slice();
  sliced_ = true;
  begin_slice();
  return slice;
}

const Exchange* Session::refusal(const Sent& sent) const {
  const Exchange* post = sent.post ? exchange(sent.post) : nullptr;
  return post && post->refused() ? post : nullptr;
}

const Exchange* Session::exchange(int number) const {
  const auto it = exchanges_.find(number);
  return it == exchanges_.end() ? nullptr : &it->second;
}

void Session::take(wire::Frame frame) {
  frame.direction = wire::Direction::kReceived;
  if (takes_cut_off_ && frame.unframed && transport_->over_http())
    frame.unframed = !recording_.read(frame.bytes)->is_json;
  const int exchange = note_stream(frame);
  const wire::Channel channel = frame.channel;
  if (const std::string* session = frame.head ? frame.head->header("mcp-session-id") : nullptr)
    if (has_exchanges() && frame.head->status / 100 == 2) http_sessions_.insert(*session);
  if (channel == wire::Channel::kExit) {
    exited_ = true;
    exit_status_ = frame.bytes;
  }
  bool message_like = wire::carries_message(frame);
  // Where replies come on a stream, a body is one only when it says why a message was refused.
  if (message_like && exchange && !has_exchanges())
    message_like = channel == wire::Channel::kHttp && exchanges_[exchange].status >= 400 &&
                   recording_.read(frame.bytes)->kind == wire::MessageKind::kErrorResponse;
  const bool cut_off = frame.unframed && channel == wire::Channel::kHttp;
  if (message_like && cut_off) message_like = recording_.read(frame.bytes)->is_json;
  wire::MessagePtr taken;
  if (message_like) {
    taken = recording_.read(frame.bytes);
    recording_.count_values(taken->values);
  }
  // What is not read to its end, or too large to be read, is nothing that anybody could judge.
  bool endless = channel == wire::Channel::kClose && frame.bytes == "too-long";
  if (taken && frame.bytes.size() > kLarge)
    endless = frame.size > frame.bytes.size() || taken->error.fault == json::ReadFault::kTooDeep;
  const bool stream = channel == wire::Channel::kStdout || channel == wire::Channel::kSocket;
  const bool noise = taken && stream && taken->kind == wire::MessageKind::kMalformed &&
                     !begins_as_message(frame.bytes);
  if (taken && taken->is_reply() && trace::is_usable_id(taken->id()) && !id_used(taken->key))
    pace_->came_unused(taken->key);
  const bool reply = taken && taken->is_reply();
  const bool again = reply && attribution_.came_again(taken->key, frame.bytes);
  const bool second = reply && attribution_.is_second(taken->key);
  const std::size_t size = frame.size;
  const std::uint64_t seq = record(std::move(frame));
  if (endless && closed_how_.empty()) {
    closed_how_ = recording_.may_repeat(size) ? "too long" : "flood";
    unusable_ = true;
  }
  if (exchange && channel == wire::Channel::kHttp) exchanges_[exchange].head_seq = seq;
  if (!message_like || endless) return;
  // What comes behind a second message may be the answer to that, and the first was passed over.
  if (!noise && !std::exchange(heard_, true) && messages_sent_ == 1)
    pace_->first_answer = std::max(
        pace_->first_answer, std::chrono::duration_cast<microseconds>(Clock::now() - first_sent_));
  const wire::Message& message = *taken;
  // However the handshake was sent, this connection has had one.
  if (message.kind == wire::MessageKind::kResponse && message.id() &&
      initialize_ids_.contains(message.key)) {
    const json::Value& result = *message.value.find("result");
    if (spec::opens_session(*profile_, result)) {
      initialized_ = true;
      if (agreed_.is_null()) agreed_ = result;
    }
  }
  garbled_ |= message.kind == wire::MessageKind::kMalformed && !noise;
  if (message.kind == wire::MessageKind::kRequest) {
    asks_ = true;
    // Who asks without end is not answered without end.
    if (asked_of_us_++ < kMostAnswered) to_answer_.push_back(message.value);
  }
  std::string key;
  if (message.is_reply()) key = message.id() ? message.key : "null";
  if (exchange && message.is_reply()) resumption_.answered(exchange, key);
  inbox_.push_back(
      {{std::move(taken), std::move(key), exchange, again, second}, seq, channel, false, noise});
}

// False when nothing came but the end, or the deadline.
bool Session::take_arrival(transport::Arrival arrival, Deadline deadline) {
  if (auto* frame = std::get_if<wire::Frame>(&arrival)) {
    const bool chatter =
        frame->channel == wire::Channel::kStderr || frame->channel == wire::Channel::kPing;
    if (chatter && recording_.has_chatter_enough())
      return Clock::now() < deadline;  // a lasting flood must not outlast the deadline
    take(std::move(*frame));
    return true;
  }
  if (auto* closing = std::get_if<transport::Closed>(&arrival)) {
    if (closed_how_.empty()) closed_how_ = closing->how.empty() ? "closed" : closing->how;
  }
  return false;
}

// Takes in what has come already, as far as nothing of it is to be answered; false: there is none.
bool Session::take_pending() {
  bool any = false;
  while (late_.empty() && to_answer_.empty() && !closed()) {
    std::optional<transport::Arrival> arrival = transport_->poll();
    if (!arrival || !take_arrival(std::move(*arrival), Deadline::max())) break;
    any = true;
    if (takes_singly_) break;
  }
  return any;
}

// What arrives next. A long wait is told, so that others act meanwhile.
awaitable<bool> Session::pump(Deadline deadline) {
  if (closed()) co_return false;
  deadline = made_good(deadline);
  // One who asks without end, and does not read what it is answered, must not outlast the deadline.
  if (Clock::now() - patience::kOverrun > deadline) co_return false;
  if (to_answer_.empty()) {
    const Deadline until = co_await resume_until(deadline);
    transport::Arrival arrival = co_await next_arrival(until);
    const bool more = take_arrival(std::move(arrival), until);
    if (!more) co_return !closed() && until < deadline;
  }
  for (std::size_t due = late_.size(); due > 0; --due) {
    const json::Value reply = std::move(late_.front());
    late_.pop_front();
    co_await send(reply);
  }
  while (!to_answer_.empty()) {
    const json::Value request = std::move(to_answer_.front());
    to_answer_.pop_front();
    co_await answer(request);
  }
  co_return true;
}

awaitable<void> Session::answer(const json::Value& request) {
  ServerAnswer answer = answer_to(request, options_);
  lacked_answer_ |= !answer.made;
  for (const json::Value& one : answer.now) co_await send(one);
  const json::Value* id = request.find("id");
  if (answer.now.empty() && !answer.late && !answer.text) withheld_.insert(id ? wire::id_key(*id) : "");
  if (answer.late) late_.push_back(std::move(*answer.late));
  if (!answer.text) co_return;
  std::vector<std::string> writes(1, transport_->frame(*answer.text));
  co_await send_text(std::move(*answer.text), std::move(writes), false);
}

void Session::apply_http_headers() {
  std::vector<wire::Header> headers;
  if (!http_session_.empty()) headers.push_back({"Mcp-Session-Id", http_session_});
  const json::Value* version = agreed_.is_object() ? agreed_.find("protocolVersion") : nullptr;
  if (version && version->is_string() && version->text >= "2025-06-18")
    headers.push_back({"MCP-Protocol-Version", version->text});
  transport_->exchanges()->set_headers(std::move(headers));
  about_http_.reset();
}

std::shared_ptr<const wire::HttpSession> Session::about_http() {
  transport::Exchanges* exchanges = transport_->exchanges();
  if (!about_http_ && exchanges) {
    auto about = std::make_shared<wire::HttpSession>(exchanges->session());
    about->opening = opened_by_;
    about_http_ = std::move(about);
  }
  return about_http_;
}

json::Value Session::opening_params() const {
  json::Value params = initialize_params(*profile_, options_.client_capabilities);
  for (const json::Member& member : opening_.members)
    if (!member.name.ends_with("apabilities") || options_.client_capabilities.members.empty())
      params.set(member.name, member.value);
  return params;
}

awaitable<Handshake> Session::handshake() {
  json::Value params = opening_params();
  co_return co_await handshake(std::move(params), nullptr, true);
}

awaitable<Handshake> Session::handshake(json::Value params, const json::Value* id,
                                        bool send_initialized) {
  Handshake said = co_await say_initialize(std::move(params), id);
  const milliseconds first = pace_->serves_initialize ? pace_->to_begin() : patience::kOtherEra;
  const milliseconds patience = initialized_ ? std::min(first, reply_time()) : first;
  co_await hear_initialize(said, Clock::now() + patience, send_initialized);
  co_return said;
}

awaitable<Handshake> Session::say_initialize(json::Value params, const json::Value* id) {
  Handshake said;
  const json::Value own_id = id ? *id : json::number(next_id());
  const json::Value request = message(&own_id, "initialize", params);
  said.sent = co_await send(request);
  if (has_exchanges()) opening_text_ = json::write(request);
  co_return said;
}

awaitable<void> Session::hear_initialize(Handshake& said, Deadline deadline,
                                         bool send_initialized) {
  const Inbound* reply = co_await reply_to(said.sent, deadline);
  if (!reply) co_return;
  said.answered = true;
  said.reply = reply->message->value;
  const json::Value* accepted = said.reply.find("result");
  said.accepted = accepted && spec::opens_session(*profile_, *accepted);
  if (!said.accepted) co_return;
  agreed_ = *accepted;
  initialized_ = true;
  stream_ = 0;
  if (const Exchange* http = exchange(said.sent.exchange)) {
    wire::HttpHead head;
    head.headers = http->headers;
    if (const std::string* session = head.header("mcp-session-id")) http_session_ = *session;
    opened_by_ = std::move(opening_text_);
  }
  if (transport_->over_http()) apply_http_headers();
  if (const json::Value initialized = initialized_message(*profile_);
      send_initialized && !initialized.is_null()) {
    const Sent note = co_await send(initialized);
    // Over HTTP the next request must not overtake it.
    const int number = note.exchange + note.post;
    for (bool more = number != 0; more && !exchange(number)->ended;)
      more = co_await pump(Clock::now() + pace_->reply());
  }
}

void Session::begin_without_handshake(json::Value agreed) {
  agreed_ = std::move(agreed);
  initialized_ |= profile_->era == spec::Era::kHandshake;
}

void Session::set_known(std::shared_ptr<const spec::Known> known) {
  known_ = std::move(known);
  if (known_) canary_ = known_->canary();
  if (known_ && known_->alters_ids()) attribution_.expect_altered(known_->retypes_ids());
  if (known_ && known_->answers_notes()) attribution_.expect_answered_notes();
}

awaitable<bool> Session::listen(Deadline deadline) {
  wire::HttpHead head;
  head.method = "GET";
  head.headers.push_back({"Accept", "text/event-stream"});
  transport::HttpManner manner;
  manner.keep_open = true;
  const Sent sent = co_await send_text({}, {}, true, head, manner);
  stream_ = sent.exchange;
  bool begun = false;
  for (bool more = true; more && !begun;) {
    const Exchange* stream = exchange(stream_);
    begun = stream && (stream->streams || stream->ended);
    if (!begun) more = co_await pump(deadline);
  }
  co_return begun;
}

void Session::stop_listening() {
  if (const int stream = std::exchange(stream_, 0)) disconnect(stream);
}

const json::Value& Session::declared() const {
  return declared_.is_null() ? options_.client_capabilities : declared_;
}

const json::Value* Session::capabilities() const { return spec::declared_in(agreed_); }

void Session::note_interference(std::string what) {
  wire::Frame frame;
  frame.channel = wire::Channel::kClose;
  frame.bytes = std::move(what);
  record(std::move(frame));
  unusable_ = true;
}

void Session::close_input() {
  note_interference("stdin");
  transport_->close_input();
}

void Session::close_output() {
  note_interference("stdout");
  if (auto* process = transport_->process()) process->close_output();
}

void Session::send_signal(int number) {
  note_interference(fmt::format("signal {}", number));
  if (auto* process = transport_->process()) process->send_signal(number);
}

awaitable<void> Session::end_http_sessions(std::set<std::string> ids) {
  const Deadline deadline = Clock::now() + patience::kSessionsEnded;
  std::set<int> open;
  for (const std::string& session : ids) {
    transport::Outgoing outgoing;
    outgoing.http.method = "DELETE";
    outgoing.http.headers.push_back({"Mcp-Session-Id", session});
    open.insert(co_await transport_->send(std::move(outgoing), deadline));
  }
  while (!open.empty()) {
    const transport::Arrival arrival = co_await transport_->receive(deadline);
    const auto* frame = std::get_if<wire::Frame>(&arrival);
    if (!frame) co_return;
    if (frame->channel == wire::Channel::kClose) open.erase(frame->exchange);
  }
}

// Nobody asks any more what was said, and it may be much.
awaitable<void> Session::shutdown(milliseconds grace) {
  recording_.begin_slice();
  inbox_.clear();
  std::set<std::string> kept = take_http_sessions();
  if (!kept.empty() && !closed()) co_await end_http_sessions(std::move(kept));
  co_await transport_->shutdown(grace);
}

void Session::adopt(const spec::Profile& profile) {
  profile_ = &profile;
  canary_ = spec::canary_of(profile);
  recording_.transcript()->profile = profile.name;
  sliced_ = true;
  begin_slice();
}

void Session::renumber(std::uint64_t offset) {
  recording_.renumber(offset);
  for (Inbound& inbound : inbox_) inbound.seq += offset;
  for (auto& [number, exchange] : exchanges_) {
    if (exchange.sent_seq) exchange.sent_seq += offset;
    if (exchange.head_seq) exchange.head_seq += offset;
  }
}

}  // namespace harness::session
