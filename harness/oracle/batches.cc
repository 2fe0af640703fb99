// SPDX-License-Identifier: Apache-2.0
// Arrays from the server: only where the revision has them, only in answer to an array where
// JSON-RPC rules, never empty, and with no entry for a notification.
#include <algorithm>
#include <unordered_set>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

bool looks_like_array(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\xEF\xBB\xBF");
  return at != std::string_view::npos && text[at] == '[';
}

// Whether an element that was sent may be answered without an id.
bool may_lose_id(const Evidence& evidence, const Item& item) {
  // Under MCP no element is beyond objection, but a sound notification still is none.
  const spec::Situation situation{&evidence.profile, evidence.transcript.transport};
  const spec::Expectation expected = spec::expect_element(situation, *item.value);
  if (expected.notification() && !is_hard_to_read(item)) return false;
  const auto is_of_id = [](const auto* rule) {
    return std::string_view(rule->name).starts_with("id-");
  };
  if (std::any_of(expected.found().begin(), expected.found().end(), is_of_id)) return true;
  return item.kind != wire::MessageKind::kRequest || !is_proper(evidence, item);
}

struct SentArrays {
  std::vector<const Item*> all;
  std::vector<const Item*> elements;
  bool unreadable = false;  // a broken array was among them
  // Of the first elements; the others are looked at when somebody asks.
  std::size_t known = 0;
  std::unordered_set<std::string_view> ids;
  std::size_t unnamed = 0;  // that may be answered without an id

  void know_all(const Evidence& evidence) {
    for (; known < elements.size(); ++known) {
      const Item& element = *elements[known];
      if (!element.key.empty()) ids.insert(element.key);
      unnamed += may_lose_id(evidence, element);
    }
  }
};

// More replies without an id than elements that may have one such.
bool has_too_many_unnamed(const Evidence& evidence, SentArrays& sent, const Item& array) {
  const auto is_reply = [](const json::Value& element) {
    const wire::MessageKind kind = wire::kind_of(element);
    return kind == wire::MessageKind::kErrorResponse || kind == wire::MessageKind::kResponse;
  };
  std::size_t unnamed = 0;
  std::vector<const json::Value*> named;
  for (const json::Value& element : array.value->items) {
    if (!is_reply(element)) continue;
    const json::Value* id = element.find("id");
    if (id != nullptr && !id->is_null())
      named.push_back(id);
    else
      ++unnamed;
  }
  if (unnamed == 0) return false;
  sent.know_all(evidence);
  const bool ours =  // not a late answer to what came before the slice
      evidence.from_start() || std::any_of(named.begin(), named.end(), [&](const json::Value* id) {
        return sent.ids.contains(wire::id_key(*id));
      });
  return ours && unnamed > sent.unnamed;
}

}  // namespace

void judge_batches(const Evidence& evidence, Sink& sink) {
  SentArrays sent;
  bool told = false;
  for (std::size_t i = 0; i < evidence.items.size(); ++i) {
    const Item& item = evidence.items[i];
    if (item.sent) {
      if (item.array != 0) {
        sent.elements.push_back(&item);
      } else if (item.kind == wire::MessageKind::kBatch) {
        sent.all.push_back(&item);
      } else if (item.value == nullptr && looks_like_array(item.text)) {
        sent.all.push_back(&item);
        sent.unreadable = true;
      }
      continue;
    }
    if (item.kind != wire::MessageKind::kBatch || item.array != 0) continue;
    const auto array = [&] {
      return Breach{"a single object", "an array: " + shown(item.text), {item.seq}, "array"};
    };
    if (from_revision(evidence, "2025-06-18")) {
      // What answers an array of ours is debatable: nothing says how one is refused.
      Breach breach = array();
      if (!sent.all.empty()) breach.at_most = Severity::kWarn;
      const bool json = evidence.transcript.frames[item.frame].channel == wire::Channel::kHttp;
      if (!told && json && sent.all.empty())
        report_best(evidence, sink, {"mcp.http.json-one-object", "mcp.base.batch.not-sent"},
                    std::move(breach));
      else if (!told)
        report_best(evidence, sink, {"mcp.base.batch.not-sent"}, std::move(breach));
      told = true;
      continue;
    }
    if (item.value->items.empty()) {
      Breach empty{"no empty array", shown(item.text), {item.seq}};
      empty.flaw = "empty";
      if (!sent.all.empty()) empty.frames.insert(empty.frames.begin(), sent.all.back()->seq);
      const bool to_empty = !sent.all.empty() && sent.all.back()->value != nullptr &&
                            sent.all.back()->value->items.empty();
      if (to_empty) {
        report_best(evidence, sink, {"jsonrpc.batch.empty-array", "mcp.base.batch.empty"}, empty);
      } else {
        report_best(evidence, sink, {"jsonrpc.batch.all-notifications"}, empty);
      }
      continue;
    }
    const bool server_may_batch = evidence.profile.revision == "2025-03-26";
    if (sent.all.empty()) {
      if (server_may_batch || !evidence.from_start()) continue;
      report_best(evidence, sink,
                  {"jsonrpc.response.single-object", "tutorial.jsonrpc.message-is-object"},
                  array());
      continue;
    }
    // An array of one error may refuse the array as a whole.
    const bool refusal = item.value->items.size() == 1;
    if (!sent.unreadable && !refusal && has_too_many_unnamed(evidence, sent, item)) {
      report_best(evidence, sink,
                  {"jsonrpc.batch.no-response-for-notification",
                   "tutorial.jsonrpc.batch-notifications-unanswered"},
                  {"no entry for a notification",
                   "more replies without id than invalid elements: " + shown(item.text),
                   {sent.all.back()->seq, item.seq},
                   "unnamed"});
    }
  }
}

}  // namespace harness::oracle
