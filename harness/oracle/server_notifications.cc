// SPDX-License-Identifier: Apache-2.0
// Notifications the server sends: without id, and only what the server declared or was asked for.
// Their shape is for the oracle `shapes`.
#include <algorithm>
#include <set>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/protocol.h"

namespace harness::oracle {
namespace {

bool is_notification(const Item& item) {
  if (item.sent || is_reply(item)) return false;
  return item.kind == wire::MessageKind::kNotification ||
         (item.kind == wire::MessageKind::kRequest &&
          method_of(item).substr(0, 14) == "notifications/");
}

class NotificationJudge {
 public:
  NotificationJudge(const Evidence& evidence, Sink& sink, const Item& item)
      : evidence_(evidence), sink_(sink), item_(item), method_(method_of(item)) {}

  void envelope() {
    if (item_.member("id") == nullptr) return;
    breach({"mcp.base.server-notification-no-id", "tutorial.jsonrpc.server-notification-no-id"},
           "a notification without id");
  }

  // Whether the server said it would send this.
  void capability() {
    const json::Value& own = evidence_.server_capabilities;
    if (!own.is_object()) return;
    const std::string needed = undeclared(own);
    if (needed.empty()) return;
    const std::string expected = "no such notification without the capability " + needed;
    if (method_ == "notifications/message") {
      breach({"mcp.lifecycle.only-own-capabilities-strict", "mcp.capabilities.logging-declared"},
             expected, needed);
    } else {
      breach({"mcp.lifecycle.only-own-capabilities-strict", "mcp.lifecycle.only-own-capabilities",
              needs_declaration()},
             expected, needed);
    }
  }

 private:
  void breach(std::initializer_list<const char*> requirements, std::string expected,
              std::string flaw = "") {
    report_best(evidence_, sink_, requirements,
                {std::move(expected), shown(item_.text), {item_.seq}, std::move(flaw)});
  }

  // The capability the method needs and the server did not declare, "" when all is well.
  std::string undeclared(const json::Value& own) const {
    constexpr std::string_view kServer = "server.";
    const spec::MessageRow* row = evidence_.profile.protocol().find(method_, evidence_.profile);
    std::string_view needed = row == nullptr ? "" : row->capability_in(evidence_.profile);
    if (!needed.starts_with(kServer)) return {};
    needed.remove_prefix(kServer.size());
    const std::size_t dot = needed.find('.');
    const json::Value* feature = own.find(needed.substr(0, dot));
    if (dot == std::string_view::npos) return feature == nullptr ? std::string(needed) : "";
    const json::Value* set = feature != nullptr && feature->is_object()
                                 ? feature->find(needed.substr(dot + 1))
                                 : nullptr;
    return set != nullptr && set->is_boolean() && set->boolean ? "" : std::string(needed);
  }

  const char* needs_declaration() const {
    if (method_ == "notifications/tools/list_changed")
      return "mcp.tools.list-changed-needs-declaration";
    if (method_ == "notifications/prompts/list_changed")
      return "mcp.prompts.list-changed-needs-declaration";
    if (method_ == "notifications/resources/list_changed")
      return "mcp.resources.list-changed-needs-declaration";
    return "mcp.lifecycle.only-own-capabilities";
  }

  const Evidence& evidence_;
  Sink& sink_;
  const Item& item_;
  const std::string_view method_;
};

// What only 2026-07-28 forbids: messages nobody asked for.
class StatelessJudge {
 public:
  explicit StatelessJudge(const Evidence& evidence)
      : evidence_(evidence), requests_(sent_requests(evidence)) {
    for (const Item& item : evidence.items) {
      if (!item.sent || item.value == nullptr) continue;
      const json::Value* level =
          json::at(*item.value, "/params/_meta/io.modelcontextprotocol~1logLevel");
      if (level != nullptr || item.kind == wire::MessageKind::kMalformed) log_asked_ = true;
      if (method_of(item) == "subscriptions/listen") {
        listens_ = true;
        listen_ids_.insert(item.key);
      }
    }
  }

  // Follows which requests with a logLevel, and which without, are under way.
  void note(const Item& item) {
    if (item.sent && item.kind == wire::MessageKind::kRequest) {
      const bool asks =
          json::at(*item.value, "/params/_meta/io.modelcontextprotocol~1logLevel") != nullptr;
      (asks ? asking_ : others_).insert(&item);
      any_asked_ |= asks;
    } else if (item.sent && item.kind == wire::MessageKind::kMalformed) {
      doubtful_ = true;  // something of it may be under way
    } else if (is_reply(item)) {
      const Item* request = request_of(requests_, item);
      if (request == nullptr) doubtful_ = true;
      asking_.erase(request);
      others_.erase(request);
    }
  }

  void judge(Sink& sink, const Item& item) {
    const std::string_view method = method_of(item);
    if (method == "notifications/message" && any_asked_ && !doubtful_ && asking_.empty()) {
      // Of a subscription it is for the oracle of those.
      const bool subscribed = listens_;
      if (!others_.empty() && !subscribed) {
        report_best(evidence_, sink,
                    {"mcp.logging.no-message-without-log-level", "mcp.meta.log-level-absent"},
                    {"no log message while only requests without logLevel are in progress",
                     shown(item.text),
                     {item.seq},
                     "remembered"});
      } else if (others_.empty()) {
        report_best(
            evidence_, sink, {"mcp.logging.before-final-response"},
            {"log messages of a request before its response", shown(item.text), {item.seq}});
      }
    }
    const bool changed = method.size() > 13 && method.substr(method.size() - 13) == "/list_changed";
    if (method == "notifications/message" && !log_asked_) {
      report_best(evidence_, sink,
                  {"mcp.logging.no-message-without-log-level", "mcp.meta.log-level-absent"},
                  {"no log message for requests without logLevel", shown(item.text), {item.seq}});
    } else if (changed && !listens_ && evidence_.from_start()) {
      const char* clause = method == "notifications/tools/list_changed"
                               ? "mcp.tools.list-changed-needs-listen"
                           : method == "notifications/prompts/list_changed"
                               ? "mcp.prompts.list-changed-needs-listen"
                               : "mcp.resources.list-changed-needs-listen";
      report_best(evidence_, sink, {clause},
                  {"no list_changed without a listen stream", shown(item.text), {item.seq}});
    } else if (method == "notifications/cancelled") {
      cancelled(sink, item);
    }
  }

 private:
  void cancelled(Sink& sink, const Item& item) {
    const json::Value* id = json::at(*item.value, "/params/requestId");
    if (id == nullptr) return;
    const std::string key = wire::id_key(*id);
    if (listen_ids_.contains(key) || evidence_.earlier_ids.contains(key)) return;
    report_best(
        evidence_, sink, {"mcp.cancel.server-sent-listen-only"},
        {"notifications/cancelled only for a listen request", shown(item.text), {item.seq}});
  }

  const Evidence& evidence_;
  const Requests& requests_;
  bool log_asked_ = false;
  bool listens_ = false;
  bool any_asked_ = false, doubtful_ = false;  // so far
  std::set<const Item*> asking_, others_;      // requests under way, with logLevel and without
  std::set<std::string_view> listen_ids_;
};

// Which requests of the server it may cancel: those it sent and had no answer to.
class CancelJudge {
 public:
  explicit CancelJudge(const Evidence& evidence) : evidence_(evidence) {
    for (const Item& item : evidence.items) {
      if (item.kind != wire::MessageKind::kRequest) continue;
      (item.sent ? ours_ : theirs_).insert(item.key);
    }
  }

  void judge(Sink& sink, const Item& item) const {
    const json::Value* id = json::at(*item.value, "/params/requestId");
    if (id == nullptr) return;
    const std::string key = wire::id_key(*id);
    if (theirs_.contains(key)) return;
    // Over HTTP a request may have been meant for a stream nobody opened; then this one is not
    // about the request in whose stream it comes.
    if (evidence_.http() && !ours_.contains(key)) return on_stream(sink, item);
    if (!evidence_.from_start()) return;
    report_best(
        evidence_, sink, {"mcp.cancel.server-sent-own-requests-only"},
        {"the requestId of one of the server's own requests", shown(item.text), {item.seq}});
  }

 private:
  void on_stream(Sink& sink, const Item& item) const {
    const auto& frames = evidence_.transcript.frames;
    const int exchange = frames[item.frame].exchange;
    const bool posted =
        std::any_of(evidence_.items.begin(), evidence_.items.end(), [&](const Item& one) {
          return one.sent && one.kind == wire::MessageKind::kRequest && exchange != 0 &&
                 frames[one.frame].exchange == exchange;
        });
    if (!posted) return;
    report_best(evidence_, sink, {"mcp.http.stream-messages-related"},
                {"on the stream of a request, only a cancellation of a request sent there",
                 shown(item.text),
                 {item.seq}});
  }

  const Evidence& evidence_;
  std::set<std::string_view> ours_, theirs_;
};

}  // namespace

void judge_server_notifications(const Evidence& evidence, Sink& sink) {
  const auto& profile = evidence.profile;
  if (!profile.mcp && !profile.tutorial) return;
  const bool stateless = profile.era == spec::Era::kStateless;
  const bool legacy = stateless && has_sent(evidence, "initialize");
  StatelessJudge unasked(evidence);
  const CancelJudge cancels(evidence);
  for (const Item& item : evidence.items) {
    if (stateless && item.value != nullptr) unasked.note(item);
    if (!is_notification(item)) continue;
    NotificationJudge judge(evidence, sink, item);
    judge.envelope();
    if (!profile.mcp || legacy) continue;
    judge.capability();
    if (stateless)
      unasked.judge(sink, item);
    else if (method_of(item) == "notifications/cancelled")
      cancels.judge(sink, item);
  }
}

}  // namespace harness::oracle
