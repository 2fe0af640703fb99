// SPDX-License-Identifier: Apache-2.0
// Lifecycle, admission and dispatch of MCP requests.
#include "harness/reference/mcp_dialect.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/reference/mcp_fixtures.h"

namespace harness::reference {
namespace {

using json::Value;

const Value* meta_of(const Value& params) {
  const Value* meta = params.is_object() ? params.find("_meta") : nullptr;
  return meta != nullptr && meta->is_object() ? meta : nullptr;
}

Value list_of(const std::vector<std::string>& texts) {
  Value list = json::array();
  for (const std::string& text : texts) list.items.push_back(json::string(text));
  return list;
}

bool is_implementation(const Value* info) {
  if (info == nullptr || !info->is_object()) return false;
  const Value* name = info->find("name");
  const Value* version = info->find("version");
  return name != nullptr && name->is_string() && version != nullptr && version->is_string();
}

Value server_info() {
  return json::object({{"name", json::string("rpcspec-reference-server")},
                       {"version", json::string(RPCSPEC_VERSION)}});
}

constexpr const char* kInstructions = "A sound server to test testers with.";

}  // namespace

const std::vector<std::string>& log_levels() {
  static const std::vector<std::string> levels = {"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};
  return levels;
}

std::optional<int> log_level_named(const Value* level) {
  if (level == nullptr || !level->is_string()) return std::nullopt;
  const auto& levels = log_levels();
  const auto found = std::find(levels.begin(), levels.end(), level->text);
  if (found == levels.end()) return std::nullopt;
  return static_cast<int>(found - levels.begin());
}

std::unique_ptr<Dialect> make_mcp_dialect(Server& server) { return std::make_unique<Mcp>(server); }

Mcp::Mcp(Server& server) : server_(server) {}

const std::vector<Mcp::Row>& Mcp::rows() {
  static const std::vector<Row> table = {
      {"initialize", &Mcp::initialize, true, false},
      {"ping", &Mcp::ping, true, false},
      {"server/discover", &Mcp::discover, false, true},
      {"subscriptions/listen", &Mcp::listen, false, true},
      {"logging/setLevel", &Mcp::set_level, true, false},
      {"tools/list", &Mcp::tools_list, true, true},
      {"tools/call", &Mcp::tools_call, true, true},
      {"resources/list", &Mcp::resources_list, true, true},
      {"resources/templates/list", &Mcp::templates_list, true, true},
      {"resources/read", &Mcp::resources_read, true, true},
      {"resources/subscribe", &Mcp::subscribe, true, false},
      {"resources/unsubscribe", &Mcp::unsubscribe, true, false},
      {"prompts/list", &Mcp::prompts_list, true, true},
      {"prompts/get", &Mcp::prompts_get, true, true},
      {"completion/complete", &Mcp::complete, true, true},
      {"skills/list", &Mcp::skills_list, false, true},
      {"skills/get", &Mcp::skills_get, false, true},
      {"resources/directory/read", &Mcp::directory_read, false, true},
      {"tasks/get", &Mcp::tasks_get, true, true},
      {"tasks/result", &Mcp::tasks_result, true, true},
      {"tasks/cancel", &Mcp::tasks_cancel, true, true},
      {"tasks/list", &Mcp::tasks_list, true, true},
      {"tasks/update", &Mcp::tasks_update, false, true},
  };
  return table;
}

namespace {

// What a sound server may do without: neither declared nor served.
struct Feature {
  std::string_view name;
  std::vector<std::string_view> capability;  // names of members, one inside the other
  std::string_view methods;                  // how the names of its methods begin
};

const std::vector<Feature>& optional_features() {
  static const std::vector<Feature> table = {
      {"tools", {"tools"}, "tools/"},
      {"resources", {"resources"}, "resources/"},
      {"resources/subscribe", {"resources", "subscribe"}, "resources/subscribe"},
      {"prompts", {"prompts"}, "prompts/"},
      {"completions", {"completions"}, "completion/"},
      {"logging", {"logging"}, "logging/"},
      {"tasks", {"tasks"}, "tasks/"},
      {"tasks", {"extensions", kTasksExtension}, "tasks/"},
      {"tasks/list", {"tasks", "list"}, "tasks/list"},
      {"tasks/cancel", {"tasks", "cancel"}, "tasks/cancel"},
      {"skills", {"extensions", kSkillsExtension}, "skills/"},
  };
  return table;
}

}  // namespace

bool is_optional_feature(std::string_view name) {
  return std::ranges::find(optional_features(), name, &Feature::name) != optional_features().end();
}

bool Mcp::lacks(std::string_view method) const {
  return std::ranges::any_of(optional_features(), [&](const Feature& one) {
    return std::ranges::find(server_.without, one.name) != server_.without.end() &&
           method.starts_with(one.methods);
  });
}

bool Mcp::allows_id(const Value& id) const {
  if (id.is_null()) return faults().has("null-id-served");
  return id.is_string() || (id.is_number() && json::is_integer(id));
}

bool Mcp::takes_batches(const Session& session) const {
  if (server_.profile.handshake.empty()) return false;
  const std::string& version =
      session.version.empty() ? server_.profile.handshake.back() : session.version;
  if (faults().has("batch-served-where-removed")) return true;
  return version <= "2025-03-26";
}

bool Mcp::allows_in_batch(std::string_view method) const {
  return method != "initialize" || faults().has("batch-with-initialize-served");
}

bool Mcp::is_stateless(const Session& session, const std::string& method,
                       const Value& params) const {
  if (server_.profile.handshake.empty()) return true;
  if (server_.profile.stateless.empty()) return false;
  if (session.stateless_hint) return true;
  if (const Value* meta = meta_of(params)) {
    if (meta->find(meta_name("protocolVersion")) != nullptr ||
        meta->find(meta_name("clientCapabilities")) != nullptr)
      return true;
  }
  return session.version.empty() &&
         (method == "server/discover" || method == "subscriptions/listen");
}

std::optional<RpcError> Mcp::admit(Session& session, Call& call) {
  call.stateless = is_stateless(session, call.method, call.params);
  if (call.params.is_array()) return bad_params("params have to be an object");
  const Value* meta = call.params.find("_meta");
  if (call.stateless) {
    if (auto error = admit_stateless(call)) {
      error->refused = true;
      return error;
    }
  } else {
    if (meta != nullptr && !meta->is_object()) return bad_params("_meta has to be an object");
    call.version = session.version;
    call.client_capabilities = session.client_capabilities;
    call.log_level = session.log_level;
  }
  if (meta != nullptr) {
    if (const Value* token = meta->find("progressToken")) {
      if (!token->is_string() && !(token->is_number() && json::is_integer(*token)))
        return bad_params("progressToken has to be a string or an integer");
      call.progress_token = *token;
    }
  }
  return std::nullopt;
}

std::optional<RpcError> Mcp::admit_stateless(Call& call) {
  const Value* meta = meta_of(call.params);
  const Value supported = list_of(server_.profile.supported());
  if (meta == nullptr) {
    RpcError error = bad_params("_meta with protocolVersion and clientCapabilities is required");
    if (call.method == "initialize") error.data = json::object({{"supported", supported}});
    return error;
  }
  const Value* version = meta->find(meta_name("protocolVersion"));
  const Value* capabilities = meta->find(meta_name("clientCapabilities"));
  const Value* info = meta->find(meta_name("clientInfo"));
  const Value* level = meta->find(meta_name("logLevel"));
  if (version == nullptr || !version->is_string())
    return bad_params("_meta lacks " + meta_name("protocolVersion"));
  const bool optional =
      call.method == "subscriptions/listen" && faults().has("listen-meta-optional");
  if (!optional && (capabilities == nullptr || !capabilities->is_object()))
    return bad_params("_meta lacks " + meta_name("clientCapabilities"));
  if (info != nullptr && !is_implementation(info)) return bad_params("clientInfo is malformed");
  if (!server_.profile.knows_stateless(version->text)) {
    return RpcError{kUnsupportedVersion, "Unsupported protocol version",
                    json::object({{"supported", supported}, {"requested", *version}})};
  }
  call.log_level = static_cast<int>(log_levels().size());
  if (level != nullptr) {
    const auto severity = log_level_named(level);
    if (!severity && faults().has("log-level-unknown-internal"))
      return RpcError{kInternalError, "No level"};
    if (!severity && !faults().has("log-level-unknown-taken") &&
        !faults().has("log-level-of-request-unchecked"))
      return bad_params("unknown log level");
    if (severity) call.log_level = *severity;
  }
  call.version = version->text;
  if (capabilities != nullptr) call.client_capabilities = *capabilities;
  return std::nullopt;
}

Outcome Mcp::answer(Session& session, const CallPtr& call) {
  if (cancelled_ahead_.count(call->key) > 0 && faults().has("cancel-remembered")) return Silent{};
  if (auto error = admit(session, *call)) return *error;
  const Row* row = nullptr;
  for (const Row& one : rows())
    if (call->method == one.name) row = &one;
  if (!call->stateless && session.version.empty() && call->method != "initialize" &&
      call->method != "ping") {
    return RpcError{kInvalidRequest, "Invalid Request: the session is not initialized",
                    std::nullopt, true};
  }
  if (row == nullptr || !(call->stateless ? row->stateless : row->handshake) || lacks(row->name))
    return RpcError{kMethodNotFound, "Method not found"};
  return (this->*row->method)(session, call);
}

void Mcp::dress(const Call& call, Value& result) {
  if (!call.stateless || !result.is_object()) return;
  if (result.find("resultType") == nullptr) result.set("resultType", json::string("complete"));
  Value meta = json::object();
  if (const Value* given = result.find("_meta")) meta = *given;
  meta.set(meta_name("serverInfo"), server_info());
  result.set("_meta", std::move(meta));
}

Value Mcp::capabilities(const std::string& version) const {
  const Value change = json::object({{"listChanged", json::boolean(true)}});
  Value resources = change;
  resources.set("subscribe", json::boolean(!faults().has("subscribe-undeclared-served")));
  Value capabilities = json::object({{"logging", json::object()},
                                     {"prompts", change},
                                     {"resources", resources},
                                     {"tools", change}});
  if (version != "2024-11-05") capabilities.set("completions", json::object());
  if (version == "2025-11-25" && !faults().has("task-capability-undeclared")) {
    capabilities.set(
        "tasks", json::parse(faults().has("task-list-and-cancel-undeclared")
                                 ? R"({"requests":{"tools":{"call":{}}}})"
                                 : R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})"));
  }
  if (version == "2026-07-28") {
    Value extensions = json::object();
    if (!faults().has("skills-undeclared"))
      extensions.set(kSkillsExtension, skills_settings(faults()));
    if (!faults().has("app-extension-undeclared")) extensions.set(kAppsExtension, json::object());
    if (faults().has("skills-without-resources"))
      std::erase_if(capabilities.members,
                    [](const json::Member& one) { return one.name == "resources"; });
    if (!faults().has("task-ext-unadvertised")) extensions.set(kTasksExtension, json::object());
    capabilities.set("extensions", std::move(extensions));
  }
  if (faults().has("app-resources-undeclared"))
    std::erase_if(capabilities.members,
                  [](const json::Member& one) { return one.name == "resources"; });
  if (faults().has("listen-acknowledges-undeclared")) capabilities.set("prompts", json::object());
  for (const Feature& one : optional_features()) {
    if (!lacks(one.methods)) continue;
    Value* holder = &capabilities;
    for (std::size_t depth = 0; holder != nullptr && depth + 1 < one.capability.size(); ++depth)
      holder = holder->find(one.capability[depth]);
    if (holder == nullptr) continue;
    std::erase_if(holder->members, [&](const json::Member& member) {
      return member.name == one.capability.back();
    });
  }
  return capabilities;
}

Outcome Mcp::initialize(Session& session, const CallPtr& call) {
  if (!session.version.empty()) {
    return RpcError{kInvalidRequest, "Invalid Request: the session is already initialized",
                    std::nullopt, true};
  }
  const Value* wanted = call->params.find("protocolVersion");
  const Value* capabilities_given = call->params.find("capabilities");
  if (wanted == nullptr || !wanted->is_string() || capabilities_given == nullptr ||
      !capabilities_given->is_object() || !is_implementation(call->params.find("clientInfo")))
    return bad_params("protocolVersion, capabilities and clientInfo are required");
  const std::string version = server_.profile.knows_handshake(wanted->text)
                                  ? wanted->text
                                  : server_.profile.handshake.back();
  session.version = version;
  session.client_capabilities = *capabilities_given;
  return json::object({{"protocolVersion", json::string(version)},
                       {"capabilities", capabilities(version)},
                       {"serverInfo", server_info()},
                       {"instructions", json::string(kInstructions)}});
}

Outcome Mcp::ping(Session&, const CallPtr&) { return json::object(); }

Outcome Mcp::discover(Session&, const CallPtr& call) {
  Value result = json::object({{"supportedVersions", list_of(server_.profile.supported())},
                               {"capabilities", capabilities(call->version)},
                               {"instructions", json::string(kInstructions)}});
  cacheable(*call, result, 3600000, "public");
  return result;
}

Outcome Mcp::set_level(Session& session, const CallPtr& call) {
  const auto level = log_level_named(call->params.find("level"));
  const bool unknown = faults().has("log-level-notice-unknown") && level == 2;
  if (!level || unknown) {
    if (faults().has("log-level-unknown-resets")) session.log_level = 0;
    return bad_params("level is not a log level");
  }
  if (faults().has("log-level-set-once") && server_.memory.tally["level-set"]++ > 0)
    return json::object();
  if (*level < session.log_level && faults().has("log-level-only-rises")) return json::object();
  session.log_level = *level;
  if (faults().has("log-level-of-all-clients"))
    for (Session* other : server_.sessions) other->log_level = *level;
  return json::object();
}

void Mcp::hear(Session& session, const std::string& method, const Value& params) {
  if (method == "notifications/initialized") {
    if (session.initialized && faults().has("initialized-twice-kills")) session.exit_status = 1;
    if (params.is_object() && params.find("_meta") != nullptr &&
        faults().has("initialized-with-meta-kills"))
      session.exit_status = 1;
    session.initialized = !session.version.empty();
  } else if (method == "notifications/cancelled") {
    hear_cancelled(session, params);
  } else if (method == "notifications/roots/list_changed") {
    hear_roots_changed(session);
  } else if (method == "notifications/progress" && faults().has("client-progress-kills")) {
    session.weigh_progress(params);
  }
}

// The roots are asked for when a tool wants them, so there is nothing to keep up to date.
void Mcp::hear_roots_changed(Session& session) {
  if (faults().has("roots-change-kills")) session.exit_status = 1;
  if (faults().has("roots-asked-at-change") && session.initialized) {
    auto nobody = std::make_shared<Call>();
    nobody->faults = &faults();
    session.ask(nobody, "roots/list", json::object(),
                [](Session&, const CallPtr&, const Value&) {});
  }
}

void Mcp::progress(Session& session, const Call& call, int done, int total,
                   const std::string& text) {
  const auto& latest = server_.memory.latest_token;
  const bool kept = latest && faults().has("progress-token-kept");
  if (!call.progress_token && !kept) return;
  Value token = call.progress_token ? *call.progress_token : *latest;
  if (faults().has("progress-token-as-string") && token.is_number())
    token = json::string(token.text);
  if (faults().has("progress-latest-token")) token = *server_.memory.latest_token;
  Value amount = json::number(done);
  if (faults().has("progress-as-string")) amount = json::string(amount.text);
  Value params = json::object({{"progressToken", std::move(token)},
                               {"progress", std::move(amount)},
                               {"total", json::number(total)}});
  if (call.version != "2024-11-05")
    params.set("message", json::string(faults().has("progress-message-empty") ? "" : text));
  tell_listeners_too("notifications/progress", params);
  session.notify("notifications/progress", std::move(params), &call);
}

bool Mcp::is_below(int severity, int threshold) {
  if (!faults().any()) return severity < threshold;
  const int none = static_cast<int>(log_levels().size());
  if (faults().has("log-threshold-ignored") && threshold < none) return false;
  if (faults().has("log-threshold-by-text") && threshold < none)
    return log_levels()[severity] < log_levels()[threshold];
  if (faults().has("log-threshold-exclusive")) return severity <= threshold;
  if (faults().has("log-threshold-one-short")) return severity < threshold - 1;
  if (faults().has("log-threshold-exact")) return severity != threshold;
  // As in libraries that know no notice: it counts for less than info.
  if (severity == 2 && threshold == 1 && faults().has("log-notice-below-info")) return true;
  int& remembered = server_.memory.tally["log-level-asked"];
  if (threshold < none) remembered = threshold + 1;
  if (faults().has("log-level-remembered") && threshold == none && remembered > 0)
    return severity < remembered - 1;
  return severity < threshold;
}

void Mcp::log(Session& session, const Call& call, std::string_view level, const std::string& text) {
  const Value name = json::string(level);
  // The level of a session may have been changed since the call began.
  const int threshold = call.stateless ? call.log_level : session.log_level;
  if (is_below(*log_level_named(&name), threshold)) return;
  const Value params = json::object(
      {{"level", name}, {"logger", json::string("fixtures")}, {"data", json::string(text)}});
  tell_listeners_too("notifications/message", params);
  session.notify("notifications/message", params, &call);
}

void Mcp::tell(Session& session, const std::string& method, Value params) {
  std::optional<Value> given;
  if (!params.members.empty()) given = std::move(params);
  session.notify(method, std::move(given), nullptr);
}

}  // namespace harness::reference
