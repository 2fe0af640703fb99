// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/mcp_asks.h"

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"
#include "harness/reference/mcp_tools.h"
#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

using json::Value;

std::string text_argument(const Value& arguments, std::string_view name) {
  const Value* value = arguments.find(name);
  return value == nullptr ? std::string() : value->text;
}

bool declares(const Call& call, std::string_view pointer) {
  return json::at(call.client_capabilities, pointer) != nullptr;
}

// Asks the client and turns its result into the tool's.
Outcome asked(Session& session, const CallPtr& call, const char* capability, const char* method,
              Value params, std::string (*report)(const Value& result)) {
  const bool declared = call->client_capabilities.is_object() &&
                        call->client_capabilities.find(capability) != nullptr;
  if (!declared && !session.server.faults.has("undeclared-request-sent")) {
    return tool_failure(std::string("The client does not support ") + capability);
  }
  session.ask(call, method, std::move(params),
              [report](Session& s, const CallPtr& c, const Value& response) {
                const Faults& faults = s.server.faults;
                const Value* result = response.find("result");
                if (response.find("error") != nullptr && faults.has("client-error-swallowed")) {
                  return;
                }
                const bool odd =
                    result == nullptr || !result->is_object() ||
                    (result->find("roots") == nullptr && result->find("action") == nullptr &&
                     json::at(*result, "/content/text") == nullptr);
                const bool refused = response.find("error") != nullptr;
                if ((odd != refused || (result != nullptr && refused)) &&
                    faults.has("client-answer-unchecked-kills")) {
                  s.exit_status = 1;
                }
                if (result == nullptr || !result->is_object()) {
                  s.finish(c, tool_failure("The client refused."));
                } else {
                  s.finish(c, tool_text(report(*result)));
                }
              });
  return Later{};
}

std::string report_elicitation(const Value& result) {
  const Value* action = result.find("action");
  const Value* content = result.find("content");
  return "User response: action=" + (action == nullptr ? "(none)" : action->text) +
         ", content=" + (content == nullptr ? "{}" : json::write(*content));
}

// What a client's model said, for the result of the tool.
std::string report_sampling(const Value& result) {
  const Value* text = json::at(result, "/content/text");
  return "LLM response: " + (text == nullptr ? "(none)" : text->text);
}

// Every member that sampling/createMessage may have under the revision. A conversation with tools
// only where the client takes tools.
Value sampling_options(const Call& call) {
  Value params = json::parse(
      R"({"messages":[{"role":"user","content":{"type":"text","text":"What is 2 + 3?"}}],)"
      R"("modelPreferences":{"hints":[{"name":"claude"},{}],"costPriority":0,"speedPriority":0.5,)"
      R"("intelligencePriority":1},"systemPrompt":"Be brief.","includeContext":"none",)"
      R"("temperature":0.7,"maxTokens":100,"stopSequences":["END"],"metadata":{"topic":"sums"}})");
  if (call.version < "2025-11-25" || !declares(call, "/sampling/tools")) return params;
  params.set("tools", json::parse(R"([{"name":"add","inputSchema":{"type":"object"}}])"));
  params.set("toolChoice", json::parse(R"({"mode":"auto"})"));
  params.set(
      "messages",
      json::parse(R"([{"role":"user","content":[{"type":"text","text":"What is 2 + 3?"}]},)"
                  R"({"role":"assistant","content":[{"type":"tool_use","id":"sum-1","name":"add",)"
                  R"("input":{"a":2,"b":3}}]},{"role":"user","content":[{"type":"tool_result",)"
                  R"("toolUseId":"sum-1","content":[{"type":"text","text":"5"}],)"
                  R"("structuredContent":{"sum":5},"isError":false}]}])"));
  return params;
}

// A form with a field of each kind that the revision has.
Value survey(const std::string& version) {
  Value properties = json::parse(
      R"({"nick":{"type":"string","title":"Nickname","description":"As friends call you",)"
      R"("minLength":1,"maxLength":20},"email":{"type":"string","format":"email"},)"
      R"("page":{"type":"string","format":"uri"},"born":{"type":"string","format":"date"},)"
      R"("age":{"type":"integer","minimum":0,"maximum":150},"height":{"type":"number","minimum":0},)"
      R"("news":{"type":"boolean","default":false},)"
      R"("size":{"type":"string","enum":["s","m"],"enumNames":["Small","Medium"]}})");
  Value params = json::object({{"message", json::string("Please tell us about you.")}});
  if (version >= "2025-11-25") {
    params.set("mode", json::string("form"));
    properties.find("nick")->set("default", json::string("Ada"));
    properties.find("age")->set("default", json::number(30));
    properties.set("colour", json::parse(R"({"type":"string","oneOf":[{"const":"r","title":"Red"},)"
                                         R"({"const":"b","title":"Blue"}],"default":"r"})"));
    properties.set("tags", json::parse(R"({"type":"array","minItems":0,"maxItems":2,)"
                                       R"("items":{"type":"string","enum":["new","old"]},)"
                                       R"("default":["new"]})"));
    properties.set("days", json::parse(R"({"type":"array","items":{"anyOf":[)"
                                       R"({"const":"mo","title":"Monday"}]}})"));
  }
  params.set("requestedSchema", json::object({{"type", json::string("object")},
                                              {"properties", std::move(properties)},
                                              {"required", json::parse(R"(["nick"])")}}));
  return params;
}

// A page for the user to open.
Value page_to_open(std::string_view id) {
  Value params = json::object({{"mode", json::string("url")},
                               {"message", json::string("Please connect your account.")},
                               {"url", json::string("https://example.com/connect")}});
  if (!id.empty()) params.set("elicitationId", json::string(id));
  return params;
}

}  // namespace

Outcome ask_sampling(Mcp&, Session& session, const CallPtr& call, const Value& arguments) {
  const Question question = sampling("", text_argument(arguments, "prompt"));
  return asked(session, call, "sampling", "sampling/createMessage", question.params,
               report_sampling);
}

Outcome ask_elicitation(Mcp&, Session& session, const CallPtr& call, const Value& arguments) {
  Value params = json::parse(
      R"({"message":"","requestedSchema":{"type":"object","properties":{)"
      R"("username":{"type":"string","description":"User's response"},)"
      R"("email":{"type":"string","description":"User's email address"}},"required":["username"]}})");
  params.set("message", json::string(text_argument(arguments, "message")));
  return asked(session, call, "elicitation", "elicitation/create", params, report_elicitation);
}

Outcome ask_defaults(Mcp&, Session& session, const CallPtr& call, const Value&) {
  return asked(
      session, call, "elicitation", "elicitation/create",
      json::parse(
          R"({"message":"Please check the defaults","requestedSchema":{"type":"object","properties":{)"
          R"("name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},)"
          R"("score":{"type":"number","default":95.5},"status":{"type":"string",)"
          R"("enum":["active","inactive","pending"],"default":"active"},)"
          R"("verified":{"type":"boolean","default":true}},"required":["name"]}})"),
      report_elicitation);
}

Outcome ask_roots(Mcp&, Session& session, const CallPtr& call, const Value&) {
  return asked(session, call, "roots", "roots/list", json::object(), [](const Value& result) {
    std::string out = "Roots:";
    const Value* list = result.find("roots");
    if (list == nullptr) return out;
    for (const Value& root : list->items) {
      const Value* uri = root.find("uri");
      if (uri != nullptr) out += " " + uri->text;
    }
    return out;
  });
}

Outcome ask_sampling_options(Mcp&, Session& session, const CallPtr& call, const Value&) {
  const Value params = sampling_options(*call);
  if (!call->stateless) {
    return asked(session, call, "sampling", "sampling/createMessage", params, report_sampling);
  }
  const std::vector<Question> questions = {{"sum", "sampling/createMessage", params}};
  if (auto instead = unanswered(*call, questions)) return std::move(*instead);
  return tool_text(report_sampling(*answer_to(*call, "sum")));
}

Outcome ask_survey(Mcp&, Session& session, const CallPtr& call, const Value&) {
  const Value params = survey(call->version);
  if (!call->stateless) {
    return asked(session, call, "elicitation", "elicitation/create", params, report_elicitation);
  }
  const std::vector<Question> questions = {{"survey", "elicitation/create", params}};
  if (auto instead = unanswered(*call, questions)) return std::move(*instead);
  return tool_text(report_elicitation(*answer_to(*call, "survey")));
}

Outcome ask_url(Mcp&, Session& session, const CallPtr& call, const Value&) {
  if (!declares(*call, "/elicitation/url")) {
    return tool_failure("The client does not open pages.");
  }
  if (call->stateless) {
    if (answer_to(*call, "page") != nullptr) return tool_text("Thank you.");
    return *unanswered(*call, {{"page", "elicitation/create", page_to_open("")}});
  }
  const std::string id = new_session_id();
  session.ask(call, "elicitation/create", page_to_open(id),
              [id](Session& s, const CallPtr& c, const Value& response) {
                const Value* action = json::at(response, "/result/action");
                if (action == nullptr || action->text != "accept") {
                  return s.finish(c, tool_failure("The page was not opened."));
                }
                s.notify("notifications/elicitation/complete",
                         json::object({{"elicitationId", json::string(id)}}), c.get());
                s.finish(c, tool_text("The account is connected."));
              });
  return Later{};
}

Outcome ask_url_first(Mcp&, Session&, const CallPtr& call, const Value&) {
  if (!declares(*call, "/elicitation/url")) {
    return tool_failure("An account has to be connected first.");
  }
  return RpcError{kUrlElicitationRequired, "An account has to be connected first",
                  json::object({{"elicitations", json::array({page_to_open(new_session_id())})}})};
}

}  // namespace harness::reference
