// SPDX-License-Identifier: Apache-2.0
// Arrays from the server: only where the revision has them, only in answer to an array where
// JSON-RPC rules, never empty, and with no entry for a notification.
#include <algorithm>
#include <set>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

bool looks_like_array(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\xEF\xBB\xBF");
  return at != std::string_view::npos && text[at] == '[';
}

struct SentArrays {
  std::vector<const Item*> all;
  std::set<std::string_view> ids;  // of elements
  std::size_t unnamed = 0;         // elements that may be answered without an id
  bool unreadable = false;         // a broken array was among them
};

void note_element(const Evidence& evidence, const Item& item, SentArrays& sent) {
  // Under MCP no element is beyond objection, but a sound notification still is none.
  const spec::Situation situation{&evidence.profile, evidence.transcript.transport};
  const bool notification = spec::expect_element(situation, *item.value).notification();
  if (!item.key.empty()) sent.ids.insert(item.key);
  if (notification && !is_hard_to_read(item)) return;
  if (item.kind == wire::MessageKind::kRequest && is_proper(evidence, item)) return;
  ++sent.unnamed;
}

}  // namespace

void judge_batches(const Evidence& evidence, Sink& sink) {
  SentArrays sent;
  bool told = false;
  for (std::size_t i = 0; i < evidence.items.size(); ++i) {
    const Item& item = evidence.items[i];
    if (item.sent) {
      if (item.array != 0) {
        note_element(evidence, item, sent);
      } else if (item.kind == wire::MessageKind::kBatch) {
        sent.all.push_back(&item);
      } else if (item.value == nullptr && looks_like_array(item.text)) {
        sent.all.push_back(&item);
        sent.unreadable = true;
      }
      continue;
    }
    if (item.kind != wire::MessageKind::kBatch || item.array != 0) continue;
    const Breach array{"a single object", "an array: " + shown(item.text), {item.seq}};
    if (from_revision(evidence, "2025-06-18")) {
      if (!told) report_best(evidence, sink, {"mcp.base.batch.not-sent"}, array);
      told = true;
      continue;
    }
    if (item.value->items.empty()) {
      Breach empty{"no empty array", shown(item.text), {item.seq}};
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
                  {"jsonrpc.response.single-object", "tutorial.jsonrpc.message-is-object"}, array);
      continue;
    }
    std::size_t unnamed = 0;
    bool ours = evidence.from_start();  // not a late answer to what came before the slice
    for (const json::Value& element : item.value->items) {
      const wire::MessageKind kind = wire::kind_of(element);
      if (kind != wire::MessageKind::kErrorResponse && kind != wire::MessageKind::kResponse)
        continue;
      const json::Value* id = element.find("id");
      const bool named = id != nullptr && !id->is_null();
      unnamed += !named;
      ours |= named && sent.ids.contains(wire::id_key(*id));
    }
    // An array of one error may refuse the array as a whole.
    const bool refusal = item.value->items.size() == 1;
    if (ours && !sent.unreadable && !refusal && unnamed > sent.unnamed) {
      report_best(evidence, sink,
                  {"jsonrpc.batch.no-response-for-notification",
                   "tutorial.jsonrpc.batch-notifications-unanswered"},
                  {"no entry for a notification",
                   "more replies without id than invalid elements: " + shown(item.text),
                   {sent.all.back()->seq, item.seq}});
    }
  }
}

}  // namespace harness::oracle
