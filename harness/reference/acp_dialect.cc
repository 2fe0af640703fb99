// SPDX-License-Identifier: Apache-2.0
// Profile acp-1: an agent without a model. What a prompt says is what it does:
//
//   "slow" waits to be cancelled; "file" reads and asks to write; "run" uses a terminal;
//   anything else comes back as the agent's message
//
// What it may ask of its client it asks one after the other; then the prompt ends.
#include <algorithm>
#include <vector>

#include "harness/json/read.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/session.h"

namespace harness::reference {
namespace {

using json::Value;

bool client_can(const Value& capabilities, std::string_view pointer) {
  const Value* declared = json::at(capabilities, pointer);
  return declared != nullptr && (declared->is_object() || declared->boolean);
}

// A conversation with the agent.
struct Talk {
  std::string id, folder;
  std::vector<std::string> said;  // by the user
  CallPtr prompt;                 // under way
};

// A request to the client.
struct ToAsk {
  std::string method;
  Value params;
};

class Acp final : public Dialect {
 public:
  explicit Acp(Server& server) : server_(server) {}

  bool allows_id(const Value& id) const override {
    return id.is_string() || id.is_null() || (id.is_number() && json::is_integer(id));
  }
  bool takes_batches(const Session&) const override { return false; }
  bool allows_in_batch(std::string_view) const override { return true; }
  bool ignores_stray_responses() const override { return true; }
  void dress(const Call&, Value&) override {}

  Outcome answer(Session& session, const CallPtr& call) override {
    const std::string& method = call->method;
    if (method == "initialize") return initialize(session, *call);
    if (!method.starts_with("session/")) return other(session, call);
    if (session.version.empty()) return RpcError{kInvalidRequest, "initialize comes first"};
    if (method == "session/new") return open(*call);
    if (method == "session/list") return list(*call);
    const Value* id = string_member(call->params, "sessionId");
    if (id == nullptr) return bad_params("sessionId has to be a string");
    if (method == "session/delete") return remove(id->text);
    if (!kAbout.contains(method)) return unknown();
    Talk* talk = find(id->text);
    if (talk == nullptr) return RpcError{kNotFound, "Resource not found: " + id->text};
    if (method == "session/prompt") return prompt(session, call, *talk);
    if (method == "session/set_config_option") return set_option(*call);
    if (method == "session/close") return close(session, *talk);
    if (method == "session/load") return load(session, call, *talk);
    if (method == "session/resume" && has("acp-resume-replays")) replay(session, *call, *talk);
    return method == "session/set_mode" ? json::object() : state(session);
  }

  void hear(Session& session, const std::string& method, const Value& params) override {
    if (method == "session/cancel") {
      if (has("acp-cancel-answered")) answer_notification(session);
      const Value* id = string_member(params, "sessionId");
      if (Talk* talk = id != nullptr ? find(id->text) : nullptr) cancel(session, *talk);
    } else if (method == "$/cancel_request") {
      const Value* id = params.is_object() ? params.find("requestId") : nullptr;
      const CallPtr call = id != nullptr ? session.under_way(*id) : nullptr;
      if (call == nullptr && has("acp-unknown-cancel-answered")) answer_notification(session);
      if (call == nullptr) return;
      if (has("acp-cancelled-request-silent")) return static_cast<void>(session.cancel(*id));
      session.finish(call, RpcError{kRequestCancelled, "Request cancelled"});
    } else if (has("acp-extension-notification-answered")) {
      answer_notification(session);
    }
  }

 private:
  static constexpr int kNotFound = -32002;
  static constexpr int kRequestCancelled = -32800;
  static constexpr Micros kSlow = 2 * kSecond;
  static constexpr Micros kMoment = 5000;
  static constexpr Micros kBehind = 50000;

  bool has(FaultName fault) const { return server_.faults.has(fault); }
  static Outcome unknown() { return RpcError{kMethodNotFound, "Method not found"}; }

  // ---- the beginning

  Outcome initialize(Session& session, const Call& call) {
    const Value* version = call.params.find("protocolVersion");
    if (version == nullptr || !json::is_integer(*version))
      return bad_params("protocolVersion has to be a whole number");
    const Value* told = call.params.find("clientCapabilities");
    const Value client = told != nullptr && told->is_object() ? *told : json::object();
    if (has("acp-unknown-version-refused") && version->text != "1")
      return bad_params("this is not served");
    session.version = "1";
    session.initialized = true;
    session.client_capabilities = client;
    Value result = fixture("/acp/initialize");
    if (has("acp-unknown-version-echoed")) result.set("protocolVersion", *version);
    if (has("acp-version-2-for-terminals") && client_can(client, "/terminal"))
      result.set("protocolVersion", json::number(2));
    if (client_can(client, "/auth/terminal") || has("acp-login-in-terminal-for-all"))
      result.find("authMethods")->items.push_back(fixture("/acp/login"));
    if (!has("acp-agent-info-missing"))
      result.set("agentInfo", json::object({{"name", json::string("rpcspec-reference-server")},
                                            {"version", json::string(RPCSPEC_VERSION)}}));
    return result;
  }

  Outcome other(Session& session, const CallPtr& call) const {
    if (call->method == "logout") return json::object();
    if (call->method == "authenticate") {
      const Value* id = string_member(call->params, "methodId");
      if (id == nullptr || id->text != "key") return bad_params("no such method");
      return json::object();
    }
    if (!has("acp-cancelled-request-silent")) return unknown();
    session.after(call, kMoment, [](Session& s, const CallPtr& c) { s.finish(c, unknown()); });
    return Later{};
  }

  // ---- sessions

  Talk* find(std::string_view id) {
    const auto found =
        std::find_if(talks_.begin(), talks_.end(), [&](const Talk& one) { return one.id == id; });
    return found == talks_.end() ? nullptr : &*found;
  }

  Outcome open(const Call& call) {
    const Value* folder = string_member(call.params, "cwd");
    const Value* servers = call.params.find("mcpServers");
    if ((folder == nullptr || servers == nullptr || !servers->is_array()) &&
        !has("acp-params-unchecked"))
      return bad_params("cwd has to be a path, and mcpServers a list");
    const std::size_t number = has("acp-session-id-repeated") ? 1 : talks_.size() + 1;
    talks_.push_back({"session-" + std::to_string(number), folder ? folder->text : "", {}, nullptr});
    Value result = state();
    result.set("sessionId", json::string(talks_.back().id));
    return result;
  }

  Value options() const {
    Value all = fixture("/acp/options");
    if (has("acp-boolean-option-for-all")) all.items.push_back(fixture("/acp/loud"));
    return all;
  }

  Value state() const {
    Value out = fixture("/acp/state");
    out.set("configOptions", options());
    return out;
  }
  Value state(const Session&) const { return state(); }

  Outcome set_option(const Call& call) const {
    const Value* option = string_member(call.params, "configId");
    Value all = options();
    const bool there = std::any_of(all.items.begin(), all.items.end(), [&](const Value& one) {
      return option != nullptr && one.find("id")->text == option->text;
    });
    if (!there || call.params.find("value") == nullptr) return bad_params("no such option");
    if (has("acp-options-in-part")) all.items.pop_back();
    return json::object({{"configOptions", std::move(all)}});
  }

  Outcome list(const Call& call) const {
    const Value* cursor = call.params.find("cursor");
    const Value* folder = string_member(call.params, "cwd");
    if (cursor != nullptr && !cursor->is_null() && !has("acp-cursor-unchecked"))
      return bad_params("there is no such page");
    Value all = json::array();
    for (const Talk& one : talks_)
      if (folder == nullptr || folder->text == one.folder)
        all.items.push_back(
            json::object({{"sessionId", json::string(one.id)}, {"cwd", json::string(one.folder)}}));
    if (has("acp-list-ignores-cwd") && all.items.empty())
      all.items.push_back(json::parse(R"({"sessionId":"session-0","cwd":"/"})"));
    return json::object({{"sessions", std::move(all)}});
  }

  Outcome remove(const std::string& id) {
    const auto gone = std::erase_if(talks_, [&](const Talk& one) { return one.id == id; });
    if (gone == 0 && has("acp-delete-unknown-refused"))
      return RpcError{kNotFound, "Resource not found"};
    return json::object();
  }

  Outcome close(Session& session, Talk& talk) {
    if (!has("acp-close-leaves-prompt")) cancel(session, talk);
    return json::object();
  }

  Outcome load(Session& session, const CallPtr& call, const Talk& talk) {
    if (has("acp-load-without-replay")) return state();
    if (!has("acp-replay-behind-response")) {
      replay(session, *call, talk);
      return state();
    }
    session.finish(call, state());
    later(session, [this, id = talk.id](Session& s) {
      if (const Talk* again = find(id)) replay(s, Call{}, *again);
    });
    return Later{};
  }

  // After a moment, apart from any call.
  static void later(Session& session, std::function<void(Session&)> does) {
    session.after(std::make_shared<Call>(), kBehind,
                  [does = std::move(does)](Session& s, const CallPtr&) { does(s); });
  }

  static void update(Session& session, const std::string& id, Value update) {
    session.notify("session/update",
                   json::object({{"sessionId", json::string(id)}, {"update", std::move(update)}}),
                   nullptr);
  }
  static void chunk(Session& session, const std::string& id, const char* kind,
                    const std::string& text) {
    update(session, id,
           json::object({{"sessionUpdate", json::string(kind)},
                         {"content", json::object({{"type", json::string("text")},
                                                   {"text", json::string(text)}})}}));
  }
  static void replay(Session& session, const Call&, const Talk& talk) {
    for (const std::string& text : talk.said) {
      chunk(session, talk.id, "user_message_chunk", text);
      chunk(session, talk.id, "agent_message_chunk", text);
    }
  }

  // ---- prompts

  Outcome prompt(Session& session, const CallPtr& call, Talk& talk) {
    const Value* blocks = call->params.find("prompt");
    if (blocks == nullptr || !blocks->is_array()) return bad_params("prompt has to be a list");
    std::string text;
    for (const Value& block : blocks->items) {
      const std::string type = text_in(block, "type");
      const bool link = type == "resource_link";
      if ((type != "text" && !link) || (link && has("acp-links-refused")) ||
          string_member(block, link ? "uri" : "text") == nullptr)
        return bad_params("a block of the prompt is not taken");
      if (!link) text += text_in(block, "text");
    }
    talk.said.push_back(text);
    talk.prompt = call;
    const std::string id = has("acp-update-of-nobody") ? "session-0" : talk.id;
    update(session, talk.id, fixture("/acp/plan"));
    chunk(session, id, "agent_message_chunk", text);
    if (text == "slow") {
      session.after(call, kSlow,
                    [](Session& s, const CallPtr& c) { s.finish(c, ended("end_turn")); });
      return Later{};
    }
    std::vector<ToAsk> questions = questions_of(session, talk, text);
    if (questions.empty()) return end_of_turn();
    ask_next(session, call, std::move(questions));
    return Later{};
  }

  static Value ended(const char* reason) {
    return json::object({{"stopReason", json::string(reason)}});
  }
  Value end_of_turn() const {
    if (has("acp-stop-reason-missing")) return json::object();
    return ended(has("acp-stop-reason-other") ? "done" : "end_turn");
  }

  std::vector<ToAsk> questions_of(const Session& session, const Talk& talk,
                                  const std::string& text) const {
    const Value& client = session.client_capabilities;
    std::vector<ToAsk> out;
    const auto add = [&](const char* method, const char* params) {
      Value all = json::parse(params);
      all.set("sessionId", json::string(talk.id));
      out.push_back({method, std::move(all)});
    };
    if (text == "file") {
      if (client_can(client, "/fs/readTextFile") || has("acp-files-undeclared"))
        add("fs/read_text_file", has("acp-path-relative") ? R"({"path":"a.txt","line":1})"
                                 : has("acp-line-0")      ? R"({"path":"/tmp/a.txt","line":0})"
                                                          : R"({"path":"/tmp/a.txt","line":1})");
      add("session/request_permission",
          has("acp-permission-without-options")
              ? R"({"toolCall":{"toolCallId":"t"}})"
              : R"({"toolCall":{"toolCallId":"t"},"options":[)"
                R"({"optionId":"yes","name":"Yes","kind":"allow_once"}]})");
      if (client_can(client, "/fs/writeTextFile"))
        add("fs/write_text_file", R"({"path":"/tmp/a.txt","content":"a"})");
      if (has("acp-elicits-undeclared"))
        add("elicitation/create", R"({"mode":"form","message":"Who are you?"})");
      if (has("acp-unknown-request")) add("workspace/open", "{}");
    }
    if ((text == "run" && client_can(client, "/terminal")) || has("acp-terminals-undeclared")) {
      add("terminal/create", R"({"command":"true","cwd":"/tmp"})");
      add("terminal/output", R"({"terminalId":"rpcspec-terminal"})");
      add("terminal/wait_for_exit", R"({"terminalId":"rpcspec-terminal"})");
      add("terminal/kill", R"({"terminalId":"rpcspec-terminal"})");
      if (!has("acp-terminal-kept"))
        add("terminal/release", R"({"terminalId":"rpcspec-terminal"})");
    }
    return out;
  }

  void ask_next(Session& session, const CallPtr& call, std::vector<ToAsk> questions) {
    if (questions.empty()) return session.finish(call, end_of_turn());
    ToAsk next = std::move(questions.front());
    questions.erase(questions.begin());
    session.ask(call, next.method, std::move(next.params),
                [this, questions = std::move(questions)](Session& s, const CallPtr& c,
                                                         const Value& response) {
                  const bool refused = response.find("error") != nullptr;
                  if (refused && has("acp-refused-file-hangs")) return;
                  ask_next(s, c, questions);
                });
  }

  void cancel(Session& session, Talk& talk) {
    const CallPtr call = std::exchange(talk.prompt, nullptr);
    if (call == nullptr || call->done) return;
    if (has("acp-cancelled-error"))
      return session.finish(call, RpcError{kInternalError, "Aborted"});
    session.finish(call, ended("cancelled"));
    if (has("acp-update-behind-cancelled"))
      later(session, [id = talk.id](Session& s) { chunk(s, id, "agent_message_chunk", "more"); });
  }

  static const std::set<std::string, std::less<>> kAbout;
  Server& server_;
  std::vector<Talk> talks_;
};
const std::set<std::string, std::less<>> Acp::kAbout = {
    "session/prompt",   "session/set_config_option",
    "session/set_mode", "session/load",
    "session/resume",   "session/close"};

}  // namespace

std::unique_ptr<Dialect> make_acp_dialect(Server& server) { return std::make_unique<Acp>(server); }

}  // namespace harness::reference
