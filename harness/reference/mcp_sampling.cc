// SPDX-License-Identifier: Apache-2.0
// Tools that ask the client's model. One of them lends the model a tool, and goes on with what that
// said until the model has a text, or has asked too often.
#include <algorithm>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/arithmetic.h"
#include "harness/reference/mcp_asks.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr int kMostRounds = 5;  // that the model may use tools in
constexpr std::string_view kState = "sampling_with_options:";

bool client_declares(const Call& call, std::string_view pointer) {
  return json::at(call.client_capabilities, pointer) != nullptr;
}

// What a client's model said, for the result of the tool.
std::string report_sampling(const Value& result) {
  const Value* text = json::at(result, "/content/text");
  if (text == nullptr) text = json::at(result, "/content/0/text");
  return "LLM response: " + (text == nullptr ? "(none)" : text->text);
}

// Every member that sampling/createMessage may have under the revision. A conversation with tools
// only where the client takes tools.
Value sampling_options(const Call& call) {
  const bool tools = call.version >= "2025-11-25" && client_declares(call, "/sampling/tools");
  return fixture(tools ? "/forms/sampling with tools" : "/forms/sampling");
}

// The blocks of a message or an answer, be they one or several.
std::vector<Value> blocks_of(const Value& message) {
  const Value* content = message.find("content");
  if (content == nullptr) return {};
  return content->is_array() ? content->items : std::vector<Value>{*content};
}

bool is_use(const Value& block) {
  const Value* type = block.is_object() ? block.find("type") : nullptr;
  return type != nullptr && type->text == "tool_use";
}

Value result_of(const Value& use) {
  const Value* name = use.find("name");
  const Value* a = json::at(use, "/input/a");
  const Value* b = json::at(use, "/input/b");
  const bool known = name != nullptr && name->text == "add";
  const bool numbers = a != nullptr && b != nullptr && a->is_number() && b->is_number();
  const auto sum = known && numbers ? computed(*a, '+', *b) : std::nullopt;
  Value result = json::object(
      {{"type", json::string("tool_result")},
       {"toolUseId", use.find("id") == nullptr ? json::string("") : *use.find("id")},
       {"content", json::array({json::object(
                       {{"type", json::string("text")},
                        {"text", json::string(sum ? sum->text : "There is no such sum.")}})})}});
  if (!sum) result.set("isError", json::boolean(true));
  return result;
}

// The next question, when the model wants to use the tool; nothing when it has said its last word
// or has used the tool often enough.
std::optional<Question> next_question(const Question& question, const Value& answer,
                                      const Faults& faults) {
  const std::vector<Value> blocks = blocks_of(answer);
  Value results = json::array();
  for (const Value& block : blocks)
    if (is_use(block)) results.items.push_back(result_of(block));
  if (results.items.empty() || question.params.find("tools") == nullptr) return std::nullopt;
  const Value* messages = question.params.find("messages");
  const auto rounds =
      std::count_if(messages->items.begin(), messages->items.end(),
                    [](const Value& one) { return one.find("role")->text == "assistant"; });
  if (rounds > kMostRounds && !faults.has("sampling-loop-endless")) return std::nullopt;
  if (faults.has("sampling-results-cut")) results.items.resize(1);
  Value more = *messages;
  more.items.push_back(
      json::object({{"role", json::string("assistant")}, {"content", json::array(blocks)}}));
  more.items.push_back(
      json::object({{"role", json::string("user")}, {"content", std::move(results)}}));
  Question next = question;
  next.params.set("messages", std::move(more));
  return next;
}

void ask_model(Session& session, const CallPtr& call, const Question& question) {
  session.ask(call, question.method, question.params,
              [question](Session& s, const CallPtr& c, const Value& response) {
                if (spoiled(s, c, question, response)) return;
                const Value* result = response.find("result");
                if (result == nullptr || !fits(question, *result))
                  return s.finish(c, tool_failure("The client refused."));
                if (const auto next = next_question(question, *result, s.server.faults))
                  return ask_model(s, c, *next);
                s.finish(c, tool_text(report_sampling(*result)));
              });
}

}  // namespace

Outcome ask_sampling(Mcp& mcp, Session& session, const CallPtr& call, const Value& arguments) {
  const Value* prompt = arguments.find("prompt");
  Question question = sampling("", prompt == nullptr ? "" : prompt->text);
  if (mcp.faults().has("sampling-tells-credentials"))
    question = sampling("", "The password is " + mcp.server().auth.secret);
  if (call->version < "2025-06-18" && client_declares(*call, "/elicitation") &&
      mcp.faults().has("elicits-before-its-revision")) {
    question.method = "elicitation/create";
    question.params = fixture("/forms/who");
  }
  return asked(session, call, std::move(question), report_sampling);
}

Outcome ask_sampling_options(Mcp& mcp, Session& session, const CallPtr& call, const Value&) {
  Question question = {"sum", "sampling/createMessage", sampling_options(*call)};
  if (!call->stateless) {
    if (auto instead = not_for_client(*call, question, mcp.faults())) return *instead;
    ask_model(session, call, question);
    return Later{};
  }
  if (const Value* state = call->params.find("requestState")) {
    const auto text = state_of_user(*call, state->text);
    if (!text || !text->starts_with(kState)) return bad_params("requestState is not valid");
    question.params.set("messages", json::parse(text->substr(kState.size())));
  }
  const auto asks = [&](const Question& one) {
    const std::string messages = json::write(*one.params.find("messages"));
    return unanswered(*call, {one}, std::string(kState) + messages);
  };
  if (auto instead = asks(question)) return std::move(*instead);
  const Value answer = *answer_to(*call, "sum");
  if (const auto next = next_question(question, answer, mcp.faults())) {
    call->params.set("inputResponses", json::object());
    return *asks(*next);
  }
  return tool_text(report_sampling(answer));
}

}  // namespace harness::reference
