// SPDX-License-Identifier: Apache-2.0
// Faults that know methods: what happens instead of a call, and what becomes of its outcome.
#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {
namespace {

using json::Value;

const Value* meta_of(const Call& call) {
  return call.params.is_object() ? call.params.find("_meta") : nullptr;
}

bool is_list(const std::string& method) {
  return method == "tools/list" || method == "resources/list" || method == "prompts/list";
}

bool other_members(const Value& object, std::initializer_list<std::string_view> known) {
  return std::any_of(object.members.begin(), object.members.end(), [&](const json::Member& m) {
    return std::find(known.begin(), known.end(), m.name) == known.end();
  });
}

// A client capability of the first revisions with a member that is none of theirs.
bool later_members(const Value& capabilities) {
  const Value* roots = capabilities.find("roots");
  const Value* elicitation = capabilities.find("elicitation");
  const Value* form = elicitation == nullptr ? nullptr : elicitation->find("form");
  return (roots != nullptr && other_members(*roots, {"listChanged"})) ||
         (elicitation != nullptr && other_members(*elicitation, {"form", "url"})) ||
         (form != nullptr && !form->members.empty());
}

// A key in _meta that MCP reserves and nobody defined.
bool has_reserved_key(const Value& meta) {
  return std::any_of(meta.members.begin(), meta.members.end(), [](const json::Member& m) {
    if (m.name.compare(0, kMeta.size(), kMeta) != 0) return false;
    const std::string rest = m.name.substr(kMeta.size());
    return rest != "protocolVersion" && rest != "clientCapabilities" && rest != "clientInfo" &&
           rest != "logLevel" && rest != "subscriptionId" && rest != "related-task";
  });
}

bool has_unknown_key(const Value& meta) {
  return std::any_of(meta.members.begin(), meta.members.end(), [](const json::Member& m) {
    return m.name.compare(0, kMeta.size(), kMeta) != 0 && m.name != "progressToken";
  });
}

bool is_traceparent(const Value& value) {
  if (!value.is_string() || value.text.size() != 55) return false;
  for (std::size_t i = 0; i < value.text.size(); ++i) {
    const bool dash = i == 2 || i == 35 || i == 52;
    const char c = value.text[i];
    const bool hex = ascii::is_hex(c) && !ascii::is_upper(c);
    if (dash ? c != '-' : !hex) return false;
  }
  return true;
}

bool is_list(const Call& call) { return call.method.ends_with("/list"); }

RpcError refusal(int code, bool refused = false) {
  return {code, "Refused", std::nullopt, refused};
}

}  // namespace

std::optional<Outcome> FaultInjector::odd_meta(Call& call) {
  const Value* meta = meta_of(call);
  if (meta == nullptr) return std::nullopt;
  if (!meta->is_object()) {
    if (faults_.has("meta-wrong-type-kills")) session_.exit_status = 1;
    if (faults_.has("meta-type-unchecked") || (is_list(call) && faults_.has("lists-take-any-meta")))
      std::erase_if(call.params.members, [](const json::Member& m) { return m.name == "_meta"; });
    return std::nullopt;
  }
  const Value* trace = meta->find("traceparent");
  if (trace != nullptr && !is_traceparent(*trace) && faults_.has("bad-traceparent-kills"))
    session_.exit_status = 1;
  if (has_reserved_key(*meta)) {
    if (faults_.has("meta-reserved-key-kills")) session_.exit_status = 1;
    if (faults_.has("meta-reserved-key-refused") ||
        (is_list(call) && faults_.has("lists-refuse-reserved-meta")))
      return refusal(kInvalidParams);
  }
  if (has_unknown_key(*meta) && (faults_.has("meta-unknown-keys-refused") ||
                                 (is_list(call) && faults_.has("lists-refuse-unknown-meta"))))
    return refusal(kInvalidParams);
  const Value* token = meta->find("progressToken");
  if (token == nullptr) return std::nullopt;
  if (faults_.has("progress-token-refused") ||
      (is_list(call) && faults_.has("lists-refuse-progress-token")))
    return refusal(kInvalidParams);
  const bool lawful = token->is_string() || (token->is_number() && json::is_integer(*token));
  if (!lawful && faults_.has("progress-token-odd-kills")) session_.exit_status = 1;
  auto& latest = session_.server.memory.latest_token;
  if (latest && latest->kind == token->kind && latest->text == token->text &&
      faults_.has("progress-token-repeated-dropped"))
    return Silent{};
  latest = *token;
  return std::nullopt;
}

// 2026-07-28: what a request has to carry is taken from elsewhere.
std::optional<Outcome> FaultInjector::odd_stateless(Call& call) {
  FaultMemory& memory = session_.server.memory;
  if (call.params.is_array()) return std::nullopt;
  Value meta = json::object();
  if (const Value* given = meta_of(call); given != nullptr && given->is_object()) meta = *given;
  const Value version = json::string(session_.server.profile.stateless.front());
  Value* own_version = meta.find(meta_name("protocolVersion"));
  Value* own_capabilities = meta.find(meta_name("clientCapabilities"));
  const bool lacks = own_version == nullptr || own_capabilities == nullptr;
  const bool no_meta = meta_of(call) == nullptr;
  if (no_meta && faults_.has("required-meta-other-code")) return refusal(kInvalidRequest, true);
  if (meta.find(meta_name("clientInfo")) == nullptr && faults_.has("client-info-demanded"))
    return refusal(kInvalidParams);
  const Value* extensions =
      own_capabilities == nullptr ? nullptr : own_capabilities->find("extensions");
  if (extensions != nullptr && !extensions->members.empty() &&
      (faults_.has("client-extension-refused") ||
       (is_list(call) && faults_.has("lists-refuse-client-extensions"))))
    return refusal(kInvalidParams);
  if (own_capabilities != nullptr && faults_.has("capability-members-refused") &&
      later_members(*own_capabilities))
    return refusal(kInvalidParams);
  if (own_version != nullptr && own_version->is_string()) {
    const bool handshake = own_version->text < "2026" && own_version->text > "2024";
    const bool supported = session_.server.profile.knows_stateless(own_version->text);
    const bool draft = own_version->text.starts_with(version.text) && !supported;
    const bool other_list = is_list(call) && call.method != "tools/list";
    if ((draft && faults_.has("draft-of-version-served")) ||
        (!supported && other_list && faults_.has("prompts-served-in-any-version")))
      *own_version = version;
    if ((!supported && (faults_.has("unsupported-version-served") ||
                        (memory.tally["version-seen"] > 0 && faults_.has("version-remembered")))) ||
        (handshake && faults_.has("legacy-version-in-meta-served")))
      *own_version = version;
    if (supported) ++memory.tally["version-seen"];
  }
  const auto fill = [&](bool missing, const char* name, const Value& value) {
    if (missing) meta.set(meta_name(name), value);
  };
  if (is_list(call)) {
    fill(own_version == nullptr && !no_meta && faults_.has("lists-need-no-version"),
         "protocolVersion", version);
    fill(own_capabilities == nullptr && !no_meta && faults_.has("lists-need-no-capabilities"),
         "clientCapabilities", json::object());
    call.params.set("_meta", meta);
  }
  const bool wrong_version = own_version != nullptr && !own_version->is_string();
  const bool wrong_capabilities = own_capabilities != nullptr && !own_capabilities->is_object();
  if (faults_.has("required-meta-types-unchecked")) {
    fill(wrong_version, "protocolVersion", version);
    fill(wrong_capabilities, "clientCapabilities", json::object());
    const Value* info = meta.find(meta_name("clientInfo"));
    if (info != nullptr) {
      std::erase_if(meta.members,
                    [](const json::Member& m) { return m.name == meta_name("clientInfo"); });
    }
  }
  const bool all = (no_meta && faults_.has("required-meta-unchecked")) ||
                   (lacks && memory.tally["meta-seen"] > 0 && faults_.has("meta-remembered"));
  fill(own_version == nullptr && (all || faults_.has("version-key-optional")), "protocolVersion",
       version);
  const bool add_capabilities = meta.find(meta_name("clientCapabilities")) == nullptr &&
                                (all || faults_.has("capabilities-key-optional"));
  fill(add_capabilities, "clientCapabilities", json::object());
  if (!lacks) ++memory.tally["meta-seen"];
  if (faults_.has("client-capabilities-remembered")) {
    Value* now = meta.find(meta_name("clientCapabilities"));
    if (now != nullptr && now->is_object()) {
      if (memory.capabilities) {
        for (const json::Member& member : memory.capabilities->members)
          if (now->find(member.name) == nullptr) now->set(member.name, member.value);
      }
      memory.capabilities = *now;
    }
  }
  Value* capabilities = meta.find(meta_name("clientCapabilities"));
  if (capabilities != nullptr && capabilities->is_object() && call.method != "server/discover") {
    if (faults_.has("undeclared-input-requested")) {
      for (const char* name : {"sampling", "elicitation", "roots"})
        if (capabilities->find(name) == nullptr) capabilities->set(name, json::object());
    }
    const Value* tool = call.params.find("name");
    if (tool != nullptr && tool->text == "test_missing_capability" &&
        faults_.has("missing-capability-retry-refused"))
      *capabilities = json::object();
  }
  if (!meta.members.empty()) call.params.set("_meta", std::move(meta));
  return std::nullopt;
}

std::optional<Outcome> FaultInjector::odd_lifecycle(Call& call, bool stateless) {
  FaultMemory& memory = session_.server.memory;
  const std::string& method = call.method;
  const bool early = session_.version.empty() && !stateless;
  const bool tutorial = session_.server.profile.tutorial;
  const Faults& faults = faults_;
  const json::Value* meta = call.params.find("_meta");
  if (early && meta != nullptr && !meta->is_object() && faults.has("odd-beginning-kills"))
    session_.exit_status = 1;
  if (method == "ping") {
    if (early && faults.has("ping-before-initialize-refused")) return refusal(kInvalidRequest);
    if (faults.has("ping-params-refused") && call.has_params) return refusal(kInvalidParams);
  }
  if (method == "server/discover") {
    const bool unknown = session_.server.profile.stateless.empty() || early;
    if (unknown && faults.has("modern-probe-kills")) session_.exit_status = 1;
    if (unknown && faults.has("modern-probe-blocks-initialize")) ++memory.tally["blocked"];
    ++memory.tally["discovered"];
  } else if (stateless && faults.has("discover-demanded-first") &&
             memory.tally["discovered"] == 0) {
    return refusal(kInvalidRequest);
  }
  if (method == "initialize") {
    if (memory.tally["blocked"] > 0) return refusal(kInvalidRequest);
    if (!session_.version.empty() && faults.has("second-initialize-breaks-session"))
      ++memory.tally["broken"];
    return odd_initialize(call, stateless);
  }
  if (memory.tally["broken"] > 0) return refusal(kInvalidRequest);
  if (early && method != "ping" && !tutorial) {
    if (faults.has("early-request-kills")) session_.exit_status = 1;
    if (faults.has("early-request-blocks-initialize")) ++memory.tally["blocked"];
  }
  if (tutorial && early && faults.has("request-before-initialize-silent")) return Silent{};
  if (!session_.initialized && !session_.version.empty() && !stateless && method != "ping" &&
      faults.has("request-before-initialized-hangs"))
    return Silent{};
  if (stateless && session_.server.profile.handshake.size() > 1 && !session_.version.empty() &&
      faults.has("modern-request-under-session-refused"))
    return refusal(kInvalidRequest);
  if (method == "tools/call" && memory.tally["slots kept"] >= 10 &&
      faults.has("cancelled-calls-keep-slots"))
    return Silent{};
  if (method == "tools/list") ++memory.tally["listed"];
  if (method == "tools/call" && stateless && memory.tally["listed"] == 0 &&
      faults.has("call-needs-list-on-connection"))
    return refusal(kInvalidRequest);
  return std::nullopt;
}

std::optional<Outcome> FaultInjector::odd_initialize(Call& call, bool stateless) {
  Value& params = call.params;
  if (stateless && session_.server.profile.handshake.empty()) {
    if (faults_.has("modern-only-initialize-silent")) return Silent{};
    if (faults_.has("modern-only-initialize-served") ||
        (params.find("_meta") != nullptr && faults_.has("initialize-served-with-meta"))) {
      // No protocolVersion in it: with one the server would be taken for dual-era, lawfully.
      return Outcome(json::parse(
          R"({"capabilities":{},"serverInfo":{"name":"rpcspec-reference-server","version":"1"}})"));
    }
    return std::nullopt;
  }
  if (params.is_array()) return std::nullopt;
  if (call.id.is_string() && faults_.has("initialize-string-id-refused"))
    return refusal(kInvalidRequest);
  const bool complete =
      params.find("capabilities") != nullptr && params.find("clientInfo") != nullptr;
  if (!complete && faults_.has("initialize-params-missing-silent")) return Silent{};
  Value* version = params.find("protocolVersion");
  const bool version_fits = version != nullptr && version->is_string();
  if (!version_fits && version != nullptr && faults_.has("version-wrong-type-echoed"))
    session_.server.memory.echoed_version = *version;
  if ((!version_fits && (faults_.has("version-type-unchecked") ||
                         (version != nullptr && faults_.has("version-wrong-type-echoed")))) ||
      (version == nullptr && faults_.has("initialize-params-unchecked"))) {
    const auto& known = session_.server.profile.handshake;
    params.set("protocolVersion", json::string(known.empty() ? "2024-11-05" : known.back()));
    version = params.find("protocolVersion");
  }
  if (!complete && faults_.has("initialize-params-unchecked")) {
    if (params.find("capabilities") == nullptr) params.set("capabilities", json::object());
    if (params.find("clientInfo") == nullptr)
      params.set("clientInfo", json::parse(R"({"name":"?","version":"?"})"));
  }
  if (version == nullptr || !version->is_string()) return std::nullopt;
  const bool known = session_.server.profile.knows_handshake(version->text) ||
                     (session_.server.profile.tutorial && version->text == "2024-11-05");
  if (!known && faults_.has("bogus-version-refused")) return refusal(kInvalidParams);
  if (!known && (faults_.has("bogus-version-echoed") ||
                 (version->text > "2024-11-05" && version->text < "2025-11-25" &&
                  faults_.has("near-version-echoed")) ||
                 (version->text == "2026-07-28" && faults_.has("modern-version-echoed"))))
    session_.server.memory.echoed_version = *version;
  if (faults_.has("fallback-version-not-spoken")) {
    const bool all = session_.server.profile.handshake.size() > 1;
    if (all && version->text == "2025-03-26") version->text = "2025-11-25";
    if (!known)
      session_.server.memory.echoed_version = json::string(
          session_.server.profile.name == "mcp-2025-03-26" ? "2024-11-05" : "2025-03-26");
  }
  if (!known && faults_.has("fallback-version-oldest"))
    version->text = session_.server.profile.handshake.front();
  const Value* info = params.find("clientInfo");
  if (info != nullptr && info->is_object() && other_members(*info, {"name", "version"}) &&
      faults_.has("client-info-extras-refused"))
    return refusal(kInvalidParams);
  const Value* capabilities = params.find("capabilities");
  if (capabilities != nullptr && capabilities->is_object() &&
      other_members(*capabilities, {"experimental", "roots", "sampling", "elicitation", "tasks"}) &&
      faults_.has("client-capabilities-unknown-refused"))
    return refusal(kInvalidParams);
  if (capabilities != nullptr && faults_.has("capability-members-refused") &&
      later_members(*capabilities))
    return refusal(kInvalidParams);
  return std::nullopt;
}

std::optional<Outcome> FaultInjector::instead_of(const CallPtr& shared) {
  Call& call = *shared;
  const bool mcp = session_.server.profile.mcp();
  FaultMemory& memory = session_.server.memory;
  if (faults_.has("crashes-on-request") && call.method != "initialize") std::abort();
  if (call.method == "tools/call" && faults_.has("exits-instead-of-reply")) {
    session_.exit_status = 0;
    return Silent{};
  }
  const bool needs_params = call.method == "tools/call" || call.method == "prompts/get" ||
                            call.method == "resources/read" || call.method == "completion/complete";
  if (needs_params && !call.has_params && faults_.has("absent-params-kill")) {
    session_.exit_status = 1;
    return Silent{};
  }
  const Value* cursor = call.params.is_object() ? call.params.find("cursor") : nullptr;
  if (cursor != nullptr &&
      ((!cursor->is_string() && faults_.has("cursor-type-crashes")) ||
       (cursor->text.size() > 1000 && faults_.has("unknown-cursor-crashes")))) {
    session_.exit_status = 1;
    return Silent{};
  }
  toil(call);
  if (call.method == "tools/call" && faults_.has("name-behind-arguments-unknown")) {
    const auto& members = call.params.members;
    const auto place = [&](std::string_view name) {
      return std::find_if(members.begin(), members.end(),
                          [&](const json::Member& one) { return one.name == name; });
    };
    if (place("arguments") < place("name")) return RpcError{kInvalidParams, "Unknown tool"};
  }
  if (call.method == "ping" && faults_.has("ping-late")) {
    session_.after(shared, 6 * kSecond, [](Session& session, const CallPtr& late) {
      session.finish(late, json::object());
    });
    return Later{};
  }
  const bool reused = !memory.used_ids.insert(call.key).second;
  if (reused && faults_.has("reused-id-kills")) session_.exit_status = 1;
  if (reused && faults_.has("reused-id-ignored")) return Silent{};
  if (session_.is_in_flight(call.id) && faults_.has("duplicate-inflight-id-hangs")) {
    memory.deaf = true;
    return Silent{};
  }
  if (call.id.is_string() && call.method != "initialize" && faults_.has("string-ids-refused"))
    return refusal(kInvalidRequest);
  if (call.params.is_array() && !session_.server.profile.plain) {
    if (faults_.has("params-array-kills")) session_.exit_status = 1;
    if (faults_.has("params-array-silent")) return Silent{};
  }
  if (call.method.rfind("notifications/", 0) == 0) {
    if (faults_.has("notification-name-with-id-kills")) session_.exit_status = 1;
    if (faults_.has("notification-name-with-id-silent")) return Silent{};
  }
  if (is_list(call.method) && call.params.is_object() &&
      other_members(call.params, {"_meta", "cursor"})) {
    if (faults_.has("extra-params-kill")) session_.exit_status = 1;
    if (faults_.has("extra-params-refused")) return refusal(kInvalidParams);
  }
  const bool hidden = call.method == "completion/complete" ||
                      (call.method == "logging/setLevel" && session_.version == "2024-11-05");
  if (hidden && faults_.has("undeclared-feature-other-code")) return refusal(kInternalError);
  if (session_.server.profile.plain) return std::nullopt;
  if (auto outcome = odd_meta(call)) return outcome;
  if (auto outcome = odd_input(call)) return outcome;
  if (mcp) {
    if (auto outcome = odd_narrow(call)) return outcome;
    if (auto outcome = odd_tools(call)) return outcome;
  }
  const bool stateless =
      mcp &&
      dynamic_cast<Mcp&>(*session_.server.dialect).is_stateless(session_, call.method, call.params);
  if (auto outcome = odd_lifecycle(call, stateless)) return outcome;
  if (stateless) {
    if (auto outcome = odd_stateless(call)) return outcome;
  }
  const Value* calls = call.params.is_object() ? call.params.find("calls") : nullptr;
  if (call.method == "tools/batch_call" && calls != nullptr && calls->is_array() &&
      calls->items.empty() && faults_.has("batch-call-empty-silent"))
    return Silent{};
  return std::nullopt;
}

}  // namespace harness::reference
