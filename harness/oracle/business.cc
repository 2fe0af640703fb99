// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/business.h"

#include <map>
#include <string>
#include <vector>

#include "harness/oracle/traffic.h"

namespace harness::oracle {

Business business_at(const Evidence& evidence, const wire::Frame& end) {
  Business business;
  std::map<std::string, std::vector<const Item*>> open;
  for (const Item& item : evidence.items) {
    if (item.seq > end.seq) break;
    if (!item.sent) {
      if (!is_reply(item)) continue;
      business.bad_input = nullptr;
      const json::Value* id = item.member("id");
      if (id == nullptr || id->is_null()) continue;
      auto& waiting = open[std::string(item.key)];
      if (!waiting.empty()) waiting.erase(waiting.begin());
      continue;
    }
    business.last_sent = &item;
    if (!is_proper(evidence, item)) {
      if (item.array == 0 && is_bad_input(evidence, item)) business.bad_input = &item;
      continue;
    }
    if (item.kind == wire::MessageKind::kNotification) {
      const json::Value* cancelled = json::at(*item.value, "/params/requestId");
      if (cancelled != nullptr) open[wire::id_key(*cancelled)].clear();
    } else if (method_of(item) != "subscriptions/listen") {
      open[std::string(item.key)].push_back(&item);
    }
  }
  for (const auto& [key, waiting] : open) {
    for (const Item* item : waiting)
      if (business.unanswered == nullptr || item->seq < business.unanswered->seq)
        business.unanswered = item;
  }
  return business;
}

}  // namespace harness::oracle
