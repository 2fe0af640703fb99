// SPDX-License-Identifier: Apache-2.0
// Prompts, and completion of their arguments and of those of resource templates.
#include <algorithm>

#include "harness/json/write.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"
#include "harness/reference/mcp_tasks.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kPromptsAPage = 3;
constexpr std::size_t kMostCompletions = 100;

bool all_strings(const Value& object) {
  return std::all_of(object.members.begin(), object.members.end(),
                     [](const json::Member& member) { return member.value.is_string(); });
}

Value message_of_user(Value block) {
  return json::object({{"role", json::string("user")}, {"content", std::move(block)}});
}

}  // namespace

Outcome Mcp::prompts_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Prompt& one : prompts()) {
    if (call->version < one.since) continue;
    Value item = json::object(
        {{"name", json::string(one.name)}, {"description", json::string(one.description)}});
    Value arguments = json::array();
    for (const PromptArgument& argument : one.arguments) {
      arguments.items.push_back(json::object({{"name", json::string(argument.name)},
                                              {"description", json::string(argument.description)},
                                              {"required", json::boolean(argument.required)}}));
    }
    if (!arguments.items.empty()) item.set("arguments", std::move(arguments));
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  return page(*call, "prompts", "prompts", std::move(items), kPromptsAPage);
}

namespace {

const Prompt* find_prompt(const Value* name, const std::string& version) {
  for (const Prompt& one : prompts()) {
    if (name != nullptr && name->text == one.name && version >= one.since) return &one;
  }
  return nullptr;
}

Value messages_of(const Prompt& prompt, const Value& arguments) {
  const auto argument = [&](const char* name) {
    const Value* value = arguments.find(name);
    return value == nullptr ? std::string() : value->text;
  };
  const std::string_view name = prompt.name;
  if (name == "test_prompt_with_arguments") {
    return json::array(
        {message_of_user(text_block("Prompt with arguments: arg1='" + argument("arg1") +
                                    "', arg2='" + argument("arg2") + "'"))});
  }
  if (name == "test_prompt_with_embedded_resource") {
    return json::array(
        {message_of_user(embedded_text(argument("resourceUri"), "text/plain",
                                       "Embedded resource content for testing.")),
         message_of_user(text_block("Please process the embedded resource above."))});
  }
  if (name == "test_prompt_with_image") {
    return json::array({message_of_user(image_block()),
                        message_of_user(text_block("Please analyze the image above."))});
  }
  if (name == "spoken_note") {
    return json::array({message_of_user(audio_block())});
  }
  if (name == "test_prompt_optional") {
    const std::string topic = argument("topic");
    return json::array(
        {message_of_user(text_block("Tell me about " + (topic.empty() ? "anything" : topic)))});
  }
  return json::array({message_of_user(text_block("This is a simple prompt for testing."))});
}

}  // namespace

Outcome Mcp::prompts_get(Session& session, const CallPtr& call) {
  if (call->version == "2025-11-25" && call->params.find("task") != nullptr &&
      faults().has("task-of-any-request"))
    return create_task(session, call,
                       [](Session&, const CallPtr&) -> Outcome { return tool_text("Done"); });
  if (call->stateless && knows_tasks(*call) && faults().has("task-ext-of-any-request"))
    return make_extension_task(session, call, *find_tool("long_report", call->version),
                               json::object());
  const Value* name = string_member(call->params, "name");
  if (name == nullptr) return bad_params("name has to be a string");
  const Prompt* prompt = find_prompt(name, call->version);
  if (prompt == nullptr) return RpcError{kInvalidParams, "Unknown prompt: " + name->text};
  const Value* given = call->params.find("arguments");
  Value arguments = given == nullptr ? json::object() : *given;
  if (!arguments.is_object() && faults().has("arguments-type-unchecked")) {
    arguments = json::object();
  }
  if (!arguments.is_object() || !all_strings(arguments)) {
    return bad_params("arguments have to be strings by name");
  }
  for (const PromptArgument& one : prompt->arguments) {
    if (one.required && arguments.find(one.name) == nullptr) {
      return bad_params(std::string("argument ") + one.name + " is required");
    }
  }
  if (auto error = check_inputs(*call)) return *error;
  Value messages = messages_of(*prompt, arguments);
  if (name->text == "test_input_required_result_prompt") {
    const std::vector<Question> questions = {
        elicitation("user_context", "What context should the prompt use?", "context", "string")};
    if (auto instead = unanswered(*call, questions)) return std::move(*instead);
    messages = json::array({message_of_user(
        text_block("Prompt with context: " + said_by_user(*call, "user_context", "context")))});
  }
  return json::object(
      {{"description", json::string(prompt->description)}, {"messages", std::move(messages)}});
}

Outcome Mcp::complete(Session&, const CallPtr& call) {
  const Value* ref = call->params.find("ref");
  const Value* argument = call->params.find("argument");
  if (ref == nullptr || !ref->is_object() || string_member(*ref, "type") == nullptr) {
    return bad_params("ref has to be a reference");
  }
  if (argument == nullptr || !argument->is_object() ||
      string_member(*argument, "name") == nullptr || string_member(*argument, "value") == nullptr) {
    return bad_params("argument needs a name and a value");
  }
  if (const Value* context = call->params.find("context")) {
    const Value* earlier = context->is_object() ? context->find("arguments") : nullptr;
    if (!context->is_object() ||
        (earlier != nullptr && (!earlier->is_object() || !all_strings(*earlier)))) {
      return bad_params("context.arguments has to map names to strings");
    }
  }
  const std::string& name = argument->find("name")->text;
  bool known = false;
  if (ref->find("type")->text == "ref/prompt") {
    const Prompt* prompt = find_prompt(string_member(*ref, "name"), call->version);
    known = prompt != nullptr &&
            std::any_of(prompt->arguments.begin(), prompt->arguments.end(),
                        [&](const PromptArgument& one) { return name == one.name; });
  } else if (ref->find("type")->text == "ref/resource") {
    const Value* uri = string_member(*ref, "uri");
    for (const ResourceTemplate& one : resource_templates()) {
      known = known || (uri != nullptr && uri->text == one.uri_template &&
                        uri->text.find("{" + name + "}") != std::string::npos);
    }
  }
  if (!known) return bad_params("there is nothing to complete there");
  const std::string& typed = argument->find("value")->text;
  Value values = json::array();
  int total = 0;
  for (const std::string& word : completion_words()) {
    if (word.compare(0, typed.size(), typed) != 0) continue;
    ++total;
    if (values.items.size() < kMostCompletions) values.items.push_back(json::string(word));
  }
  const bool more = total > static_cast<int>(values.items.size());
  return json::object({{"completion", json::object({{"values", std::move(values)},
                                                    {"total", json::number(total)},
                                                    {"hasMore", json::boolean(more)}})}});
}

}  // namespace harness::reference
