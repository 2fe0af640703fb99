// SPDX-License-Identifier: Apache-2.0
// See traffic.h.
#include "harness/oracle/traffic.h"

#include <algorithm>
#include <cctype>

#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kEasyId = 1000;
constexpr std::size_t kSoonScanned = 4096;  // for each id anew

bool is_called_id(std::string_view name) {
  return name.size() == 2 && (name[0] | 0x20) == 'i' && (name[1] | 0x20) == 'd';
}

// What stands after each "id" and its colon, up to a separator.
std::vector<std::string_view> id_tokens(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!is_called_id(text.substr(at, 2))) continue;
    std::size_t from = at + 2;
    while (from < text.size() &&
           std::string_view("\"' \t\r").find(text[from]) != std::string::npos) {
      ++from;
    }
    if (from >= text.size() || (text[from] != ':' && text[from] != '=')) continue;
    ++from;
    while (from < text.size() && (text[from] == ' ' || text[from] == '\t')) ++from;
    std::size_t to = from;
    while (to < text.size() && std::string_view(",}] \t\r").find(text[to]) == std::string::npos)
      ++to;
    out.push_back(text.substr(from, to - from));
  }
  return out;
}

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

bool may_have_read_id(std::string_view text, const json::Value& id) {
  if (!id.is_string() && !id.is_number()) return true;
  if (text.find("\\u") != std::string_view::npos) return true;  // an escape spells any name
  const std::vector<std::string_view> tokens = id_tokens(text);
  for (std::string_view token : tokens) {
    if (id.is_number()) {
      if (!json::is_number_text(token)) return true;  // 0x10, 01, NaN, "7" cut short …
      if (json::equal_numbers(token, id.text)) return true;
    } else {
      // Escapes, broken UTF-8 and odd quotes may have been read in any way.
      if (token.find('\\') != std::string_view::npos || !is_utf8(token)) return true;
      if (token.find(id.text) != std::string_view::npos || token.empty()) return true;
      if (token.front() != '"') return true;
    }
  }
  // An id with a separator inside is cut short above.
  return !tokens.empty() && id.is_string() && !id.text.empty() &&
         text.find(id.text) != std::string_view::npos;
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
  std::vector<std::string_view> garbage;
  for (const Item& item : evidence.items) {
    if (item.sent && item.value == nullptr) garbage.push_back(item.text);
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
    asked.ambiguous |= std::any_of(garbage.begin(), garbage.end(), [&](std::string_view text) {
      return text.size() <= kSoonScanned && may_have_read_id(text, id);
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
