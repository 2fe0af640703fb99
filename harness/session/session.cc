// SPDX-License-Identifier: Apache-2.0
#include "harness/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/transport/request.h"

namespace harness::session {
namespace {

// Evidence of one case is bounded: a target that floods is stopped here and named.
constexpr std::size_t kMaxSliceFrames = 60'000;
constexpr std::size_t kMaxSliceBytes = 20u << 20;  // received
// Chatter on stderr is no breach, nor are pings: past this much evidence they are dropped, never
// taken for a flood.
constexpr std::size_t kChatterFrames = 10'000;
constexpr std::size_t kChatterBytes = 5u << 20;
constexpr std::size_t kMaxSliceValues = 400'000;  // JSON values of about 100 bytes each

// Ids a lenient server may read out of text that is not JSON (a trailing comma, say), so that its
// answer is not taken for one nobody asked for.
std::vector<std::string> possible_ids(std::string_view text) {
  std::vector<std::string> keys;
  for (std::size_t at = text.find("id"); at != std::string_view::npos && keys.size() < 64;
       at = text.find("id", at + 2)) {
    std::size_t i = at + 2;
    while (i < text.size() && std::string_view("\"' :=\t").find(text[i]) != std::string_view::npos)
      ++i;
    std::size_t end = i;
    while (end < text.size() &&
           std::string_view(",}]\"' \t\r\n").find(text[end]) == std::string_view::npos)
      ++end;
    const std::string token(text.substr(i, end - i));
    if (token.empty() || token.size() > 100) continue;
    keys.push_back(wire::id_key(json::string(token)));
    const auto number = json::read(token);
    if (const auto* reading = std::get_if<json::Reading>(&number);
        reading && reading->value.is_number())
      keys.push_back(wire::id_key(reading->value));
    std::string digits;
    std::copy_if(token.begin(), token.end(), std::back_inserter(digits),
                 [](unsigned char c) { return c >= '0' && c <= '9'; });
    if (!digits.empty() && digits.size() < 19)
      keys.push_back(wire::id_key(json::number(std::stoll(digits))));
  }
  return keys;
}

// Of a batch.
std::size_t requests_in(const wire::Message& message) {
  if (message.kind != wire::MessageKind::kBatch) return 0;
  const auto& items = message.value.items;
  return static_cast<std::size_t>(std::count_if(
      items.begin(), items.end(),
      [](const json::Value& item) { return wire::kind_of(item) == wire::MessageKind::kRequest; }));
}

}  // namespace

void Pace::measured(microseconds sample) {
  const microseconds most = std::max(round_trip * 8, microseconds(20'000));
  round_trip = (round_trip * 3 + std::min(sample, most)) / 4;
}

milliseconds Pace::reply(std::size_t batched, std::size_t bytes) const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(round_trip * 100);
  const auto one_by_one = std::chrono::duration_cast<milliseconds>(
      round_trip * static_cast<microseconds::rep>(batched));
  return std::min(timeout, std::max(milliseconds(3000), wanted)) +
         std::min(timeout * 2, one_by_one + milliseconds(bytes >> 10));
}

milliseconds Pace::grace(bool patient) const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(round_trip * 20);
  return patient ? std::clamp(wanted * 4, milliseconds(700), milliseconds(3000))
                 : std::clamp(wanted, milliseconds(30), milliseconds(300));
}

milliseconds Pace::first() const {
  const auto wanted = std::chrono::duration_cast<milliseconds>(first_answer * 2);
  return std::min(std::max(timeout * 2, start), wanted);
}

Session::Session(std::unique_ptr<transport::Transport> transport, const spec::Profile& profile,
                 std::string target_name, std::shared_ptr<Pace> pace)
    : transport_(std::move(transport)),
      profile_(&profile),
      canary_(spec::canary_of(profile)),
      pace_(std::move(pace)),
      slice_(std::make_shared<wire::Transcript>()),
      began_(Clock::now()) {
  static std::uint64_t sessions = 0;
  number_ = ++sessions;
  slice_->profile = profile.name;
  slice_->transport = transport_->kind();
  slice_->framing = transport_->framing();
  slice_->target = std::move(target_name);
}

Session::~Session() = default;

awaitable<Status> Session::open() {
  began_ = Clock::now();
  co_return co_await transport_->open();
}

void Session::set_canary(json::Value method_and_params, bool answered_by_error) {
  if (const json::Value* method = method_and_params.find("method"); method && method->is_string())
    canary_.method = method->text;
  const json::Value* params = method_and_params.find("params");
  canary_.params = params ? *params : json::null();
  canary_.answered_by_error = answered_by_error;
}

std::uint64_t Session::record(wire::Frame frame) {
  frame.seq = next_seq_++;
  frame.time_us = std::chrono::duration_cast<microseconds>(Clock::now() - began_).count();
  if (frame.size == 0) frame.size = frame.bytes.size();
  if (frame.direction == wire::Direction::kReceived) slice_bytes_ += frame.bytes.size();
  slice_->frames.push_back(std::move(frame));
  if ((slice_->frames.size() > kMaxSliceFrames || slice_bytes_ > kMaxSliceBytes ||
       slice_values_ > kMaxSliceValues) &&
      closed_how_.empty()) {
    closed_how_ = "flood";
    unusable_ = true;
    if (auto* process = transport_->process()) process->send_signal(9);
  }
  return slice_->frames.back().seq;
}

void Session::note_loose(const std::string& key) {
  if (earlier_.insert(key)) loose_.insert(key);
}

wire::MessagePtr Session::read(std::string_view text) const {
  return cache_ ? cache_->read(text) : wire::read_shared(text);
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
  sent.is_request = message.kind == wire::MessageKind::kRequest && !unframed;
  const auto usable = [](const json::Value* id) {
    return id && (id->is_string() || id->is_number());
  };
  if (usable(message.id())) {
    sent.id_key = message.key;
    ids_.insert(sent.id_key);
    const json::Value* called = message.method();
    sent.runs_feature =
        called && (called->text == "tools/call" || called->text == "resources/read" ||
                   called->text == "prompts/get" || called->text == "tools/batch_call");
    if (unframed) note_loose(sent.id_key);  // may be read or not: no oracle asks for a reply
    if (const json::Value* method = message.method(); method && method->text == "initialize") {
      initialize_ids_.insert(sent.id_key);
      declare(declared_, message.value);
    }
  }
  if (sent.is_batch) {
    sent.batched = requests_in(message);
    for (const json::Value& item : message.value.items)
      if (item.is_object() && usable(item.find("id"))) ids_.insert(wire::id_key(*item.find("id")));
  }
  if (!message.is_json) {
    for (const std::string& key : possible_ids(text.substr(0, 4096))) note_loose(key);
    declare_leniently(declared_, options_.client_capabilities, text);
  }
  if (keeps_sent_) sent_.emplace_back(seq, std::move(read));
  return sent;
}

wire::HttpHead Session::head_for(const json::Value& body, const wire::HttpHead& overrides) const {
  wire::HttpHead head;
  head.method = overrides.method;
  head.target = overrides.target;
  head.headers = request_headers(*profile_, body, tools_);
  // Two of one name, written in two cases, are both sent.
  std::erase_if(head.headers, [&](const wire::Header& own) {
    return std::any_of(
        overrides.headers.begin(), overrides.headers.end(),
        [&](const wire::Header& header) { return transport::same_name(own.name, header.name); });
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
  wire::MessagePtr message = read(frame.bytes);
  transport::Outgoing outgoing;
  outgoing.writes = std::move(writes);
  if (transport_->over_http()) {
    outgoing.http = head_for(message->value, http);
    outgoing.manner = manner;
    frame.head = outgoing.http;
    if (frame.head->method.empty()) frame.head->method = "POST";
  }
  // Recorded before it is written: an answer must never stand before its question.
  const std::uint64_t seq = record(std::move(frame));
  Sent sent = note_sent(seq, slice_->frames.back().bytes, std::move(message), unframed);
  const milliseconds usual = pace_->reply(sent.batched, sent.bytes) * (manner.keep_open ? 4 : 1);
  const Deadline deadline = Clock::now() + std::max(usual, exchange_time_);
  const int number = co_await transport_->send(std::move(outgoing), deadline);
  // A request written out in a case is answered where it was asked, wherever messages are.
  (has_exchanges() || !http.method.empty() ? sent.exchange : sent.post) = number;
  note_exchange(seq, number);
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
  for (auto it = slice_->frames.rbegin(); it != slice_->frames.rend(); ++it) {
    if (it->seq != seq) continue;
    it->exchange = number;
    break;
  }
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

awaitable<void> Session::write(std::string bytes) {
  transport::Outgoing outgoing;
  outgoing.writes.push_back(std::move(bytes));
  co_await transport_->send(std::move(outgoing), Clock::now() + pace_->reply());
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
    wire::MessagePtr message = read(frame.bytes);
    const std::uint64_t seq = record(std::move(frame));
    all.push_back(note_sent(seq, slice_->frames.back().bytes, std::move(message), text.unframed));
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

Session::Slice Session::read_slice() const {
  const auto& frames = slice_->frames;
  wire::Messages out(frames.size());
  std::vector<bool> known(frames.size());
  const auto place = [&](std::uint64_t seq, const wire::MessagePtr& message) {
    if (frames.empty() || seq < frames.front().seq) return;  // of the slice before
    const std::size_t index = seq - frames.front().seq;
    if (index >= frames.size()) return;
    out.set(index, message);
    known[index] = true;
  };
  for (const auto& [seq, message] : sent_) place(seq, message);
  for (const Inbound& inbound : inbox_) place(inbound.seq, inbound.message);
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (!known[i] && wire::carries_message(frames[i])) out.set(i, read(frames[i].bytes));
  return {slice_, std::move(out)};
}

Session::Slice Session::take_slice() {
  Slice slice = read_slice();
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
  // What grew piece by piece may hold twice its size, and it is kept.
  constexpr std::size_t kMuch = 1 << 20;
  if (frame.bytes.capacity() - frame.bytes.size() > kMuch) frame.bytes.shrink_to_fit();
  const int exchange = frame.exchange;
  const wire::Channel channel = frame.channel;
  if (exchange) {
    Exchange& state = exchanges_[exchange];
    if (channel == wire::Channel::kHttp && frame.head) {
      state.status = frame.head->status;
      state.headers = frame.head->headers;
      state.body = frame.bytes.substr(0, 4096);
      const std::string* type = frame.head->header("Content-Type");
      state.streams =
          type && transport::same_name(type->substr(0, type->find(';')), "text/event-stream");
    } else if (channel == wire::Channel::kSse && !has_exchanges() && !state.ended) {
      // A second stream beside the own one is known by its first event and never ends.
      const std::string* name = frame.head ? frame.head->header("event") : nullptr;
      state.headers.push_back({"event", name ? *name : "message"});
      state.body = frame.bytes.substr(0, 4096);
      state.ended = true;
    } else if (channel == wire::Channel::kClose) {
      state.ended = true;
      if (frame.bytes != "end") state.failure = frame.bytes;
    }
  }
  if (channel == wire::Channel::kExit) {
    exited_ = true;
    exit_status_ = frame.bytes;
  }
  bool message_like = wire::carries_message(frame);
  // Where replies come on a stream, a body is one only when it says why a message was refused.
  if (message_like && exchange && !has_exchanges())
    message_like = channel == wire::Channel::kHttp && exchanges_[exchange].status >= 400 &&
                   read(frame.bytes)->kind == wire::MessageKind::kErrorResponse;
  wire::MessagePtr taken;
  if (message_like) {
    taken = read(frame.bytes);
    slice_values_ += taken->values;
  }
  const std::uint64_t seq = record(std::move(frame));
  if (exchange && channel == wire::Channel::kHttp) exchanges_[exchange].head_seq = seq;
  if (!message_like) return;
  // What comes behind a second message may be the answer to that, and the first was passed over.
  if (!std::exchange(heard_, true) && messages_sent_ == 1)
    pace_->first_answer = std::max(
        pace_->first_answer, std::chrono::duration_cast<microseconds>(Clock::now() - first_sent_));
  const wire::Message& message = *taken;
  // However the handshake was sent, this connection has had one.
  if (message.kind == wire::MessageKind::kResponse && message.id() &&
      initialize_ids_.contains(message.key)) {
    const json::Value* version = json::at(message.value, "/result/protocolVersion");
    if (version && version->is_string()) {
      initialized_ = true;
      if (agreed_.is_null()) agreed_ = *message.value.find("result");
    }
  }
  garbled_ |= message.kind == wire::MessageKind::kMalformed;
  if (message.kind == wire::MessageKind::kRequest) {
    asks_ = true;
    to_answer_.push_back(message.value);
  }
  std::string key;
  if (message.is_reply()) key = message.id() ? message.key : "null";
  inbox_.push_back({seq, std::move(taken), channel, exchange, false, std::move(key)});
}

// False when nothing came but the end, or the deadline.
bool Session::take_arrival(transport::Arrival arrival, Deadline deadline) {
  if (auto* frame = std::get_if<wire::Frame>(&arrival)) {
    const bool chatter =
        frame->channel == wire::Channel::kStderr || frame->channel == wire::Channel::kPing;
    if (chatter && (slice_->frames.size() > kChatterFrames || slice_bytes_ > kChatterBytes))
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

awaitable<bool> Session::pump(Deadline deadline) {
  if (closed()) co_return false;
  if (to_answer_.empty()) {
    transport::Arrival arrival = co_await transport_->receive(deadline);
    if (!take_arrival(std::move(arrival), deadline)) co_return false;
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

Deadline Session::patience(Deadline deadline) const {
  return garbled_ ? std::min(deadline, Clock::now() + pace_->grace(true)) : deadline;
}

awaitable<Inbound*> Session::reply_to(const Sent& sent, Deadline deadline) {
  for (std::size_t heard = sent.from;;) {
    for (; heard < inbox_.size(); ++heard) {
      Inbound& inbound = inbox_[heard];
      if (!takes_for_answer(inbound, sent)) continue;
      inbound.claimed = true;
      co_return &inbound;
    }
    const Exchange* http = exchange(sent.exchange);
    if ((http && http->ended) || refusal(sent)) co_return nullptr;
    if (take_pending()) continue;
    const Deadline until = patience(deadline);
    const bool more = co_await pump(until);
    if (!more) co_return nullptr;
  }
}

awaitable<void> Session::linger(bool patient) {
  const Deadline until = Clock::now() + pace_->grace(patient);
  for (bool more = true; more;) more = co_await pump(until);
}

milliseconds Session::reply_time(std::size_t batched, std::size_t bytes) const {
  const milliseconds usual = pace_->reply(batched, bytes);
  return heard_ ? usual : std::max(usual, pace_->first());
}

bool Session::has_strays() const {
  return std::any_of(inbox_.begin(), inbox_.end(), [&](const Inbound& inbound) {
    if (inbound.claimed) return false;
    if (inbound.message->kind == wire::MessageKind::kBatch) return true;
    return inbound.message->is_reply() && !ids_.contains(inbound.key);
  });
}

bool Session::has_unclaimed() const {
  return std::any_of(inbox_.begin(), inbox_.end(), [](const Inbound& inbound) {
    const bool batch = inbound.message->kind == wire::MessageKind::kBatch;
    return !inbound.claimed && (batch || inbound.message->is_reply());
  });
}

awaitable<void> Session::answer(const json::Value& request) {
  const json::Value* method = request.find("method");
  const json::Value* own = nullptr;
  if (options_.answers.is_object()) {
    if (method && method->is_string()) own = options_.answers.find(method->text);
    if (!own) own = options_.answers.find("*");
  }
  if (!own || own->is_string()) {
    const std::string word = own ? own->text : "usual";
    co_await answer_in_words(word, request);
    co_return;
  }
  if (const json::Value* raw = own->find("raw"); own->is_object() && raw) {
    constexpr std::string_view kId = "${request.id}";
    const json::Value* asked = request.find("id");
    const std::string id = asked ? json::write(*asked) : "null";
    std::string text = raw->text;
    for (auto at = text.find(kId); at != text.npos; at = text.find(kId, at + id.size()))
      text.replace(at, kId.size(), id);
    std::vector<std::string> writes(1, transport_->frame(text));
    co_await send_text(std::move(text), std::move(writes), false);
    co_return;
  }
  json::Value reply = json::object({{"jsonrpc", json::string("2.0")}});
  const json::Value* id = request.find("id");
  reply.set("id", id ? *id : json::null());
  if (own->is_object())
    for (const json::Member& member : own->members) reply.set(member.name, member.value);
  co_await send(reply);
}

awaitable<void> Session::answer_in_words(const std::string& word, const json::Value& request) {
  if (word == "none") co_return;
  if (word == "garbage") {
    const std::string text = "{\"jsonrpc\":\"2.0\",\"id\":";
    std::vector<std::string> writes(1, transport_->frame(text));
    co_await send_text(text, std::move(writes), false);
    co_return;
  }
  json::Value usual = default_answer(request, options_.client_capabilities);
  if (word == "wrong-id") usual.set("id", json::string("nobody asked this"));
  if (word == "late") {
    late_.push_back(std::move(usual));
    co_return;
  }
  co_await send(usual);
  if (word == "twice") co_await send(usual);
}

void Session::apply_http_headers() {
  std::vector<wire::Header> headers;
  if (!http_session_.empty()) headers.push_back({"Mcp-Session-Id", http_session_});
  const json::Value* version = agreed_.is_object() ? agreed_.find("protocolVersion") : nullptr;
  if (version && version->is_string() && version->text >= "2025-06-18")
    headers.push_back({"MCP-Protocol-Version", version->text});
  transport_->exchanges()->set_headers(std::move(headers));
}

bool Session::takes_for_answer(const Inbound& inbound, const Sent& sent) {
  if (!inbound.message->is_reply() || inbound.claimed) return false;
  if (has_exchanges()) return inbound.exchange == sent.exchange;
  if (inbound.exchange) return inbound.exchange == sent.post;
  const std::string& key = inbound.key;
  if (key == sent.id_key) {
    keeps_ids_ = true;
    return true;
  }
  // Who kept one id keeps them all: what comes under another answers something else.
  if (keeps_ids_ || id_used(key) || (key == "null" && !sent.is_json)) return false;
  alters_ids_ = true;
  return true;
}

awaitable<Handshake> Session::handshake() {
  json::Value params = initialize_params(profile_->revision, options_.client_capabilities);
  co_return co_await handshake(std::move(params), nullptr, true);
}

awaitable<Handshake> Session::handshake(json::Value params, const json::Value* id,
                                        bool send_initialized) {
  Handshake result;
  const json::Value own_id = id ? *id : json::number(next_id());
  const json::Value request = message(&own_id, "initialize", params);
  result.sent = co_await send(request);
  const Deadline deadline = Clock::now() + std::max(pace_->timeout * 2, pace_->start);
  const Inbound* reply = co_await reply_to(result.sent, deadline);
  if (!reply) co_return result;
  result.answered = true;
  result.reply = reply->message->value;
  const json::Value* accepted = json::at(result.reply, "/result/protocolVersion");
  result.accepted = accepted && accepted->is_string();
  if (!result.accepted) co_return result;
  agreed_ = *json::at(result.reply, "/result");
  initialized_ = true;
  if (const Exchange* http = exchange(result.sent.exchange)) {
    wire::HttpHead head;
    head.headers = http->headers;
    if (const std::string* session = head.header("mcp-session-id")) http_session_ = *session;
  }
  if (transport_->over_http()) apply_http_headers();
  if (send_initialized) {
    const json::Value initialized = message(nullptr, "notifications/initialized", json::null());
    const Sent note = co_await send(initialized);
    // Over HTTP the next request must not overtake it.
    const int number = note.exchange + note.post;
    for (bool more = number != 0; more && !exchange(number)->ended;)
      more = co_await pump(Clock::now() + pace_->reply());
  }
  co_return result;
}

const json::Value& Session::declared() const {
  return declared_.is_null() ? options_.client_capabilities : declared_;
}

const json::Value* Session::capabilities() const {
  return agreed_.is_object() ? agreed_.find("capabilities") : nullptr;
}

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

void Session::disconnect(int exchange) {
  const Exchange* state = this->exchange(exchange);
  if (!state || state->ended) return;
  wire::Frame frame;
  frame.channel = wire::Channel::kClose;
  frame.exchange = exchange;
  frame.bytes = "hung up";
  record(std::move(frame));
  if (auto* exchanges = transport_->exchanges()) exchanges->disconnect(exchange);
}

void Session::send_signal(int number) {
  note_interference(fmt::format("signal {}", number));
  if (auto* process = transport_->process()) process->send_signal(number);
}

awaitable<void> Session::shutdown(milliseconds grace) { co_await transport_->shutdown(grace); }

void Session::adopt(const spec::Profile& profile) {
  profile_ = &profile;
  canary_ = spec::canary_of(profile);
  slice_->profile = profile.name;
  sliced_ = true;
  begin_slice();
}

void Session::begin_slice() {
  if (!sliced_) {
    sliced_ = true;
    return;
  }
  auto next = std::make_shared<wire::Transcript>();
  next->profile = slice_->profile;
  next->transport = slice_->transport;
  next->framing = slice_->framing;
  next->target = slice_->target;
  slice_ = std::move(next);
  slice_bytes_ = 0;
  slice_values_ = 0;
  inbox_.clear();
  sent_.clear();
  for (const std::string& key : ids_) earlier_.insert(key);
  ids_.clear();
  loose_.clear();
  std::erase_if(exchanges_, [](const auto& entry) { return entry.second.ended; });
}

void Session::renumber(std::uint64_t offset) {
  for (wire::Frame& frame : slice_->frames) frame.seq += offset;
  for (Inbound& inbound : inbox_) inbound.seq += offset;
  for (auto& [seq, message] : sent_) seq += offset;
  for (auto& [number, exchange] : exchanges_) {
    if (exchange.sent_seq) exchange.sent_seq += offset;
    if (exchange.head_seq) exchange.head_seq += offset;
  }
  next_seq_ += offset;
}

std::string post_mortem(const Session& session) {
  std::string text;
  if (session.exited())
    text = "it ended with " + session.exit_status();
  else if (session.closed())
    text = "the connection ended: " + session.closed_how();
  const std::string tail = session.stderr_tail();
  if (tail.empty()) return text;
  text += text.empty() ? "its stderr ends with:" : "; its stderr ends with:";
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < tail.size();) {
    std::size_t end = tail.find('\n', at);
    if (end == std::string::npos) end = tail.size();
    if (end > at) lines.push_back(printable(std::string_view(tail).substr(at, end - at), 200));
    at = end + 1;
  }
  const std::size_t first = lines.size() > 8 ? lines.size() - 8 : 0;
  for (std::size_t i = first; i < lines.size(); ++i) text += "\n    " + lines[i];
  return text;
}

}  // namespace harness::session
