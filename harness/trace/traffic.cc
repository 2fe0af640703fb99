// SPDX-License-Identifier: Apache-2.0
// See traffic.h.
#include "harness/trace/traffic.h"

#include <algorithm>

#include "harness/spec/model.h"
#include "harness/trace/attribution.h"

namespace harness::trace {
namespace {

constexpr std::size_t kEasyId = 1000;

}  // namespace

bool is_reply(const Item& item) {
  if (item.kind == wire::MessageKind::kResponse || item.kind == wire::MessageKind::kErrorResponse)
    return true;
  return item.kind == wire::MessageKind::kRequest &&
         (item.member("result") != nullptr || item.member("error") != nullptr);
}

bool may_be_earlier(const Trace& trace) {
  return trace.earlier_ids.contains(wire::id_key(json::null()));
}

bool is_hard_to_read(const Item& item) {
  if (spec::is_strenuous(item.text)) return true;
  if (item.text_message != nullptr &&
      (item.text_message->lone_surrogate || !item.text_message->duplicate_name.empty()))
    return true;
  const json::Value* id = item.member("id");
  if (id != nullptr && id->text.size() > kEasyId) return true;
  return item.value != nullptr && spec::is_strenuous(*item.value);
}

bool is_proper(const Trace& trace, const Item& item) {
  if (item.kind != wire::MessageKind::kRequest && item.kind != wire::MessageKind::kNotification)
    return false;
  if (!is_text(item.member("jsonrpc"), "2.0")) return false;
  const json::Value* method = item.member("method");
  if (method == nullptr || !method->is_string()) return false;
  if (item.member("result") != nullptr || item.member("error") != nullptr) return false;
  if (const json::Value* params = item.member("params")) {
    const bool array_allowed = !trace.profile.layered();
    if (!params->is_object() && !(params->is_array() && array_allowed)) return false;
    const json::Value* meta = params->is_object() ? params->find("_meta") : nullptr;
    if (meta != nullptr && !meta->is_object()) return false;
  }
  if (const json::Value* id = item.member("id")) {
    if (!id->is_string() && !(id->is_number() && json::is_integer(*id))) return false;
  }
  // Mcp: an array is no message in most revisions, so nothing inside one is beyond objection.
  if (item.array != 0 && trace.profile.layered()) return false;
  return !is_hard_to_read(item);
}

bool is_bad_input(const Trace& trace, const Item& item) {
  const bool ours =
      item.kind == wire::MessageKind::kResponse || item.kind == wire::MessageKind::kErrorResponse;
  if (ours || is_proper(trace, item)) return false;
  if (item.kind != wire::MessageKind::kBatch || item.array != 0 || trace.profile.layered())
    return true;
  const Item* const end = trace.items.data() + trace.items.size();
  const Item* const first = &item + 1;
  const Item* const behind =
      std::find_if(first, end, [&](const Item& one) { return one.array == 0; });
  return first == behind ||
         std::any_of(first, behind, [&](const Item& one) { return !is_proper(trace, one); });
}

bool breaks_framing(const Trace& trace, const wire::Frame& frame) {
  return frame.unframed && frame.direction == wire::Direction::kSent && !trace.lines() &&
         !trace.http();
}

bool contradicts_body(const wire::Frame& frame) {
  const auto has = [&](std::string_view name) {
    return frame.head && frame.head->header(name) != nullptr;
  };
  return frame.unframed || has("Content-Encoding") || has("Transfer-Encoding");
}

bool may_have_read_id(const Trace& trace, const Item& item, const json::Value& id) {
  const auto [read, fresh] = trace.readable_ids.try_emplace(&item, item.text);
  return read->second.may_be(id);
}

void collect_ids(const json::Value& value, std::vector<const json::Value*>& ids) {
  for (const auto& item : value.items) collect_ids(item, ids);
  for (const auto& member : value.members) {
    if (is_called_id(member.name)) ids.push_back(&member.value);
    collect_ids(member.value, ids);
  }
}

const Requests& sent_requests(const Trace& trace) { return attribution_of(trace); }

const Item* request_of(const Requests& requests, const Item& reply) {
  const Answer& answer = requests.of(reply);
  const bool named = answer.whose == Whose::kRequest || answer.whose == Whose::kAgain ||
                     answer.whose == Whose::kOtherStream;
  return named && answer.to->kind == wire::MessageKind::kRequest ? answer.to : nullptr;
}

std::string_view method_of(const Item& item) {
  const json::Value* method = item.member("method");
  return method != nullptr && method->is_string() ? std::string_view(method->text)
                                                  : std::string_view();
}

// A connection with a handshake is one of an older revision, whatever a later request says.
bool handshake_before(const Trace& trace, const Item& request) {
  if (trace.http() || !has_sent(trace, "initialize")) return false;
  const Requests& requests = sent_requests(trace);
  return std::any_of(trace.items.begin(), trace.items.end(), [&](const Item& item) {
    if (item.sent || item.seq >= request.seq || item.kind != wire::MessageKind::kResponse)
      return false;
    const Item* asked = request_of(requests, item);
    return asked != nullptr && method_of(*asked) == "initialize" && item.error() == nullptr;
  });
}

bool is_stateless_request(const Trace& trace, const Item& request) {
  if (trace.profile.era != spec::Era::kStateless || request.value == nullptr) return false;
  const json::Value* meta = json::at(*request.value, "/params/_meta");
  return meta != nullptr && meta->is_object() &&
         is_text(meta->find("io.modelcontextprotocol/protocolVersion"), trace.profile.revision) &&
         !handshake_before(trace, request);
}

bool has_sent(const Trace& trace, std::string_view method) {
  return std::any_of(trace.items.begin(), trace.items.end(), [&](const Item& item) {
    return item.sent && item.kind == wire::MessageKind::kRequest && method_of(item) == method;
  });
}

const wire::Frame* http_request_of(const Trace& trace, const wire::Frame& frame) {
  if (frame.exchange == 0) return nullptr;
  for (const wire::Frame& other : trace.transcript.frames)
    if (other.direction == wire::Direction::kSent && other.exchange == frame.exchange &&
        other.channel == wire::Channel::kHttp)
      return &other;
  return nullptr;
}

bool is_replay(const Trace& trace, const wire::Frame& frame) {
  const wire::Frame* request = http_request_of(trace, frame);
  return request != nullptr && request->head && request->head->header("Last-Event-ID") != nullptr;
}

bool speaks_of(const Item& reply, const Item& sent) {
  constexpr std::size_t kWord = 4;  // what is shorter stands in other words
  const json::Value* error = reply.error();
  const json::Value* said = error && error->is_object() ? error->find("message") : nullptr;
  const json::Value* method = sent.member("method");
  return said && said->is_string() && method && method->is_string() &&
         method->text.size() >= kWord && said->text.find(method->text) != said->text.npos;
}

}  // namespace harness::trace
