// SPDX-License-Identifier: Apache-2.0
// Notifications the server sends: without id, in their shape, and only what the server declared or
// was asked for.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/log_level.h"

namespace harness::oracle {
namespace {

using json::Kind;

struct Method {
  std::string_view name;
  std::string_view from;
  std::string_view to;
};

constexpr std::array<Method, 11> kMethods = {{
    {"notifications/cancelled", "2024-11-05", "9"},
    {"notifications/progress", "2024-11-05", "9"},
    {"notifications/message", "2024-11-05", "9"},
    {"notifications/tools/list_changed", "2024-11-05", "9"},
    {"notifications/prompts/list_changed", "2024-11-05", "9"},
    {"notifications/resources/list_changed", "2024-11-05", "9"},
    {"notifications/resources/updated", "2024-11-05", "9"},
    {"notifications/elicitation/complete", "2025-11-25", "2025-11-25"},
    {"notifications/tasks/status", "2025-11-25", "2025-11-25"},
    {"notifications/subscriptions/acknowledged", "2026-07-28", "9"},
    {"notifications/tasks", "2026-07-28", "9"},
}};

bool is_notification(const Item& item) {
  if (item.sent || is_reply(item)) return false;
  return item.kind == wire::MessageKind::kNotification ||
         (item.kind == wire::MessageKind::kRequest &&
          method_of(item).substr(0, 14) == "notifications/");
}

class NotificationJudge {
 public:
  NotificationJudge(const Evidence& evidence, Sink& sink, const Item& item)
      : evidence_(evidence),
        sink_(sink),
        item_(item),
        method_(method_of(item)),
        params_(item.member("params")) {}

  void envelope() {
    if (item_.member("id") != nullptr) {
      breach({"mcp.base.server-notification-no-id", "tutorial.jsonrpc.server-notification-no-id"},
             "a notification without id");
    }
    if (!evidence_.profile.mcp) return;
    if (item_.member("method") != nullptr && !item_.member("method")->is_string()) {
      breach({"mcp.base.server-notification-shape"}, "a string as method");
      return;
    }
    if (params_ != nullptr && !params_->is_object()) {
      breach({"mcp.base.server-notification-shape"}, "an object as params",
             params_->is_null() ? Severity::kWarn : Severity::kFail);
      return;
    }
    members();
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
             expected);
    } else {
      breach({"mcp.lifecycle.only-own-capabilities-strict", "mcp.lifecycle.only-own-capabilities",
              needs_declaration()},
             expected);
    }
  }

 private:
  void breach(std::initializer_list<const char*> requirements, std::string expected,
              Severity at_most = Severity::kFail) {
    report_best(evidence_, sink_, requirements,
                {std::move(expected), shown(item_.text), {item_.seq}, at_most});
  }

  const json::Value* param(std::string_view name) const {
    return params_ == nullptr ? nullptr : params_->find(name);
  }
  bool has(std::string_view name, Kind kind) const {
    return param(name) != nullptr && param(name)->kind == kind;
  }
  // A token may be ours, given back as it was: whoever reads numbers as doubles takes 1e-400 for 0.
  bool has_token(std::string_view name) const {
    if (!has(name, Kind::kNumber)) return has(name, Kind::kString);
    const double value = json::as_double(*param(name));
    return value == std::trunc(value);
  }

  void members() {
    if (method_ == "notifications/message") return log_message();
    if (method_ == "notifications/progress") return progress();
    if (method_ == "notifications/resources/updated") {
      if (!has("uri", Kind::kString))
        breach({"mcp.resources.updated-uri"}, "a string uri in params");
    } else if (method_ == "notifications/cancelled") {
      const bool optional = evidence_.profile.revision == "2025-11-25";
      if (!has_token("requestId") && !(optional && param("requestId") == nullptr)) {
        breach({"mcp.cancel.server-sent-shape"}, "a string or integer requestId in params");
      } else if (param("reason") != nullptr && !has("reason", Kind::kString)) {
        breach({"mcp.cancel.server-sent-shape"}, "a string as reason",
               param("reason")->is_null() ? Severity::kWarn : Severity::kFail);
      }
    } else if (!known()) {
      // Extensions may define notifications; one of another revision is more likely a mistake.
      const bool elsewhere = std::any_of(kMethods.begin(), kMethods.end(),
                                         [&](const Method& m) { return m.name == method_; });
      breach({"mcp.base.server-notification-shape"}, "a notification of the revision",
             elsewhere ? Severity::kWarn : Severity::kInfo);
    } else if (method_ == "notifications/elicitation/complete" &&
               !has("elicitationId", Kind::kString)) {
      breach({"mcp.base.server-notification-shape"}, "a string elicitationId in params");
    } else if (method_ == "notifications/tasks/status" &&
               !(has("taskId", Kind::kString) && has("status", Kind::kString))) {
      breach({"mcp.base.server-notification-shape"}, "string taskId and status in params");
    } else if (method_ == "notifications/subscriptions/acknowledged" &&
               !has("notifications", Kind::kObject)) {
      breach({"mcp.base.server-notification-shape"}, "an object notifications in params");
    }
  }

  bool known() const {
    const std::string& revision = evidence_.profile.revision;
    return std::any_of(kMethods.begin(), kMethods.end(), [&](const Method& m) {
      return m.name == method_ && revision >= m.from && revision <= m.to;
    });
  }

  void log_message() {
    const json::Value* level = param("level");
    const bool known_level =
        level != nullptr && level->is_string() && spec::is_log_level(level->text);
    if (!known_level) breach({"mcp.logging.message-level"}, "one of the eight levels in params");
    if (param("data") == nullptr) {
      breach({"mcp.logging.message-data-present"}, "data in params");
    }
    if (param("logger") != nullptr && !has("logger", Kind::kString)) {
      breach({"mcp.logging.message-logger-string"}, "a string as logger",
             param("logger")->is_null() ? Severity::kWarn : Severity::kFail);
    }
  }

  void progress() {
    if (!has_token("progressToken") || !has("progress", Kind::kNumber)) {
      // A token of an odd type may be ours, given back.
      const bool odd = param("progressToken") != nullptr && has("progress", Kind::kNumber);
      breach({"mcp.progress.shape"}, "progressToken and a number progress in params",
             odd ? Severity::kWarn : Severity::kFail);
    } else if (param("total") != nullptr && !has("total", Kind::kNumber)) {
      breach({"mcp.progress.shape"}, "a number as total",
             param("total")->is_null() ? Severity::kWarn : Severity::kFail);
    } else if (param("message") != nullptr && !has("message", Kind::kString)) {
      breach({"mcp.progress.shape"}, "a string as message",
             param("message")->is_null() ? Severity::kWarn : Severity::kFail);
    } else if (param("message") != nullptr && param("message")->text.empty()) {
      breach({"mcp.progress.message-readable"}, "words as message, or no message");
    }
  }

  // The capability the method needs and the server did not declare, "" when all is well.
  std::string undeclared(const json::Value& own) const {
    const auto flag = [&](const char* feature, const char* name) {
      const json::Value* value = own.find(feature);
      const json::Value* set = value != nullptr && value->is_object() ? value->find(name) : nullptr;
      return set != nullptr && set->is_boolean() && set->boolean
                 ? std::string()
                 : std::string(feature) + "." + name;
    };
    if (method_ == "notifications/tools/list_changed") return flag("tools", "listChanged");
    if (method_ == "notifications/prompts/list_changed") return flag("prompts", "listChanged");
    if (method_ == "notifications/resources/list_changed") return flag("resources", "listChanged");
    if (method_ == "notifications/resources/updated") return flag("resources", "subscribe");
    if (method_ == "notifications/message" && own.find("logging") == nullptr) return "logging";
    return {};
  }

  const char* needs_declaration() const {
    if (method_ == "notifications/tools/list_changed") {
      return "mcp.tools.list-changed-needs-declaration";
    }
    if (method_ == "notifications/prompts/list_changed") {
      return "mcp.prompts.list-changed-needs-declaration";
    }
    if (method_ == "notifications/resources/list_changed") {
      return "mcp.resources.list-changed-needs-declaration";
    }
    return "mcp.lifecycle.only-own-capabilities";
  }

  const Evidence& evidence_;
  Sink& sink_;
  const Item& item_;
  const std::string_view method_;
  const json::Value* params_;
};

// What only 2026-07-28 forbids: messages nobody asked for.
class StatelessJudge {
 public:
  explicit StatelessJudge(const Evidence& evidence) : evidence_(evidence) {
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

  void judge(Sink& sink, const Item& item) {
    const std::string_view method = method_of(item);
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
  bool log_asked_ = false;
  bool listens_ = false;
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
    // Over HTTP a request may have been meant for a stream nobody opened.
    if (!evidence_.from_start() || (evidence_.http() && !ours_.contains(key))) return;
    report_best(evidence_, sink, {"mcp.cancel.server-sent-own-requests-only"},
                {"the requestId of a request of the server's own", shown(item.text), {item.seq}});
  }

 private:
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
    if (!is_notification(item)) continue;
    NotificationJudge judge(evidence, sink, item);
    judge.envelope();
    if (!profile.mcp || legacy) continue;
    judge.capability();
    if (stateless) {
      unasked.judge(sink, item);
    } else if (method_of(item) == "notifications/cancelled") {
      cancels.judge(sink, item);
    }
  }
}

}  // namespace harness::oracle
