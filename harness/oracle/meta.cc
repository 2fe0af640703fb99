// SPDX-License-Identifier: Apache-2.0
// _meta in what the server sends: an object, with keys in the grammar of the revision, no reserved
// prefix on keys of its own, and the values this revision defines in their shape. Data of tools
// and users may hold a _meta of its own and is not looked into.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "harness/base/ascii.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

constexpr std::string_view kServerInfo = "io.modelcontextprotocol/serverInfo";

// Keys with a reserved prefix that some revision or official extension defines.
constexpr std::array<std::string_view, 9> kDefined = {
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/logLevel",
    kServerInfo,
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/related-task",
    "io.modelcontextprotocol/model-immediate-response",
    "io.modelcontextprotocol/tasks",
};

// Members whose content belongs to somebody else.
constexpr std::array<std::string_view, 12> kOpaque = {
    "structuredContent", "arguments",    "data",     "input",      "inputSchema", "outputSchema",
    "requestedSchema",   "experimental", "metadata", "extensions", "error",       "properties"};

bool is_label(std::string_view label) {
  if (label.empty() || !ascii::is_letter(label.front()) || !ascii::is_alphanumeric(label.back()))
    return false;
  return std::all_of(label.begin(), label.end(),
                     [](char c) { return ascii::is_alphanumeric(c) || c == '-'; });
}

bool is_name(std::string_view name) {
  if (name.empty()) return true;
  if (!ascii::is_alphanumeric(name.front()) || !ascii::is_alphanumeric(name.back())) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return ascii::is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
  });
}

std::vector<std::string_view> labels_of(std::string_view prefix) {
  std::vector<std::string_view> out;
  for (std::size_t from = 0;;) {
    const std::size_t dot = prefix.find('.', from);
    out.push_back(prefix.substr(from, dot - from));
    if (dot == std::string_view::npos) return out;
    from = dot + 1;
  }
}

bool is_ours(std::string_view label) { return label == "mcp" || label == "modelcontextprotocol"; }

bool is_reserved_2025_06(const std::vector<std::string_view>& labels) {
  for (std::size_t i = 0; i + 1 < labels.size(); ++i)
    if (is_ours(labels[i])) return true;
  return false;
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return ascii::is_hex(c) && !ascii::is_upper(c); });
}

bool is_zero(std::string_view text) {
  return text.find_first_not_of('0') == std::string_view::npos;
}

// version-traceid-parentid-flags; later versions may append more.
bool is_traceparent(const json::Value& value) {
  if (!value.is_string() || value.text.size() < 55) return false;
  const std::string_view text = value.text;
  const auto version = text.substr(0, 2);
  const bool dashes = text[2] == '-' && text[35] == '-' && text[52] == '-';
  const bool tail = text.size() == 55 || (version != "00" && text[55] == '-');
  return dashes && tail && is_hex(version) && version != "ff" && is_hex(text.substr(3, 32)) &&
         !is_zero(text.substr(3, 32)) && is_hex(text.substr(36, 16)) &&
         !is_zero(text.substr(36, 16)) && is_hex(text.substr(53, 2));
}

class MetaJudge {
 public:
  MetaJudge(const Evidence& evidence, Sink& sink) : evidence_(evidence), sink_(sink) {
    for (const Item& item : evidence.items)
      if (item.sent && item.value != nullptr) collect_sent_keys(*item.value);
  }

  void message(const Item& item) {
    item_ = &item;
    for (const char* part : {"result", "params"}) {
      const json::Value* value = item.member(part);
      if (value != nullptr) visit(*value, true);
    }
  }

 private:
  void collect_sent_keys(const json::Value& value) {
    for (const auto& element : value.items) collect_sent_keys(element);
    for (const auto& member : value.members) {
      if (member.name == "_meta")
        for (const auto& key : member.value.members) sent_keys_.insert(key.name);
      collect_sent_keys(member.value);
    }
  }

  void visit(const json::Value& value, bool top) {
    for (const auto& element : value.items) visit(element, false);
    for (const auto& member : value.members)
      if (member.name == "_meta")
        meta(member.value, top);
      else if (std::find(kOpaque.begin(), kOpaque.end(), member.name) == kOpaque.end())
        visit(member.value, false);
  }

  void breach(std::initializer_list<const char*> requirements, std::string expected,
              std::string seen, std::string flaw = "") {
    report_best(evidence_, sink_, requirements,
                {std::move(expected), std::move(seen), {item_->seq}, std::move(flaw)});
  }

  void meta(const json::Value& value, bool top) {
    if (!value.is_object()) {
      const std::string seen = "_meta " + shown(value);
      if (!top) {
        breach({"mcp.shape.item-meta-is-object"}, "an object as _meta", seen);
      } else if (item_->kind == wire::MessageKind::kNotification) {
        breach({"mcp.shape.notification-meta-is-object", "mcp.meta.is-object"},
               "an object as _meta", seen);
      } else {
        breach({"mcp.meta.is-object", "mcp.shape.meta-is-object"}, "an object as _meta", seen);
      }
      return;
    }
    for (const auto& member : value.members) {
      values(member);
      if (sent_keys_.contains(member.name) || !told_.insert(member.name).second) continue;
      key(member.name);
    }
  }

  void key(const std::string& name) {
    if (!from_revision(evidence_, "2025-06-18")) return;
    const std::size_t slash = name.find('/');
    const std::string_view text = name;
    const std::string_view own = slash == std::string::npos ? text : text.substr(slash + 1);
    if (!is_name(own)) {
      breach({"mcp.meta.key-name-format"},
             "a _meta key whose name begins and ends alphanumeric, with only - _ . between",
             "key " + shown(name));
    }
    if (slash == std::string::npos) return;
    const auto labels = labels_of(text.substr(0, slash));
    if (!std::all_of(labels.begin(), labels.end(), is_label)) {
      breach({"mcp.meta.key-prefix-format"},
             "labels of letters, digits and hyphens before the slash", "key " + shown(name));
      return;
    }
    if (std::find(kDefined.begin(), kDefined.end(), text) != kDefined.end()) return;
    if (is_reserved_2025_06(labels)) {
      breach({"mcp.meta.reserved-prefix-any-label"}, "no own key with a reserved prefix",
             "key " + shown(name));
    }
    if (labels.size() > 1 && is_ours(labels[1])) {
      breach({"mcp.meta.reserved-prefix-second-label"}, "no own key with a reserved prefix",
             "key " + shown(name));
    }
  }

  void values(const json::Member& member) {
    if (evidence_.profile.era != spec::Era::kStateless) return;
    if (sent_keys_.contains(member.name)) return;
    const bool trace = member.name == "traceparent";
    const bool text = member.name == "tracestate" || member.name == "baggage";
    if ((trace && !is_traceparent(member.value)) || (text && !member.value.is_string())) {
      if (!told_.insert(member.name + " value").second) return;
      breach({"mcp.meta.trace-context-format"}, member.name + " in the W3C format",
             shown(member.value), member.name);
    }
  }

  const Evidence& evidence_;
  Sink& sink_;
  const Item* item_ = nullptr;
  std::set<std::string> sent_keys_;  // the server may give our own keys back
  std::set<std::string> told_;
};

// Once: a server may have been told not to introduce itself.
void judge_server_info(const Evidence& evidence, Sink& sink) {
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    const Item* request = request_of(requests, item);
    const json::Value& result = *item.member("result");
    if (request == nullptr || !is_stateless_request(evidence, *request) || !result.is_object())
      continue;
    const json::Value* meta = result.find("_meta");
    if (meta != nullptr && meta->is_object() && meta->find(kServerInfo) != nullptr) continue;
    report_best(evidence, sink,
                {"mcp.meta.server-info-in-result", "mcp.result.server-info-meta",
                 "mcp.discover.server-info-in-meta"},
                {"serverInfo in the _meta of each result",
                 "missing in " + shown(item.text),
                 {request->seq, item.seq}});
    return;
  }
}

}  // namespace

void judge_meta(const Evidence& evidence, Sink& sink) {
  if (!evidence.profile.mcp) return;
  MetaJudge judge(evidence, sink);
  for (const Item& item : evidence.items)
    if (!item.sent && item.value != nullptr && item.value->is_object()) judge.message(item);
  if (evidence.profile.era == spec::Era::kStateless) judge_server_info(evidence, sink);
}

}  // namespace harness::oracle
