// SPDX-License-Identifier: Apache-2.0
// Every message of the server held against its row of the protocol (cases/protocol/): results by
// the method that was asked, requests and notifications by their own, the data of errors by their
// code. What a value has to be and which clause it breaks stands in the rows; here stands which row
// is for which message, and what happens to a message that has none.
//
// Only messages that answer something beyond objection are looked into: what a server made of a
// broken request, or of one in another revision, is not known.
#include <algorithm>
#include <set>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/type_check.h"

namespace harness::oracle {
namespace {

using spec::TypeBreach;
using Fallback = std::initializer_list<const char*>;

constexpr const char* kNullClause = "mcp.shape.optional-fields-not-null";
constexpr const char* kCapabilitiesOfMeta = "io.modelcontextprotocol/clientCapabilities";

bool has_extensions(const json::Value& capabilities) {
  const json::Value* extensions =
      capabilities.is_object() ? capabilities.find("extensions") : nullptr;
  return extensions != nullptr && extensions->is_object() && !extensions->members.empty();
}

// Extensions may define more result types; which, we do not know.
bool extensions_in_play(const Evidence& evidence, const Item& request) {
  if (has_extensions(evidence.client_capabilities)) return true;
  const json::Value* meta = json::at(*request.value, "/params/_meta");
  const json::Value* declared = meta == nullptr ? nullptr : meta->find(kCapabilitiesOfMeta);
  return declared != nullptr && has_extensions(*declared);
}

// Whether the text is somewhere in what we sent: a server may give it back as it was.
bool holds_text(const json::Value& value, const std::string& text) {
  if (value.is_string()) return value.text == text;
  return std::any_of(value.items.begin(), value.items.end(),
                     [&](const json::Value& one) { return holds_text(one, text); }) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [&](const json::Member& one) { return holds_text(one.value, text); });
}

Severity severity_of(spec::AtMost at_most) {
  switch (at_most) {
    case spec::AtMost::kInfo: return Severity::kInfo;
    case spec::AtMost::kWarn: return Severity::kWarn;
    case spec::AtMost::kFail: break;
  }
  return Severity::kFail;
}

// Whether something stands at the path, where `*` is any element or member.
bool stands(const json::Value& value, std::string_view path, const json::Value& is) {
  if (path.empty()) return is.is_null() ? !value.is_null() : json::equal(value, is);
  const std::size_t slash = path.find('/');
  const std::string_view name = path.substr(0, slash);
  const std::string_view rest = slash == path.npos ? "" : path.substr(slash + 1);
  const auto goes_on = [&](const json::Value& one) { return stands(one, rest, is); };
  if (name != "*") {
    const json::Value* found = json::at(value, "/" + std::string(name));
    return found != nullptr && goes_on(*found);
  }
  return std::ranges::any_of(value.items, goes_on) ||
         std::ranges::any_of(value.members, goes_on, &json::Member::value);
}

class ShapeJudge {
 public:
  ShapeJudge(const Evidence& evidence, Sink& sink)
      : evidence_(evidence), sink_(sink), profile_(evidence.profile),
        protocol_(evidence.profile.protocol()), requests_(sent_requests(evidence)),
        stateless_(profile_.era == spec::Era::kStateless),
        // A server of both eras may treat a client that sent initialize as an old one.
        legacy_(stateless_ && has_sent(evidence, "initialize")) {}

  void judge() {
    for (const Item& item : evidence_.items) {
      if (item.sent || item.value == nullptr) continue;
      item_ = &item;
      request_ = is_reply(item) ? request_of(requests_, item) : nullptr;
      if (is_reply(item)) {
        if (item.error() != nullptr) {
          if (item.result() == nullptr) error(*item.error());
        } else if (item.kind == wire::MessageKind::kResponse) {
          result(*item.result());
        }
      } else if (!legacy_ && !other_revision_) {
        if (is_server_notification(item))
          notification();
        else if (item.kind == wire::MessageKind::kRequest && !stateless_)
          request();
      }
      note_revision();
    }
  }

 private:
  // ---- results

  const spec::MessageRow* row_of_request() const {
    const spec::MessageRow* row = protocol_.find(method_of(*request_), profile_);
    return row != nullptr && row->from_client() && !row->notification ? row : nullptr;
  }

  void result(const json::Value& value) {
    const spec::MessageRow* row = request_ == nullptr ? nullptr : row_of_request();
    if (!value.is_object() && of_mcp()) {
      const spec::Row* own = row == nullptr ? nullptr : row->result.under(profile_);
      return breach(own == nullptr ? spec::Clauses{} : own->covers,
                    {"mcp.base.result-is-object", "mcp.shape.result-is-object"},
                    "an object as result", shown(item_->text), "/result");
    }
    if (request_ == nullptr || other_revision_ || !is_proper(evidence_, *request_)) return;
    if (stateless_ && !is_stateless_request(evidence_, *request_)) return;
    const spec::Member* expected = row == nullptr ? nullptr : &row->result;
    if (const json::Value* type = stateless_ ? value.find("resultType") : nullptr) {
      if (type->is_string() && type->text != "complete") {
        expected = other_result(row, type->text);
        if (expected == nullptr) return;
      }
    } else if (row != nullptr) {
      for (const spec::Member& other : row->instead) {
        const bool told = !stateless_ && value.find(other.name) != nullptr;
        if (told && other.under(profile_) != nullptr) expected = &other;
      }
    }
    if (row != nullptr) gates(*row, value);
    if (expected != nullptr)
      tell(spec::check_member(profile_, *expected, &value, "/result"), {});
    else
      tell_type("Result", value);
  }

  // What stands there for clients alone that declare a capability.
  void gates(const spec::MessageRow& row, const json::Value& value) {
    if (row.gates.empty() || !evidence_.client_capabilities.is_object()) return;
    for (const spec::GateRow& gate : row.gates) {
      if (spec::is_declared(gate.client, &evidence_.client_capabilities) ||
          !stands(value, gate.at, gate.is) || !told_.insert(row.name + " " + gate.at).second)
        continue;
      breach(gate.covers, {}, "no " + gate.at + " for a client without " + gate.client,
             shown(item_->text), "gate " + gate.at, severity_of(gate.at_most));
    }
  }

  // The row of a result whose resultType is not "complete"; null when all is said about it.
  const spec::Member* other_result(const spec::MessageRow* row, const std::string& type) {
    const bool extended = extensions_in_play(evidence_, *request_);
    const std::string seen = "resultType " + shown(type);
    if (type == "task" && !extended) {
      breach({}, {"mcp.tasks-ext.only-to-declaring-client", "mcp.base.result-type-known"},
             "no task for a request that declares no extension", seen, "task");
      return nullptr;
    }
    if (row != nullptr) {
      for (const spec::Member& other : row->instead)
        if (other.name == type && other.under(profile_) != nullptr) return &other;
    }
    if (type == "input_required") {
      breach({}, {"mcp.mrtr.only-three-methods", "mcp.input-required.only-on-three-methods"},
             "a complete result for " + shown(method_of(*request_)), seen, type);
    } else if (type == "task") {
      breach({}, {"mcp.tasks-ext.only-tools-call", "mcp.tasks-ext.result-type-task-only-there"},
             "a task only for tools/call", seen, "task elsewhere");
    } else if (!extended) {
      breach(row == nullptr ? spec::Clauses{} : spec::Clauses{"mcp.result.type-known"},
             {"mcp.base.result-type-known"}, "resultType complete or input_required", seen,
             "unknown");
    }
    return nullptr;
  }

  // ---- errors

  void error(const json::Value& value) {
    const json::Value* code = value.is_object() ? value.find("code") : nullptr;
    const auto number = code == nullptr ? std::nullopt : json::as_integer(*code);
    if (!number || request_ == nullptr || legacy_ || !is_proper(evidence_, *request_)) return;
    const spec::ErrorRow* row = protocol_.find_error(*number, profile_);
    if (row == nullptr) return;
    // What we sent in place of a version may come back as it was.
    const json::Value* version =
        json::at(*request_->value, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
    if (version != nullptr && !version->is_string()) return;
    tell(spec::check_member(profile_, row->data, value.find("data"), "/error/data"), {});
  }

  // ---- what the server sends of its own accord

  static bool is_server_notification(const Item& item) {
    return item.kind == wire::MessageKind::kNotification ||
           (item.kind == wire::MessageKind::kRequest &&
            method_of(item).starts_with("notifications/"));
  }

  void request() {
    const Fallback any = {"mcp.lifecycle.server-request-methods", "acp.outgoing.known-methods"};
    const std::string_view method = method_of(*item_);
    if (method.empty()) return breach({}, any, "a method name", shown(item_->text), "method");
    const spec::MessageRow* row = protocol_.find(method);
    if (is_extension(method)) return;
    if (row == nullptr || !row->from_server() || row->reach.dialect == kTutorial ||
        !is_of_layer(*row)) {
      return breach({}, any, "a request of the revision", shown(item_->text), "unknown",
                    Severity::kWarn);
    }
    if (!row->reach.has(profile_)) {
      return elsewhere(*row,
                       {"mcp.lifecycle.respect-version-strict", "mcp.lifecycle.respect-version"},
                       "a request of the negotiated version", Severity::kWarn);
    }
    params(*row, any);
  }

  void notification() {
    const Fallback any = {"mcp.base.server-notification-shape", "acp.outgoing.known-methods"};
    const json::Value* method = item_->member("method");
    if (!method->is_string())
      return breach({}, any, "a string as method", shown(item_->text), "method");
    const spec::MessageRow* row = protocol_.find(method->text);
    if (is_extension(method->text)) return;
    const bool known = row != nullptr && row->from_server() && is_of_layer(*row);
    if (profile_.lsp && method->text == "$/progress") partial_result();
    if (known && row->reach.has(profile_)) return params(*row, any);
    if (const json::Value* own = item_->member("params"); own != nullptr && !own->is_object()) {
      return breach({}, any, "an object as params", shown(item_->text), "params",
                    own->is_null() ? Severity::kWarn : Severity::kFail);
    }
    // Extensions may define notifications; one of another revision is more likely a mistake.
    if (known) return elsewhere(*row, any, "a notification of the revision", Severity::kWarn);
    breach({}, any, "a notification of the revision", shown(item_->text), "unknown",
           Severity::kInfo);
  }

  // A part of a list has the type of the whole list.
  void partial_result() {
    const json::Value* token = json::at(*item_->value, "/params/token");
    const json::Value* value = json::at(*item_->value, "/params/value");
    if (token == nullptr || value == nullptr) return;
    for (const Item& asked : evidence_.items) {
      if (&asked == item_) break;
      if (!asked.sent || asked.value == nullptr || !asked.value->is_object()) continue;
      const json::Value* own = json::at(*asked.value, "/params/partialResultToken");
      if (own != nullptr && json::equal(*own, *token)) request_ = &asked;
    }
    const spec::MessageRow* row = request_ == nullptr ? nullptr : row_of_request();
    const bool list = row != nullptr && !row->name.ends_with("iagnostic");
    if (list && (value->is_null() || !spec::check_member(profile_, row->result, value, "").empty()))
      breach({}, {"lsp.features.partial-shape"}, "a part of what " + row->name + " gives",
             shown(item_->text), row->name);
    request_ = nullptr;
  }

  // The server sends what another revision has.
  void elsewhere(const spec::MessageRow& row, Fallback any, std::string expected,
                 Severity at_most) {
    const bool forbidden = strongest(row.outside) != nullptr;
    breach(row.outside, any, std::move(expected), shown(item_->text), "of another revision",
           forbidden ? Severity::kFail : at_most);
  }

  bool of_mcp() const { return profile_.mcp || profile_.tutorial; }
  bool is_of_layer(const spec::MessageRow& row) const {
    using Dialect = spec::Reach::Dialect;
    return profile_.lsp == (row.reach.dialect == Dialect::kLsp) &&
           profile_.acp == (row.reach.dialect == Dialect::kAcp);
  }
  bool is_extension(std::string_view method) const {
    return profile_.acp && method.starts_with('_');
  }

  void params(const spec::MessageRow& row, Fallback any) {
    tell(spec::check_member(profile_, row.params, item_->member("params"), "/params"), any);
  }

  // ---- reports

  const spec::Requirement* strongest(const spec::Clauses& clauses) const {
    std::vector<const char*> ids;
    for (const std::string& clause : clauses) ids.push_back(clause.c_str());
    return spec::strongest(ids, evidence_.registry, profile_, evidence_.transcript.transport);
  }

  // Under the clauses of the row or, when none of them applies, the others.
  void breach(const spec::Clauses& clauses, Fallback others, std::string expected, std::string seen,
              std::string flaw, Severity at_most = Severity::kFail, std::string headline = {}) {
    std::vector<const char*> ids;
    if (const spec::Requirement* best = strongest(clauses))
      ids.push_back(best->id.c_str());
    else
      ids.assign(others.begin(), others.end());
    std::vector<std::uint64_t> frames = {item_->seq};
    if (request_ != nullptr) frames.push_back(request_->seq);
    Breach told{std::move(expected), std::move(seen), std::move(frames), std::move(flaw), at_most};
    told.headline = std::move(headline);
    report_best(evidence_, sink_, ids, std::move(told));
  }

  void tell(const std::vector<TypeBreach>& found, Fallback others) {
    for (const TypeBreach& one : found) {
      if (one.clauses == nullptr || is_echo(one)) continue;
      // The same in every tool of a list is told once.
      if (!told_.insert(one.expected + " " + one.place).second) continue;
      const std::string expected = one.expected + " at " + one.place;
      const bool missing = one.kind == TypeBreach::Kind::kMissing;
      const std::string seen =
          !missing
              ? shown(*one.seen)
              : "missing in " + (one.seen->is_object() ? shown(*one.seen) : shown(item_->text));
      if (one.kind == TypeBreach::Kind::kNull && of_mcp()) {
        breach({}, {kNullClause}, expected, "null in " + shown(item_->text), one.place);
      } else {
        breach(*one.clauses, others, expected, seen, one.place + flaw_of(one.kind),
               severity_of(one.at_most), one.other_kind ? kind_told(one) : "");
      }
    }
  }

  // "`prompts` in the result of prompts/list is an object, not an array"
  std::string kind_told(const TypeBreach& one) const {
    const std::size_t name = one.place.rfind('/') + 1;
    if (name == 1 || one.place.starts_with("/error")) return "";
    std::string path = one.place.substr(name);
    // A member of a member: "inputSchema.type".
    const std::size_t above = one.place.rfind('/', name - 2) + 1;
    if (const std::string owner = one.place.substr(above, name - 1 - above);
        above > 1 && owner != "*")
      path = owner + "." + path;
    const json::Kind kind = one.seen->kind;
    const bool vowel = kind == json::Kind::kArray || kind == json::Kind::kObject;
    const bool null = kind == json::Kind::kNull;
    const std::string method(method_of(request_ != nullptr ? *request_ : *item_));
    return "`" + path + "` in " + (request_ != nullptr ? "the result of " : "") + method + " is " +
           (null    ? ""
            : vowel ? "an "
                    : "a ") +
           json::kind_name(kind) + ", not " + one.expected;
  }

  static const char* flaw_of(TypeBreach::Kind kind) {
    return kind == TypeBreach::Kind::kMissing ? " missing"
           : kind == TypeBreach::Kind::kAlso  ? " odd"
                                              : "";
  }

  // A format that our own text does not have; of what comes back resolved, what we gave.
  bool is_echo(const TypeBreach& one) const {
    constexpr std::string_view kResult = "/result";
    if (request_ == nullptr) return false;
    if (method_of(*request_).ends_with("/resolve") && one.place.starts_with(kResult)) {
      const std::string place = "/params" + one.place.substr(kResult.size());
      const json::Value* given = json::at(*request_->value, place);
      if (one.kind == TypeBreach::Kind::kMissing ? given == nullptr
                                                 : given && json::equal(*given, *one.seen))
        return true;
    }
    return one.kind == TypeBreach::Kind::kAlso && one.seen->is_string() &&
           holds_text(*request_->value, one.seen->text);
  }

  void tell_type(const char* name, const json::Value& value) {
    const spec::TypeRow* type = protocol_.find_type(name);
    check(type != nullptr, "a type that the oracle needs has no row");
    for (TypeBreach& one : spec::check_type(profile_, *type, value)) {
      one.place = "/result" + one.place;
      tell({one}, {});
    }
  }

  // From an answer that agrees on another revision on, what comes is of that revision.
  void note_revision() {
    if (request_ == nullptr || !profile_.mcp || method_of(*request_) != "initialize") return;
    const json::Value* version = json::at(*item_->value, "/result/protocolVersion");
    other_revision_ |=
        version != nullptr && version->is_string() && version->text != profile_.revision;
  }

  static constexpr auto kTutorial = spec::Reach::Dialect::kTutorial;
  const Evidence& evidence_;
  Sink& sink_;
  const spec::Profile& profile_;
  const spec::Protocol& protocol_;
  const Requests& requests_;
  const bool stateless_, legacy_;
  bool other_revision_ = false;
  const Item* item_ = nullptr;     // that is looked at
  const Item* request_ = nullptr;  // that it answers
  std::set<std::string> told_;
};

}  // namespace

void judge_shapes(const Evidence& evidence, Sink& sink) {
  if (evidence.profile.layered()) return ShapeJudge(evidence, sink).judge();
  if (evidence.profile.contract != nullptr) judge_contract(evidence, sink);
}

std::vector<std::string> unproved_shape_clauses() {
  return {"acp.schema.described-shape",    // with its schema alone
          "lsp.features.described-shape",  // with a meta model alone
          "mcp.errors.missing-capability-code",
          "mcp.lifecycle.capabilities-shape",
          "mcp.listen.graceful-response-shape",
          "mcp.mrtr.request-state-string",
          "mcp.ping.result",
          "mcp.ping.server-sent-shape",
          "mcp.tasks-ext.notification-method",
          "mcp.tasks-ext.only-to-declaring-client",
          "mcp.tasks-ext.only-tools-call",
          "mcp.tasks-ext.result-type-task-only-there",
          "mcp.versioning.extension-settings-object"};
}

std::vector<std::string> shape_clauses() {
  std::vector<std::string> all = spec::protocol().clauses();
  for (const char* more : {kNullClause,
                           "mcp.base.result-is-object",
                           "mcp.shape.result-is-object",
                           "mcp.base.result-type-known",
                           "mcp.result.type-known",
                           "mcp.mrtr.only-three-methods",
                           "mcp.input-required.only-on-three-methods",
                           "mcp.tasks-ext.only-to-declaring-client",
                           "mcp.tasks-ext.only-tools-call",
                           "mcp.tasks-ext.result-type-task-only-there",
                           "mcp.lifecycle.server-request-methods",
                           "mcp.lifecycle.respect-version-strict",
                           "mcp.lifecycle.respect-version",
                           "mcp.base.server-notification-shape",
                           "acp.outgoing.known-methods",
                           "openrpc.method.result-valid",
                           "openrpc.method.error-declared",
                           "lsp.features.partial-shape",
                           "lsp.features.described-shape",
                           "acp.schema.described-shape"})
    all.emplace_back(more);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace harness::oracle
