// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/live.h"

#include "harness/json/number.h"
#include "harness/trace/readable_ids.h"
#include "harness/trace/traffic.h"

namespace harness::trace {
namespace {

constexpr std::int64_t kParseError = -32700;

// Of text that is not JSON, ids are looked for in its beginning.
constexpr std::size_t kMostRead = 4096;

// What a notification names: the request that opened its subscription.
constexpr const char* kSubscription = "/params/_meta/io.modelcontextprotocol~1subscriptionId";

const json::Value* member(const json::Value* value, std::string_view name) {
  return value != nullptr && value->is_object() ? value->find(name) : nullptr;
}

// The key of the id that reads the same and has the other type, as 1 does for "1"; "" without one.
std::string retyped(const json::Value* id) {
  if (!is_usable_id(id)) return "";
  json::Value other = *id;
  other.kind = id->is_string() ? json::Kind::kNumber : json::Kind::kString;
  if (id->is_string() && !json::is_number_text(id->text)) return "";
  return wire::id_key(other);
}

}  // namespace

bool is_usable_id(const json::Value* id) {
  return id != nullptr && (id->is_string() || id->is_number());
}

void LiveAttribution::note_loose(const std::string& key) {
  if (earlier_.insert(key)) loose_.insert(key);
}

void LiveAttribution::note_asked(const json::Value& message) {
  if (const json::Value* id = member(&message, "id"); is_usable_id(id))
    ids_.insert_or_assign(wire::id_key(*id), row_);
  const json::Value* token = member(member(member(&message, "params"), "_meta"), "progressToken");
  if (is_usable_id(token)) tokens_.insert_or_assign(wire::id_key(*token), row_);
  const json::Value* method = member(&message, "method");
  if (!is_text(method, "notifications/cancelled")) return;
  const json::Value* cancelled = json::at(message, "/params/requestId");
  if (is_usable_id(cancelled)) cancelled_.insert(wire::id_key(*cancelled));
}

void LiveAttribution::sent(const wire::Message& message, std::string_view text, bool unframed) {
  notified_ |= message.kind == wire::MessageKind::kNotification;
  // What has the id of a response of ours answers nothing else.
  const bool response = message.is_reply() && is_usable_id(message.id());
  if (response && !ids_.contains(message.key)) earlier_.insert(message.key);
  note_asked(message.value);
  // May be read or not: no oracle asks for a reply.
  if (unframed && is_usable_id(message.id())) note_loose(message.key);
  if (message.kind == wire::MessageKind::kBatch)
    for (const json::Value& item : message.value.items) note_asked(item);
  if (message.is_json) return;
  for (const std::string& key : ReadableIds(text.substr(0, kMostRead)).keys()) note_loose(key);
}

void LiveAttribution::begin_slice() {
  for (const auto& [key, row] : ids_) earlier_.insert(key);
  row_ = 0;
  ids_.clear();
  tokens_.clear();
  exchanges_.clear();
  came_.clear();
  loose_.clear();
  reserved_.clear();
  given_up_.clear();
}

// An array that names what was asked before this slice, and nothing that was asked in it.
bool LiveAttribution::answers_earlier(const wire::Message& array) const {
  bool earlier = false;
  for (const json::Value& item : array.value.items) {
    const json::Value* id = member(&item, "id");
    if (!is_usable_id(id)) continue;
    const std::string key = wire::id_key(*id);
    if (ids_.contains(key)) return false;
    earlier |= asked_before(key);
  }
  return earlier;
}

Fit LiveAttribution::fit(const Incoming& incoming, const Question& question) const {
  const wire::Message& message = *incoming.message;
  const bool batch = message.kind == wire::MessageKind::kBatch;
  const bool reply = message.is_reply() || batch;
  if (question.exchange != 0) {
    const bool malformed = message.is_json && message.kind == wire::MessageKind::kMalformed;
    const bool own = incoming.exchange == question.exchange;
    return own && (reply || malformed) ? Fit::kOwn : Fit::kNo;
  }
  // HTTP+SSE: the body that came with the refusal of a POST.
  if (incoming.exchange != 0) return incoming.exchange == question.post ? Fit::kOwn : Fit::kNo;
  if (!reply) return Fit::kNo;
  const json::Value* id = message.id();
  const bool named = id != nullptr && !id->is_null();
  if (named && message.key == question.id_key) return Fit::kOwn;
  if (!named && answers_notes_ && message.kind == wire::MessageKind::kResponse &&
      !question.id_key.empty())
    return Fit::kNo;
  if (batch && answers_earlier(message)) return Fit::kNo;
  if (batch && question.is_batch) return Fit::kOwn;
  if (named && message.key == stand_in_ && !reserved_.contains(message.key)) return Fit::kPerhaps;
  // A server that fills in the id it read last refuses so what it cannot read.
  const json::Value* code = json::at(message.value, "/error/code");
  if (named && incoming.second && !question.is_json && code &&
      json::as_integer(*code) == kParseError)
    return Fit::kPerhaps;
  const std::string other = retyped(id);
  const bool another = named && (incoming.again || reserved_.contains(message.key) ||
                                 given_up_.contains(message.key) || asked_before(message.key) ||
                                 (other != question.id_key && ids_.contains(other)));
  return another ? Fit::kNo : Fit::kPerhaps;
}

bool reads_as_own(const Incoming& incoming, const Question& question) {
  return !question.id_key.empty() && retyped(incoming.message->id()) == question.id_key;
}

bool LiveAttribution::came_again(const std::string& key, std::string_view text) {
  if (!ids_.contains(key)) return false;
  const std::size_t hash = std::hash<std::string_view>()(text);
  const auto [first, fresh] = came_.try_emplace(key, hash);
  return !fresh && first->second == hash;
}

RowOf LiveAttribution::row_of(const Incoming& incoming) const {
  if (const auto found = exchanges_.find(incoming.exchange); found != exchanges_.end())
    return row_of(found->second);
  const wire::Message& message = *incoming.message;
  if (message.kind == wire::MessageKind::kNotification) {
    const json::Value* token = member(member(&message.value, "params"), "progressToken");
    const auto found = token ? tokens_.find(wire::id_key(*token)) : tokens_.end();
    if (found != tokens_.end()) return row_of(found->second);
  }
  const json::Value* named =
      message.is_reply() ? message.id() : json::at(message.value, kSubscription);
  if (!is_usable_id(named)) return RowOf::kUnsaid;
  const std::string key = wire::id_key(*named);
  if (const auto found = ids_.find(key); found != ids_.end()) return row_of(found->second);
  return asked_before(key) ? RowOf::kEarlier : RowOf::kUnsaid;
}

// Who kept one id keeps them all: what comes under another answers something else. A result without
// an id answers no broken text, of which errors are told so.
bool LiveAttribution::may_pass(const Incoming& incoming, const Question& question) const {
  const bool unnamed = incoming.key == "null";
  const bool result = unnamed && incoming.message->kind == wire::MessageKind::kResponse;
  return (!keeps_ids_ || result) && !used(incoming.key) && (!unnamed || question.is_json);
}

bool LiveAttribution::takes(const Incoming& incoming, const Question& question) {
  if (!incoming.message->is_reply()) return false;
  const Fit found = fit(incoming, question);
  const bool by_id = incoming.exchange == 0 && question.exchange == 0;
  if (found == Fit::kOwn) keeps_ids_ |= by_id;
  if (found != Fit::kPerhaps) return found == Fit::kOwn;
  if (!may_pass(incoming, question)) return false;
  alters_ids_ = true;
  retypes_ids_ = reads_as_own(incoming, question);
  return true;
}

}  // namespace harness::trace
