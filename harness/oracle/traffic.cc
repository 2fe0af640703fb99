// SPDX-License-Identifier: Apache-2.0
// See traffic.h.
#include "harness/oracle/traffic.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kEasyId = 1000;
constexpr std::size_t kSoonScanned = 4096;  // for the letters of each id

}  // namespace

std::string shown(std::string_view bytes, std::size_t limit) {
  return "\"" + printable(bytes, limit) + "\"";
}

std::string shown(const json::Value& value, std::size_t limit) {
  return printable(json::write(value), limit);
}

std::string shown_id(const json::Value* id) {
  return id == nullptr ? "no id" : "id " + shown(*id, 60);
}

bool is_reply(const Item& item) {
  if (item.kind == wire::MessageKind::kResponse || item.kind == wire::MessageKind::kErrorResponse) {
    return true;
  }
  return item.kind == wire::MessageKind::kRequest &&
         (item.member("result") != nullptr || item.member("error") != nullptr);
}

bool may_be_earlier(const Evidence& evidence) {
  return evidence.earlier_ids.contains(wire::id_key(json::null()));
}

bool is_hard_to_read(const Item& item) {
  if (spec::is_strenuous(item.text)) return true;
  if (item.text_message != nullptr &&
      (item.text_message->lone_surrogate || !item.text_message->duplicate_name.empty())) {
    return true;
  }
  const json::Value* id = item.member("id");
  if (id != nullptr && id->text.size() > kEasyId) return true;
  return item.value != nullptr && spec::is_strenuous(*item.value);
}

bool is_proper(const Evidence& evidence, const Item& item) {
  if (item.kind != wire::MessageKind::kRequest && item.kind != wire::MessageKind::kNotification) {
    return false;
  }
  if (!is_text(item.member("jsonrpc"), "2.0")) return false;
  const json::Value* method = item.member("method");
  if (method == nullptr || !method->is_string()) return false;
  if (item.member("result") != nullptr || item.member("error") != nullptr) return false;
  if (const json::Value* params = item.member("params")) {
    const bool array_allowed = !evidence.profile.mcp && !evidence.profile.tutorial;
    if (!params->is_object() && !(params->is_array() && array_allowed)) return false;
    const json::Value* meta = params->is_object() ? params->find("_meta") : nullptr;
    if (meta != nullptr && !meta->is_object()) return false;
  }
  if (const json::Value* id = item.member("id")) {
    if (!id->is_string() && !(id->is_number() && json::is_integer(*id))) return false;
  }
  // Mcp: an array is no message in most revisions, so nothing inside one is beyond objection.
  if (item.array != 0 && (evidence.profile.mcp || evidence.profile.tutorial)) return false;
  return !is_hard_to_read(item);
}

bool breaks_framing(const Evidence& evidence, const wire::Frame& frame) {
  return frame.unframed && frame.direction == wire::Direction::kSent && !evidence.lines() &&
         !evidence.http();
}

bool belies_body(const wire::Frame& frame) {
  const auto has = [&](std::string_view name) {
    return frame.head && frame.head->header(name) != nullptr;
  };
  return frame.unframed || has("Content-Encoding") || has("Transfer-Encoding");
}

bool may_have_read_id(const Evidence& evidence, const Item& item, const json::Value& id) {
  const auto [read, fresh] = evidence.readable_ids.try_emplace(&item, item.text);
  return read->second.may_be(id);
}

void collect_ids(const json::Value& value, std::vector<const json::Value*>& ids) {
  for (const auto& item : value.items) collect_ids(item, ids);
  for (const auto& member : value.members) {
    if (is_called_id(member.name)) ids.push_back(&member.value);
    collect_ids(member.value, ids);
  }
}

namespace {

Requests collect_requests(const Evidence& evidence) {
  Requests out;
  std::vector<const Item*> garbage;
  for (const Item& item : evidence.items) {
    if (item.sent && item.value == nullptr) garbage.push_back(&item);
    if (item.key.empty()) continue;
    if (!item.sent) {
      const auto asked = is_reply(item) ? out.find(item.key) : out.end();
      if (asked != out.end() && asked->second.open > 0) --asked->second.open;
      continue;
    }
    SentUnder& asked = out[item.key];
    asked.ambiguous |= ++asked.open > 1;
    if (item.kind == wire::MessageKind::kRequest) asked.requests.push_back(&item);
  }
  for (auto& [key, asked] : out) {
    if (asked.requests.empty()) continue;
    const json::Value& id = *asked.requests.front()->member("id");
    asked.ambiguous |= std::any_of(garbage.begin(), garbage.end(), [&](const Item* item) {
      return item->text.size() <= kSoonScanned && may_have_read_id(evidence, *item, id);
    });
  }
  return out;
}

}  // namespace

const Requests& sent_requests(const Evidence& evidence) {
  if (!evidence.requests) evidence.requests = collect_requests(evidence);
  return *evidence.requests;
}

const Item* request_of(const Requests& requests, const Item& reply) {
  const auto found = requests.find(reply.key);
  if (found == requests.end() || found->second.ambiguous) return nullptr;
  const Item* latest = nullptr;
  for (const Item* request : found->second.requests) {
    if (request->seq < reply.seq) latest = request;
  }
  return latest;
}

std::string_view method_of(const Item& item) {
  const json::Value* method = item.member("method");
  return method != nullptr && method->is_string() ? std::string_view(method->text)
                                                  : std::string_view();
}

// A connection with a handshake is one of an older revision, whatever a later request says.
bool handshake_before(const Evidence& evidence, const Item& request) {
  if (evidence.http() || !has_sent(evidence, "initialize")) return false;
  const Requests& requests = sent_requests(evidence);
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    if (item.sent || item.seq >= request.seq || item.kind != wire::MessageKind::kResponse)
      return false;
    const Item* asked = request_of(requests, item);
    return asked != nullptr && method_of(*asked) == "initialize" && item.member("error") == nullptr;
  });
}

bool is_stateless_request(const Evidence& evidence, const Item& request) {
  if (evidence.profile.era != spec::Era::kStateless || request.value == nullptr) return false;
  const json::Value* meta = json::at(*request.value, "/params/_meta");
  return meta != nullptr && meta->is_object() &&
         is_text(meta->find("io.modelcontextprotocol/protocolVersion"),
                 evidence.profile.revision) &&
         !handshake_before(evidence, request);
}

bool has_sent(const Evidence& evidence, std::string_view method) {
  return std::any_of(evidence.items.begin(), evidence.items.end(), [&](const Item& item) {
    return item.sent && item.kind == wire::MessageKind::kRequest && method_of(item) == method;
  });
}

const wire::Frame* http_request_of(const Evidence& evidence, const wire::Frame& frame) {
  if (frame.exchange == 0) return nullptr;
  for (const wire::Frame& other : evidence.transcript.frames) {
    if (other.direction == wire::Direction::kSent && other.exchange == frame.exchange &&
        other.channel == wire::Channel::kHttp) {
      return &other;
    }
  }
  return nullptr;
}

bool is_replay(const Evidence& evidence, const wire::Frame& frame) {
  const wire::Frame* request = http_request_of(evidence, frame);
  return request != nullptr && request->head && request->head->header("Last-Event-ID") != nullptr;
}

}  // namespace harness::oracle
