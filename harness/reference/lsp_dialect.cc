// SPDX-License-Identifier: Apache-2.0
// Profile lsp: the life cycle of language servers, cancellation, progress and what a server asks
// its client; and workspace/symbol, slow for the query "slow". Documents are in lsp_language.h.

#include "harness/json/read.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/lsp_language.h"
#include "harness/reference/session.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr int kServerNotInitialized = -32002;
constexpr int kRequestCancelled = -32800;
constexpr Micros kSlow = 300000;
constexpr Micros kMoment = 5000;
constexpr std::int64_t kMostId = std::int64_t{1} << 31;

constexpr const char* kTokenOfServer = "reference-1";

bool is_id(const Value& id) {
  if (id.is_string()) return true;
  const auto number = json::as_integer(id);
  return id.is_number() && json::is_integer(id) && number && *number >= -kMostId &&
         *number < kMostId;
}

bool is_declared(const Value& capabilities, std::string_view pointer) {
  const Value* declared = json::at(capabilities, std::string(pointer));
  return declared != nullptr && declared->is_boolean() && declared->boolean;
}

Value text_message(const char* message) {
  return json::object({{"type", json::number(3)}, {"message", json::string(message)}});
}

class Lsp final : public Dialect {
 public:
  explicit Lsp(Server& server) : server_(server), language_(server.faults) {}

  bool allows_id(const Value& id) const override { return is_id(id); }
  bool takes_batches(const Session&) const override { return false; }
  bool allows_in_batch(std::string_view) const override { return true; }
  bool ignores_stray_responses() const override { return true; }
  void dress(const Call&, Value&) override {}

  Outcome answer(Session& session, const CallPtr& call) override {
    const std::string& method = call->method;
    if (method == "initialize") return initialize(session, *call);
    if (session.version.empty()) return early(session);
    if (shut_down_) return RpcError{kInvalidRequest, "Invalid Request: shut down"};
    if (has("lsp-code-not-initialized") || has("lsp-code-reserved") || has("lsp-code-cancelled") ||
        has("lsp-code-server-cancelled"))
      return odd_code();
    if (method == "shutdown") return shutdown(session, *call);
    if (method == "workspace/symbol") return symbols(session, call);
    if (auto known = language_.answer(session, *call)) return std::move(*known);
    const RpcError unknown{kMethodNotFound, "Method not found"};
    if (!has("lsp-cancelled-unanswered")) return unknown;
    session.after(call, kMoment, [unknown](Session& s, const CallPtr& c) { s.finish(c, unknown); });
    return Later{};
  }

  void hear(Session& session, const std::string& method, const Value& params) override {
    if (method == "exit") return leave(session);
    if (session.version.empty()) {
      if (has("lsp-early-notification-answered")) answer_notification(session);
      if (has("lsp-early-notification-kills")) session.exit_status = 1;
      return;
    }
    if (shut_down_) {
      if (has("lsp-late-notification-answered")) answer_notification(session);
      return;
    }
    if (method == "$/cancelRequest") {
      language_.after_cancel = has("lsp-empty-after-cancel");
      return cancel(session, params);
    }
    if (method.starts_with("textDocument/did")) language_.hear(session, method, params);
    if (method == "initialized") return initialized(session);
    if (method == "workspace/didChangeConfiguration") return renew_registrations(session);
    if (method == "$/setTrace" && has("lsp-set-trace-answered")) answer_notification(session);
    if (method.starts_with("$/rpcspec") && has("lsp-dollar-notification-answered"))
      answer_notification(session);
    if (method == "textDocument/didChange" && has("lsp-bad-notification-answered"))
      answer_notification(session);
    if (method == "textDocument/didClose" && has("lsp-unopened-document-kills"))
      session.exit_status = 1;
    if (method == "window/workDoneProgress/cancel" && has("lsp-progress-cancel-answered"))
      answer_notification(session);
  }

 private:
  bool has(FaultName fault) const { return server_.faults.has(fault); }

  // ---- the beginning

  std::optional<RpcError> refusal(const Value& params) const {
    const auto null = [&](const char* name) {
      const Value* member = params.find(name);
      return member != nullptr && member->is_null();
    };
    const Value* folders = params.find("workspaceFolders");
    const Value* told = params.find("capabilities");
    const Value capabilities = told && told->is_object() ? *told : json::object();
    const Value* general = capabilities.find("general");
    const bool unknown = capabilities.find("xTest") != nullptr ||
                         json::at(capabilities, "/textDocument/xTest") != nullptr ||
                         (general && general->find("xTest"));
    const bool refused =
        (null("processId") && !capabilities.members.empty() && has("lsp-null-process-refused")) ||
        (folders && folders->is_array() && folders->items.empty() &&
         has("lsp-no-folders-refused")) ||
        (unknown && has("lsp-unknown-capability-refused"));
    if (refused) return bad_params("something is missing");
    return std::nullopt;
  }

  std::string encoding(const Value& params) const {
    const Value* first = json::at(params, "/capabilities/general/positionEncodings/0");
    if (has("lsp-encoding-utf-32")) return "utf-32";
    if (first && has("lsp-encoding-first-offered")) return first->text;
    return "utf-16";
  }

  Outcome initialize(Session& session, const Call& call) {
    if (!session.version.empty())
      return RpcError{kInvalidRequest, "Invalid Request: initialized already"};
    if (!call.params.is_object()) return bad_params("an object was expected");
    if (auto refused = refusal(call.params)) return std::move(*refused);
    session.version = "3.17";
    const Value* told = call.params.find("capabilities");
    session.client_capabilities = told && told->is_object() ? *told : json::object();
    if (const Value* trace = call.params.find("trace")) trace_ = trace->text;
    if (has("lsp-speaks-before-initialized")) {
      session.notify("$/progress",
                     json::object({{"token", json::string("own")}, {"value", json::object()}}),
                     &call);
    }
    Value capabilities = LspLanguage::capabilities();
    capabilities.set("workspaceSymbolProvider", json::parse(R"({"workDoneProgress":true})"));
    capabilities.set("positionEncoding", json::string(encoding(call.params)));
    edit(server_.faults, "lsp-capabilities", capabilities);
    Value info = json::object({{"name", json::string("rpcspec-reference-server")},
                               {"version", json::string(RPCSPEC_VERSION)}});
    if (has("lsp-server-info-without-name")) info.members.erase(info.members.begin());
    return json::object({{"capabilities", std::move(capabilities)}, {"serverInfo", info}});
  }

  Outcome early(Session& session) {
    if (has("lsp-early-request-kills")) session.exit_status = 1;
    return RpcError{kServerNotInitialized, "Server not initialized"};
  }

  void initialized(Session& session) {
    if (session.initialized) {
      if (has("lsp-second-initialized-kills")) session.exit_status = 1;
      return;
    }
    session.initialized = true;
    Value ready = text_message("ready");
    edit(server_.faults, "lsp-log", ready);
    session.notify("window/logMessage", std::move(ready), nullptr);
    if (has("lsp-telemetry-text")) session.notify("telemetry/event", json::string("on"), nullptr);
    if (has("lsp-trace-unasked") || (trace_ != "off" && !trace_.empty())) trace(session);
    if (has("lsp-progress-unknown-token")) progress(session, json::string("nobody"), "begin");
    ask_client(session);
  }

  void trace(Session& session) const {
    Value params = json::object({{"message", json::string("initialized was received")}});
    if (trace_ == "verbose" || has("lsp-trace-verbose"))
      params.set("verbose", json::string("in full"));
    session.notify("$/logTrace", std::move(params), nullptr);
  }

  // ---- what it asks its client

  static void ask(Session& session, std::string_view method, Value params,
                  Session::Answered answered) {
    auto call = std::make_shared<Call>();
    call->faults = &session.server.faults;
    session.ask(call, method, std::move(params), std::move(answered));
  }

  void ask_client(Session& session) {
    const Value& client = session.client_capabilities;
    if (is_declared(client, "/workspace/configuration") || has("lsp-asks-undeclared")) {
      Value items = json::parse(R"([{"section":"reference"}])");
      if (has("lsp-configuration-without-items")) items = json::null();
      const bool dies = has("lsp-null-settings-kill"), frail = has("lsp-error-answer-kills");
      ask(session, "workspace/configuration", json::object({{"items", std::move(items)}}),
          [dies, frail](Session& s, const CallPtr&, const Value& response) {
            if (dies && json::at(response, "/result/0")) s.exit_status = 1;
            if (frail && response.find("error")) s.exit_status = 1;
          });
    }
    if (is_declared(client, "/workspace/didChangeWatchedFiles/dynamicRegistration"))
      register_watchers(session);
    Value registrations = json::array();
    edit(server_.faults, "lsp-registrations", registrations);
    for (const Value& one : registrations.items) register_one(session, one);
    if (json::at(client, "/window/showMessage/messageActionItem")) ask_user(session);
    if (json::at(client, "/experimental")) {
      const bool dies = has("lsp-own-request-refusal-kills");
      ask(session, "$/reference/ready", json::object({}),
          [dies](Session& s, const CallPtr&, const Value& response) {
            if (dies && response.find("error")) s.exit_status = 1;
          });
    }
    if (is_declared(client, "/window/workDoneProgress") || has("lsp-creates-progress-undeclared"))
      ask(session, "window/workDoneProgress/create",
          json::object({{"token", json::string(kTokenOfServer)}}),
          [this](Session& s, const CallPtr&, const Value& response) {
            if (response.find("error") && !has("lsp-progress-refused-token")) return;
            progress(s, json::string(kTokenOfServer), "begin");
            if (has("lsp-created-token-begun-twice"))
              progress(s, json::string(kTokenOfServer), "begin");
            progress(s, json::string(kTokenOfServer), "end");
          });
    if (is_declared(client, "/window/workDoneProgress") && has("lsp-token-created-twice"))
      ask(session, "window/workDoneProgress/create",
          json::object({{"token", json::string(kTokenOfServer)}}),
          [](Session&, const CallPtr&, const Value&) {});
  }

  void register_watchers(Session& session) const {
    Value one = json::parse(R"({"id":"files","method":"workspace/didChangeWatchedFiles"})");
    if (has("lsp-registration-without-id")) one.members.erase(one.members.begin());
    register_one(session, std::move(one));
  }
  static void register_one(Session& session, Value one) {
    ask(session, "client/registerCapability",
        json::object({{"registrations", json::array({std::move(one)})}}),
        [](Session&, const CallPtr&, const Value&) {});
  }

  // Other settings may name other files.
  void renew_registrations(Session& session) const {
    if (!is_declared(session.client_capabilities,
                     "/workspace/didChangeWatchedFiles/dynamicRegistration"))
      return;
    Value gone = json::parse(R"({"id":"files","method":"workspace/didChangeWatchedFiles"})");
    if (has("lsp-unregisters-unknown")) gone.set("id", json::string("folders"));
    ask(session, "client/unregisterCapability",
        json::object({{"unregisterations", json::array({std::move(gone)})}}),
        [this](Session& s, const CallPtr&, const Value&) { register_watchers(s); });
  }

  void ask_user(Session& session) const {
    Value params = text_message("Count the files?");
    params.set("actions", json::parse(R"([{"title":"Yes"},{"title":"No"}])"));
    ask(session, "window/showMessageRequest", std::move(params),
        [this](Session& s, const CallPtr&, const Value& response) {
          const Value* chosen = response.find("result");
          if (!chosen || !chosen->is_null()) return;
          if (has("lsp-no-choice-kills")) s.exit_status = 1;
          if (has("lsp-no-choice-asks-again")) ask_user(s);
        });
  }

  // ---- progress

  void progress(Session& session, const Value& token, std::string kind) {
    Value value = json::object({{"kind", json::string(kind)}});
    if (kind == "begin") value.set("title", json::string("Indexing"));
    if (kind == "report") value.set("percentage", json::number(50));
    if (has("lsp-progress-percentage-101") && kind == "report")
      value.set("percentage", json::number(101));
    if (has("lsp-progress-kind-other")) value.set("kind", json::string("started"));
    if (has("lsp-progress-without-begin") && kind == "begin") return;
    Value shown = token;
    if (has("lsp-progress-token-as-text") && token.is_number()) shown = json::string(token.text);
    session.notify("$/progress",
                   json::object({{"token", std::move(shown)}, {"value", std::move(value)}}),
                   nullptr);
  }

  Outcome symbols(Session& session, const CallPtr& call) {
    const Value* query = call->params.find("query");
    if (query == nullptr || !query->is_string()) return bad_params("query has to be a string");
    const Value* given = call->params.find("workDoneToken");
    const std::optional<Value> token =
        given && (given->is_string() || given->is_number()) ? std::optional(*given) : std::nullopt;
    if (token) progress(session, *token, "begin");
    if (token) progress(session, *token, "report");
    const bool after = has("lsp-progress-after-reply");
    if (token && !after && !has("lsp-progress-unended")) progress(session, *token, "end");
    if (token && has("lsp-progress-ends-twice")) progress(session, *token, "end");
    if (query->text != "slow") {
      Value found = found_symbols(session, *call, query->text);
      if (!token || !after) return found;
      session.finish(call, std::move(found));
      progress(session, *token, "end");
      return Later{};
    }
    session.after(call, kSlow,
                  [](Session& s, const CallPtr& done) { s.finish(done, json::array()); });
    return Later{};
  }

  // What the query finds: nothing but for the empty one, which finds all. It comes in parts where
  // the client wants that.
  Value found_symbols(Session& session, const Call& call, const std::string& query) const {
    Value found = json::array();
    if (!query.empty()) return found;
    found = json::parse(
        R"([{"name":"main","kind":12,"location":{"uri":"file:///reference.c",)"
        R"("range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}}}}])");
    const Value* part = call.params.find("partialResultToken");
    if (!part || (!part->is_string() && !part->is_number())) return found;
    Value value = has("lsp-partial-bare-item") ? found.items[0]
                  : has("lsp-partial-empty")   ? json::array()
                                               : found;
    session.notify("$/progress", json::object({{"token", *part}, {"value", std::move(value)}}),
                   &call);
    return has("lsp-partial-and-whole") ? found : json::array();
  }

  // ---- cancellation

  void cancel(Session& session, const Value& params) {
    const Value* id = params.is_object() ? params.find("id") : nullptr;
    if (id == nullptr || !is_id(*id)) {
      if (has("lsp-malformed-cancel-kills")) session.exit_status = 1;
      return;
    }
    if (has("lsp-cancel-ends-all")) {
      while (const CallPtr any = session.any_under_way()) end(session, any);
      return;
    }
    CallPtr call = session.under_way(*id);
    if (!call && has("lsp-cancel-any-id-type"))
      call = session.under_way(id->is_string() ? json::parse(id->text) : json::string(id->text));
    if (call) return end(session, call);
    if (has("lsp-unknown-cancel-answered")) answer_notification(session);
  }

  void end(Session& session, const CallPtr& call) {
    if (has("lsp-cancelled-unanswered")) {
      session.cancel(call->id);
      return;
    }
    const int code = has("lsp-cancelled-code-other") ? -32000 : kRequestCancelled;
    const CallPtr again = std::make_shared<Call>(*call);
    session.finish(call, RpcError{code, "Request cancelled"});
    if (!has("lsp-cancelled-answered-twice")) return;
    again->deferred = false;
    session.finish(again, json::array());
  }

  Outcome odd_code() const {
    const int code = has("lsp-code-not-initialized") ? kServerNotInitialized
                     : has("lsp-code-reserved")      ? -32850
                     : has("lsp-code-cancelled")     ? kRequestCancelled
                                                     : -32802;
    return RpcError{code, "No"};
  }

  // ---- the end

  Outcome shutdown(Session& session, const Call& call) {
    if (call.has_params && has("lsp-shutdown-with-params-silent")) return Silent{};
    if (has("lsp-shutdown-silent")) return Silent{};
    shut_down_ = true;
    if (has("lsp-shutdown-drops-open")) session.cancel_all();
    if (has("lsp-shutdown-ends")) session.exit_status = 0;
    return has("lsp-shutdown-result-object") ? json::object() : json::null();
  }

  void leave(Session& session) {
    if (has("lsp-exit-ignored")) return;
    if (session.version.empty() && has("lsp-early-exit-ignored")) return;
    if (has("lsp-exit-answered")) answer_notification(session);
    session.exit_status = shut_down_ ? 0 : 1;
    if (has("lsp-exit-code-3")) session.exit_status = 3;
    if (has("lsp-exit-code-always-0")) session.exit_status = 0;
  }

  Server& server_;
  LspLanguage language_;
  std::string trace_;
  bool shut_down_ = false;
};

}  // namespace

std::unique_ptr<Dialect> make_lsp_dialect(Server& server) { return std::make_unique<Lsp>(server); }

}  // namespace harness::reference
