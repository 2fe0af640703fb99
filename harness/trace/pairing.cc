// SPDX-License-Identifier: Apache-2.0
// What goes on, and what we said.
#include "harness/trace/pairing.h"

#include <algorithm>
#include <utility>

#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

// Messages in a window; in a larger one nobody can tell what answers what.
constexpr std::size_t kMostPaired = 100;

}  // namespace

bool is_marked(const Asked& asked) {
  return !asked.expected.found().empty() &&
         asked.expected.found().front()->name == std::string_view("byte-order-mark");
}

Pairing::Pairing(const Trace& trace, Answers& answers)
    : trace_(trace), answers_(answers), exchanges_(trace) {}

void Pairing::attribute() {
  const auto& frames = trace_.transcript.frames;
  std::size_t at = 0;
  for (const Item& item : trace_.items) {
    for (; at < item.frame; ++at) note_frame(frames[at]);
    item.sent ? sent(item) : received(item);
  }
  for (; at < frames.size(); ++at) note_frame(frames[at]);
  for (auto& [exchange, window] : windows_) {
    unnamed_ = std::move(window.messages);
    replies_ = std::move(window.replies);
    settle();
  }
  leave_connection();
}

std::size_t Pairing::elements_of(const Asked& asked) const {
  const auto array = arrays_.find(asked.group);
  return array == arrays_.end() ? 0 : array->second.size;
}

// --- what is going on

void Pairing::note_frame(const wire::Frame& frame) {
  if (trace_.http()) return;
  if (breaks_framing(trace_, frame)) tear();
  const bool end = frame.channel == wire::Channel::kClose || frame.channel == wire::Channel::kExit;
  if (end && frame.exchange == 0) leave_connection();
  // HTTP+SSE: the message was refused, or the connection it went on was left before it was taken.
  const bool theirs = frame.direction == wire::Direction::kReceived && frame.exchange != 0;
  const bool refused =
      theirs && (frame.channel == wire::Channel::kHttp
                     ? frame.head && frame.head->status >= 400
                     : frame.channel == wire::Channel::kClose && frame.bytes != "end");
  for (std::size_t i = connection_; refused && i < asks_.size(); ++i)
    if (asks_[i].exchange == frame.exchange) asks_[i].answered = true;
}

// What comes without an id from now on may answer whatever the server made of our bytes, and come
// any number of times.
void Pairing::tear() {
  torn_ = true;
  for (const std::size_t i : unnamed_) mute(asks_[i]);
  for (const std::size_t i : late_) mute(asks_[i]);
}

void Pairing::leave_connection() {
  settle();
  if (trace_.http())
    note_exchanges();
  else if (!torn_ && !foreign_)
    for (std::size_t i = connection_; i < asks_.size(); ++i) note_silence(asks_[i]);
  connection_ = asks_.size();
  late_.clear();
  proofs_.clear();
  latest_ = {};
  by_key_.clear();
  cancelled_.clear();
  initialized_ = agreed_ = foreign_ = torn_ = shut_down_ = false;
}

spec::Phase Pairing::phase(const wire::Frame& frame) const {
  const bool before_slice =
      !trace_.from_start() && !trace_.server_capabilities.is_null() && connection_ == 0;
  bool ready = initialized_ || before_slice;
  if (trace_.http() && exchanges_.has_sessions())
    ready &= frame.head && frame.head->header("Mcp-Session-Id") != nullptr;
  return ready && !shut_down_ ? spec::Phase::kReady : spec::Phase::kBefore;
}

// Whether a server read what we believe it read.
bool Pairing::is_clear(const Item& item) const {
  const wire::Frame& frame = trace_.transcript.frames[item.frame];
  if (torn_ || foreign_ || frame.size > frame.bytes.size()) return false;
  if (frame.channel != wire::Channel::kHttp) return !frame.head;
  if (!frame.head || frame.head->method != "POST" || contradicts_body(frame)) return false;
  const std::string* type = frame.head->header("Content-Type");
  return type == nullptr || *type == "application/json";
}

void Pairing::note_lifecycle(const Item& item) {
  const std::string_view method = method_of(item);
  if (method == "initialize") initialized_ = agreed_ = false;
  // What a server may refuse, as a request of that name, does not make it ready.
  if (trace_.profile.lsp && method == "exit")  // what is open then may stay so
    for (std::size_t i = connection_; i < asks_.size(); ++i) mute(asks_[i]);
  if (trace_.profile.lsp && method == "shutdown") shut_down_ = true;
  if (method == spec::initialized_method(trace_.profile) && agreed_ &&
      item.kind == wire::MessageKind::kNotification && is_proper(trace_, item))
    initialized_ = true;
  if (method != "notifications/cancelled") return;
  if (const json::Value* id = json::at(*item.value, "/params/requestId")) {
    const std::string& key = *cancelled_.insert(wire::id_key(*id)).first;
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    for (const std::size_t i : found->second) mute(asks_[i]);
  }
}

void Pairing::note_agreement(const Item& reply, const Asked& ask) {
  if (reply.kind != wire::MessageKind::kResponse || method_of(*ask.item) != "initialize") return;
  const json::Value& result = *reply.value->find("result");
  agreed_ = spec::opens_session(trace_.profile, result) &&
            (trace_.profile.lsp || result.find("protocolVersion")->text == trace_.profile.revision);
  if (trace_.profile.acp) initialized_ = agreed_;
  foreign_ = !agreed_ || trace_.profile.era == spec::Era::kStateless;
  if (trace_.http()) foreign_ = false;  // another session may have asked for it
}

// --- what we said

void Pairing::sent(const Item& item) {
  const wire::Frame& frame = trace_.transcript.frames[item.frame];
  if (breaks_framing(trace_, frame)) tear();
  if (item.array != 0 && !arrays_.contains(item.array)) return;  // told as a whole
  if (item.kind == wire::MessageKind::kResponse || item.kind == wire::MessageKind::kErrorResponse) {
    const json::Value* id = item.member("id");
    if (id != nullptr && server_ids_.contains(item.key)) return;
  }
  ask(item, frame);
  if (item.value != nullptr && item.value->is_object()) note_lifecycle(item);
}

// An array whose elements are not told one by one: whatever answers an element answers the array.
void Pairing::ask_array(Asked& ask) {
  ask.whole = true;
  ask.group = array_number(*ask.item);
  const json::Value& array = *ask.item->value;
  if (!ask.expected.open() && !array.items.empty() &&
      spec::batches_in(trace_.profile) == spec::Batches::kServed) {
    arrays_[ask.group].size = array.items.size();
    arrays_[ask.group].prompt = ask.expected.prompt();
    return;
  }
  for (const json::Value& element : array.items) {
    const json::Value* id = spec::readable_id(element);
    if (id == nullptr || (!id->is_string() && !id->is_number())) continue;
    const std::string_view key = keys_.emplace_back(wire::id_key(*id));
    if (is_used(key)) mute(ask);
    by_key_[key].push_back(asks_.size());
  }
  ask.elements = array.items.size();
}

void Pairing::ask(const Item& item, const wire::Frame& frame) {
  const spec::Situation situation{&trace_.profile, trace_.transcript.transport, phase(frame)};
  Asked ask{&item, {}, {}, frame.exchange, item.array};
  ask.expected = item.array != 0 ? spec::expect_element(situation, *item.value)
                                 : spec::expect(situation, *item.text_message, item.text);
  if (item.value != nullptr && item.value->is_array() && item.array == 0) ask_array(ask);
  const json::Value* id = item.value == nullptr ? nullptr : spec::readable_id(*item.value);
  std::string_view key = item.key;
  if (id != nullptr && key.empty()) key = keys_.emplace_back(wire::id_key(*id));  // as "ID"
  if (id != nullptr && (id->is_string() || id->is_number())) ask.key = key;
  const bool again = !ask.key.empty() && (is_used(ask.key) || (item.array != 0 && reused_));
  // Notifications may be looked at behind the requests that follow them.
  const bool cancelled = !ask.key.empty() && cancelled_.contains(ask.key);
  if (again || cancelled || !is_clear(item)) mute(ask);
  unclear_ |= is_marked(ask);  // whoever reads over the mark sees a message we did not read
  if (ask.expected.notification()) return;
  // An id of a kind that no id has names nothing, and yet it may come back.
  const bool odd = id != nullptr && ask.key.empty() && !id->is_null();
  if (odd || !ask.key.empty()) by_key_[key].push_back(asks_.size());
  if (ask.key.empty() || again || ask.expected.may_lose_id()) note_unnamed(ask.exchange);
  asks_.push_back(std::move(ask));
  if (asks_.back().elements == 0) return;
  // Each of its elements may be refused without an id, or none of them.
  Asked element = asks_.back();
  element.whole = false;
  element.muted = true;
  for (std::size_t i = 0; i < std::min(element.elements, kMostPaired); ++i) {
    note_unnamed(element.exchange);
    asks_.push_back(element);
  }
}

// Of two messages with one id in flight nobody can tell which is answered; and MCP lets no client
// use one twice in a session.
bool Pairing::is_used(std::string_view key) {
  reused_ = false;
  if (trace_.earlier_ids.contains(key)) return true;
  const bool before = !used_keys_.insert(key).second;
  if (!before) return false;
  reused_ = true;
  bool open = false;
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    for (const std::size_t i : found->second) {
      if (i >= asks_.size()) return true;  // the other element of one array
      Asked& earlier = asks_[i];
      if (earlier.answered) continue;
      if (!trace_.http() && unnamed_.empty() && is_passed_over(*earlier.item)) {
        note_silence(earlier);
        earlier.answered = true;
      } else {
        mute(earlier);
        open = true;
      }
    }
  }
  return open || trace_.profile.mcp;
}

void Pairing::note_unnamed(int exchange) {
  (trace_.http() ? windows_[exchange].messages : unnamed_).push_back(asks_.size());
}

void Pairing::mute(Asked& ask) {
  ask.muted = true;
  if (const auto array = arrays_.find(ask.group); array != arrays_.end())
    array->second.muted = true;
}

// Its elements follow it and have its number.
int Pairing::array_number(const Item& array) const {
  const Item* next = &array + 1;
  const bool has_elements =
      next < trace_.items.data() + trace_.items.size() && !array.value->items.empty();
  return has_elements ? next->array : -static_cast<int>(array.seq);
}

}  // namespace harness::trace
