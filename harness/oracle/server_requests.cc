// SPDX-License-Identifier: Apache-2.0
// Requests the server sends: ids and progress tokens as MCP wants them, and when they may be sent.
// Their shape is for the oracle `shapes`, what they ask for `asks`.
#include <map>
#include <set>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

bool is_server_request(const Item& item) {
  return !item.sent && item.kind == wire::MessageKind::kRequest && !is_reply(item) &&
         method_of(item).substr(0, 14) != "notifications/";
}

void judge_id(const Evidence& evidence, Sink& sink, const Item& item,
              std::set<std::string_view>& ids) {
  const json::Value& id = *item.member("id");
  if (!id.is_string() && !(id.is_number() && json::is_integer(id))) {
    report_best(evidence, sink, {"mcp.base.server-request-id"},
                {"a string or an integer as id of a request",
                 shown_id(&id) + " in " + shown(item.text),
                 {item.seq}});
    return;
  }
  if (is_replay(evidence, evidence.transcript.frames[item.frame])) return;
  if (!ids.insert(item.key).second) {
    report_best(
        evidence, sink, {"mcp.base.server-request-id-unique", "tutorial.jsonrpc.id-unique"},
        {"a new id for each request", shown_id(&id) + " again in " + shown(item.text), {item.seq}});
  }
}

// A request of the server may have been given up by it after this long, and its token be free.
constexpr std::int64_t kSurelyActiveUs = 1000000;

// The tokens under which the server wants to hear of our progress.
class TokenJudge {
 public:
  TokenJudge(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {}

  void request(const Item& item) {
    const json::Value* token = json::at(*item.value, "/params/_meta/progressToken");
    if (token == nullptr || is_replay(evidence_, frame_of(item))) return;
    if (!token->is_string() && !(token->is_number() && json::is_integer(*token))) {
      breach(item, "a string or an integer as progressToken", {item.seq}, "kind");
      return;
    }
    const std::string key = wire::id_key(*token);
    const auto earlier = active_.find(key);
    if (earlier != active_.end() &&
        frame_of(item).time_us - frame_of(*earlier->second).time_us < kSurelyActiveUs) {
      breach(item, "a progressToken that no other active request has",
             {earlier->second->seq, item.seq}, "taken");
    }
    active_[key] = &item;
  }

  // A response of ours, or the server's word that it wants none any more.
  void over(const json::Value* id) {
    if (id == nullptr) return;
    std::erase_if(active_, [&](const auto& one) { return one.second->key == wire::id_key(*id); });
  }

 private:
  const wire::Frame& frame_of(const Item& item) const {
    return evidence_.transcript.frames[item.frame];
  }
  void breach(const Item& item, std::string expected, std::vector<std::uint64_t> frames,
              const char* flaw) {
    report_best(evidence_, sink_, {"mcp.progress.server-token-valid"},
                {std::move(expected), shown(item.text), std::move(frames), flaw});
  }

  const Evidence& evidence_;
  Sink& sink_;
  std::map<std::string, const Item*> active_;  // by token
};

// Between the answer to initialize and our notifications/initialized only pings are welcome; a
// session on which there was another initialize before may still send what that one brought about.
void judge_early(const Evidence& evidence, Sink& sink) {
  if (!evidence.from_start()) return;
  bool began = false;
  for (const Item& item : evidence.items) {
    if (item.sent) {
      if (method_of(item) == "notifications/initialized") return;
      if (method_of(item) == "initialize") began = true;
      continue;
    }
    if (!began || !is_server_request(item) || method_of(item) == "ping") continue;
    report_best(
        evidence, sink, {"mcp.lifecycle.no-server-requests-before-initialized"},
        {"only ping requests before notifications/initialized", shown(item.text), {item.seq}});
    return;
  }
}

}  // namespace

void judge_server_requests(const Evidence& evidence, Sink& sink) {
  const auto& profile = evidence.profile;
  if (!profile.mcp && !profile.tutorial) return;
  const bool stateless = profile.era == spec::Era::kStateless;
  // A server of both eras may treat a client that sent initialize as an old one.
  if (stateless && has_sent(evidence, "initialize")) return;
  std::set<std::string_view> ids;
  TokenJudge tokens(evidence, sink);
  for (const Item& item : evidence.items) {
    if (item.sent && is_reply(item)) tokens.over(item.member("id"));
    if (!item.sent && method_of(item) == "notifications/cancelled") {
      tokens.over(json::at(*item.value, "/params/requestId"));
    }
    if (!is_server_request(item)) continue;
    if (stateless) {
      report_best(evidence, sink,
                  {"mcp.stateless.no-server-requests", "mcp.requester.no-requests-at-all"},
                  {"no requests from the server", shown(item.text), {item.seq}});
      continue;
    }
    judge_id(evidence, sink, item, ids);
    if (!profile.mcp) continue;
    tokens.request(item);
  }
  if (profile.mcp && !stateless) judge_early(evidence, sink);
}

}  // namespace harness::oracle
