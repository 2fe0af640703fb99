// SPDX-License-Identifier: Apache-2.0
// For tests: a conversation that asks the reference server for everything it can say under one
// revision, also a server with a Fault.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/conversation_testing.h"
#include "harness/reference/edits.h"

namespace harness::reference {

// The name of each edition of the protocol in rows of Faults.
inline constexpr const char* kEditions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                            "2026-07-28", "tutorial",   "3.17",       "1"};

// The messages of the sound server, in the form that rows of the table use.
struct Said {
  Sent sent;
  std::string of;
  std::string version;
  json::Value body;
};

// Makes the reference server send every kind of message under one revision.
class Tour {
 public:
  // `said` collects the server's messages, and outlives the Tour.
  Tour(const std::string& version, std::vector<Said>& said,
       const std::vector<std::string>& faults = {})
      : version_(version), faults_(faults), said_(said) {
    if (version != "3.17" && version != "1")
      talk_ = std::make_unique<Conversation>(profile_of(version), faults);
  }

  void walk() {
    if (version_ == "3.17") return walk_documents();
    if (version_ == "1") return walk_sessions();
    if (version_ != "2026-07-28") {
      ask("initialize", R"({"protocolVersion":")" +
                            (version_ == "tutorial" ? "2024-11-05" : version_) +
                            R"(","capabilities":)" + kCapabilities +
                            R"(,"clientInfo":{"name":"test","version":"1"}})");
      say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    ask("server/discover", "{}");
    for (const char* method : {"tools/list", "resources/list", "resources/templates/list",
                               "prompts/list", "skills/list"})
      list(method);
    if (version_ == "2026-07-28") {
      ask("skills/get", R"({"uri":"skill://greeting/SKILL.md"})");
      ask("resources/directory/read", R"({"uri":"skill://greeting"})");
    }
    ask("subscriptions/listen",
        R"({"notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
        R"("resourcesListChanged":true,"resourceSubscriptions":["test://watched-resource"]}})");
    ask("logging/setLevel", R"({"level":"debug"})");
    for (const char* uri : {"test://watched-resource", "file:///docs/readme.md"})
      ask("resources/subscribe", std::string(R"({"uri":")") + uri + R"("})");
    for (const char* uri : {"test://static-text", "test://static-binary", "file:///docs/readme.md"})
      ask("resources/read", std::string(R"({"uri":")") + uri + R"("})");
    for (const char* prompt : {"test_simple_prompt", "test_prompt_with_embedded_resource",
                               "test_prompt_with_image", "spoken_note", "code_reviewer"})
      ask("prompts/get", std::string(R"({"name":")") + prompt +
                             R"(","arguments":{"resourceUri":"test://a","language":"c"}})");
    ask("completion/complete",
        R"({"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},)"
        R"("argument":{"name":"arg1","value":"test"}})");
    call_tools();
    ask("resources/unsubscribe", R"({"uri":"file:///docs/readme.md"})");
    if (version_ == "2025-11-25") run_tasks();
    if (version_ == "2026-07-28") {
      run_extension_tasks();
      be_refused();
    }
    if (version_ == "tutorial") {
      ask("tools/batch_call", R"({"calls":[{"name":"echo","arguments":{"message":"hi"}}]})");
      ask("tools/call", R"({"name":"get_weather","arguments":{"city":5}})");
    }
  }

  // Each message as written; `ours` are those of the client.
  struct Line {
    bool ours;
    std::string text;
  };
  const std::vector<Line>& lines() const { return lines_; }

  static constexpr const char* kCapabilities =
      R"({"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}})";

  static constexpr const char* kOfEditor =
      R"({"textDocument":{"completion":{"completionItem":{"insertReplaceSupport":true}},)"
      R"("documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}})";

  static constexpr const char* kOfClient =
      R"({"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true})";

 private:
  static constexpr int kMostPages = 100;

  // An agent: each prompt that it knows.
  void walk_sessions() {
    talk_ = std::make_unique<Conversation>("acp-1", faults_);
    ask("initialize",
        std::string(R"({"protocolVersion":1,"clientCapabilities":)") + kOfClient + "}");
    ask("session/new", R"({"cwd":"/tmp","mcpServers":[]})");
    for (const char* prompt : {"hello", "file", "run"})
      ask("session/prompt", std::string(R"({"sessionId":"session-1","prompt":[{"type":"text",)") +
                                R"("text":")" + prompt + R"("}]})");
    ask("session/list", "{}");
    ask("session/load", R"({"sessionId":"session-1","cwd":"/tmp","mcpServers":[]})");
    ask("session/set_config_option",
        R"({"sessionId":"session-1","configId":"model","value":"none"})");
  }

  // A language server: each feature, for a client that declares nothing and for one that declares
  // all.
  void walk_documents() {
    for (const char* capabilities : {"{}", kOfEditor}) {
      talk_ = std::make_unique<Conversation>("lsp", faults_);
      ask("initialize",
          std::string(R"({"processId":null,"rootUri":null,"capabilities":)") + capabilities + "}");
      say(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
      const std::string document = R"({"textDocument":{"uri":"file:///a.c")";
      say(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":)" + document +
          R"(,"languageId":"c","version":1,"text":"/* https://a.b #ff8000 */  \nint f(int n) {\n})"
          R"(\nint g(int m) {\n  int r = f(1); no_such();\n}"}}})");
      const std::string about =
          document +
          R"(},"position":{"line":4,"character":10},"positions":[{"line":4,"character":10}],)"
          R"("range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},)"
          R"("context":{"includeDeclaration":true},"newName":"h","query":"","previousResultId":"t1",)"
          R"("partialResultToken":"p","item":{"name":"f","uri":"file:///a.c","label":"f"}})";
      for (const char* method : {"hover",
                                 "definition",
                                 "references",
                                 "documentHighlight",
                                 "linkedEditingRange",
                                 "moniker",
                                 "completion",
                                 "documentSymbol",
                                 "foldingRange",
                                 "selectionRange",
                                 "documentLink",
                                 "documentColor",
                                 "prepareCallHierarchy",
                                 "prepareTypeHierarchy",
                                 "semanticTokens/full",
                                 "semanticTokens/range",
                                 "inlayHint",
                                 "inlineValue",
                                 "inlineCompletion",
                                 "formatting",
                                 "rename",
                                 "prepareRename",
                                 "diagnostic",
                                 "codeAction",
                                 "codeLens"})
        ask(std::string("textDocument/") + method, about);
      for (const char* method :
           {"workspace/symbol", "workspace/diagnostic", "callHierarchy/incomingCalls"})
        ask(method, about);
      ask("workspace/symbol", R"({"query":""})");
      say(R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":)" + document +
          R"(,"version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},)"
          R"("end":{"line":0,"character":0}},"text":"word"}]}})");
      ask("textDocument/semanticTokens/full/delta", about);
      ask("textDocument/semanticTokens/full", about);
      ask("completionItem/resolve", R"({"label":"f"})");
      ask("textDocument/signatureHelp", document + R"(},"position":{"line":4,"character":12}})");
    }
  }

  void run_tasks() {
    for (int i = 0; i < 4; ++i) {
      ask("tools/call", R"({"name":"slow_operation","arguments":{"durationMs":9000},"task":{}})");
      const json::Value result = last_result("tools/call");
      const json::Value* made = json::at(result, "/task/taskId");
      if (made == nullptr) return;
      const std::string id = R"({"taskId":")" + made->text + R"("})";
      ask("tasks/get", id);
      if (i == 0) ask("tasks/cancel", id);
      ask("tasks/list", "{}");
      if (i == 1) ask("tasks/result", id);
    }
    hear(talk_->wait(10));
    ask("tools/call", R"({"name":"test_error_handling","task":{"ttl":1000}})");
  }

  void run_extension_tasks() {
    const std::string with = meta(
        "2026-07-28", R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})");
    for (const char* tool : {"slow_operation", "approval", "broken_report"}) {
      ask("tools/call", R"({"name":")" + std::string(tool) + R"(","arguments":{}})", with);
      const json::Value result = last_result("tools/call");
      const json::Value* made = result.find("taskId");
      if (made == nullptr) return;
      const std::string id = R"({"taskId":")" + made->text + R"(")";
      ask("tasks/get", id + "}", with);
      ask("tasks/update", id + R"(,"inputResponses":{}})", with);
      ask("tasks/cancel", id + "}", with);
    }
  }

  static std::string profile_of(const std::string& version) { return "mcp-" + version; }

  // A client that declares nothing, and one of a future revision.
  void be_refused() {
    ask("tools/call", R"({"name":"test_missing_capability"})", meta("2026-07-28", "{}"));
    ask("tools/list", "{}", meta("2030-01-01", kCapabilities));
  }

  static std::string meta(const std::string& version, const std::string& capabilities) {
    return R"({"io.modelcontextprotocol/protocolVersion":")" + version +
           R"(","io.modelcontextprotocol/logLevel":"debug","progressToken":"p",)" +
           R"("io.modelcontextprotocol/clientCapabilities":)" + capabilities + "}";
  }

  // An empty object if there was none.
  json::Value last_result(const std::string& method) const {
    const auto found = std::find_if(said_.rbegin(), said_.rend(), [&](const Said& one) {
      return one.sent == Sent::kResult && one.of == method;
    });
    return found != said_.rend() && found->body.is_object() ? found->body : json::object();
  }

  void list(const std::string& method) {
    std::string params = "{}";
    for (int page = 0; page < kMostPages && !params.empty(); ++page) {
      ask(method, params);
      const json::Value result = last_result(method);
      const json::Value* next = result.find("nextCursor");
      const bool more = next != nullptr && next->is_string();
      params = more ? R"({"cursor":)" + json::write(*next) + "}" : "";
    }
  }

  // Each listed tool, with those of these arguments that it has.
  void call_tools() {
    json::Value offered = json::parse(
        R"({"message":"hi","prompt":"hi","a":2,"b":3,"name":"Ada","value":1,"region":"eu-1",)"
        R"("operation":"add","city":"Beijing","key":"a","data":[1,2],"seconds":0.05,"stream":true})");
    if (version_ == "tutorial") offered.set("uri", json::string("file:///docs/readme.md"));
    std::vector<std::string> calls;
    for (const Said& one : said_) {
      const bool listed = one.of == "tools/list" && one.version == version_ && one.body.is_object();
      const json::Value* tools = listed ? one.body.find("tools") : nullptr;
      if (tools == nullptr) continue;
      for (const json::Value& tool : tools->items) {
        json::Value arguments = json::object();
        const json::Value* properties = json::at(tool, "/inputSchema/properties");
        for (const json::Member& given : offered.members)
          if (properties != nullptr && properties->find(given.name) != nullptr)
            arguments.set(given.name, given.value);
        const json::Value* name = json::at(tool, "/name");
        if (name == nullptr) continue;
        calls.push_back(
            json::write(json::object({{"name", *name}, {"arguments", std::move(arguments)}})));
      }
    }
    for (const std::string& call : calls) ask("tools/call", call);
  }

  void ask(const std::string& method, const std::string& params_text,
           const std::string& with = "") {
    json::Value params = json::parse(params_text);
    const std::string usual =
        version_ == "2026-07-28" ? meta(version_, kCapabilities) : R"({"progressToken":"p"})";
    params.set("_meta", json::parse(with.empty() ? usual : with));
    const std::string id = std::to_string(++last_id_);
    methods_[id] = method;
    const json::Value request = json::object({{"jsonrpc", json::string("2.0")},
                                              {"id", json::number_spelled(id)},
                                              {"method", json::string(method)},
                                              {"params", params}});
    say(json::write(request));
    hear(talk_->wait(2));
  }

  void say(const std::string& text) {
    lines_.push_back({true, text});
    hear(talk_->say(text));
  }

  void hear(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      lines_.push_back({false, text});
      const json::Value message = json::parse(text);
      const json::Value* method = message.find("method");
      const json::Value* id = message.find("id");
      if (method == nullptr) {
        note_reply(message, id == nullptr ? "" : id->text);
        continue;
      }
      const json::Value* params = message.find("params");
      said_.push_back({id == nullptr ? Sent::kNotification : Sent::kRequest, method->text, version_,
                       params == nullptr ? json::null() : *params});
      if (id == nullptr) continue;
      say(R"({"jsonrpc":"2.0","id":)" + json::write(*id) +
          R"(,"result":{"roots":[],"action":"accept","role":"assistant",)"
          R"("model":"none","content":{"type":"text","text":"4"}}})");
    }
  }

  void note_reply(const json::Value& message, const std::string& id) {
    const json::Value* code = json::at(message, "/error/code");
    if (const json::Value* result = message.find("result")) {
      const auto asked = methods_.find(id);
      said_.push_back(
          {Sent::kResult, asked == methods_.end() ? "" : asked->second, version_, *result});
    } else if (code != nullptr) {
      said_.push_back({Sent::kError, code->text, version_, *message.find("error")});
    }
  }

  std::string version_;
  std::vector<std::string> faults_;
  std::unique_ptr<Conversation> talk_;
  std::vector<Said>& said_;
  std::map<std::string, std::string> methods_;  // by id
  std::vector<Line> lines_;
  int last_id_ = 0;
};

}  // namespace harness::reference
