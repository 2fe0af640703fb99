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
constexpr std::string_view kFailingPrompt = "failing_prompt";  // not listed

bool all_strings(const Value& object) {
  return std::all_of(object.members.begin(), object.members.end(),
                     [](const json::Member& member) { return member.value.is_string(); });
}

Value message_of_user(Value block) {
  return json::object({{"role", json::string("user")}, {"content", std::move(block)}});
}

}  // namespace

Outcome Mcp::prompts_list(Session&, const CallPtr& call) {
  if (faults().has("prompts-list-refused")) return RpcError{kInternalError, "Out of order"};
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
  if (faults().has("prompt-on-two-pages")) items.push_back(items.front());
  if (call->stateless && server_.memory.tally["prompts got"] == 0 &&
      faults().has("prompts-by-connection"))
    items.pop_back();
  return page(*call, "prompts", "prompts", std::move(items), kPromptsAPage);
}

namespace {

const Prompt* find_prompt(const Value* name, const std::string& version) {
  for (const Prompt& one : prompts())
    if (name != nullptr && name->text == one.name && version >= one.since) return &one;
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
  if (name == "spoken_note") return json::array({message_of_user(audio_block())});
  if (name == "test_prompt_optional") {
    const std::string topic = argument("topic");
    return json::array(
        {message_of_user(text_block("Tell me about " + (topic.empty() ? "anything" : topic)))});
  }
  return json::array({message_of_user(text_block("This is a simple prompt for testing."))});
}

}  // namespace

// Why the arguments are refused; Faults let some pass, or refuse others.
std::optional<RpcError> Mcp::check_arguments(const Prompt& prompt, Value& arguments,
                                             bool given) const {
  if (!arguments.is_object() && faults().has("arguments-type-unchecked"))
    arguments = json::object();
  if (arguments.is_object() && faults().has("prompt-values-coerced")) {
    for (json::Member& member : arguments.members)
      if (!member.value.is_string()) member.value = json::string(json::write(member.value));
  }
  if (!arguments.is_object() || !all_strings(arguments)) {
    if (arguments.is_object() && faults().has("prompt-values-other-code"))
      return RpcError{kInternalError, "value.trim is not a function"};
    return bad_params("arguments have to be strings by name");
  }
  if (!given && prompt.arguments.empty() && faults().has("prompt-arguments-demanded"))
    return bad_params("arguments are missing");
  for (const PromptArgument& one : prompt.arguments) {
    if (arguments.find(one.name) != nullptr) continue;
    if (one.required && faults().has("prompt-argument-missing-other-code"))
      return RpcError{kInternalError, "undefined is not a string"};
    if (one.required ? !faults().has("prompt-argument-missing-served")
                     : faults().has("prompt-optional-demanded"))
      return bad_params(std::string("argument ") + one.name + " is required");
  }
  return std::nullopt;
}

// What Faults do about odd texts in arguments.
std::optional<Outcome> Mcp::odd_arguments(Value& arguments) const {
  for (json::Member& member : arguments.members) {
    std::string& text = member.value.text;
    if (text.find('\x07') != text.npos && faults().has("prompt-odd-text-fails"))
      return Outcome(RpcError{kInternalError, "Traceback (most recent call last)"});
    if (text.find('{') != text.npos && faults().has("prompt-odd-text-unanswered"))
      return Outcome(Silent{});
    constexpr std::string_view kProduct = "{{1337*7331}}";
    if (const auto at = text.find(kProduct);
        at != text.npos && faults().has("prompt-template-evaluated"))
      text.replace(at, kProduct.size(), std::to_string(1337 * 7331));
  }
  return std::nullopt;
}

// The prompt of a request, or an outcome without one.
std::variant<const Prompt*, Outcome> Mcp::prompt_of(const Call& call) const {
  const Prompt* first = &prompts().front();
  const Value* name = string_member(call.params, "name");
  if (name == nullptr) {
    const bool missing = call.params.find("name") == nullptr;
    if (missing && faults().has("prompt-name-missing-served")) return first;
    if (!missing && faults().has("prompt-name-kind-unchecked")) return first;
    if (faults().has("prompt-name-missing-other-code"))
      return Outcome(RpcError{kInternalError, "undefined is not a string"});
    return Outcome(bad_params("name has to be a string"));
  }
  if (name->text == kFailingPrompt) {
    if (faults().has("failing-prompt-empty"))
      return Outcome(json::object({{"messages", json::array()}}));
    return Outcome(RpcError{
        faults().has("failing-prompt-other-code") ? kInvalidParams : kInternalError, "No ink"});
  }
  const bool lost = name->text == "test_prompt_with_image" && faults().has("listed-prompt-unknown");
  if (const Prompt* prompt = lost ? nullptr : find_prompt(name, call.version)) return prompt;
  if (faults().has("unknown-prompt-served")) return first;
  if (name->text.starts_with(first->name) && faults().has("unknown-prompt-by-prefix")) return first;
  if (faults().has("unknown-prompt-empty"))
    return Outcome(json::object({{"messages", json::array()}}));
  const int code = faults().has("unknown-prompt-other-code") ? kInternalError : kInvalidParams;
  return Outcome(RpcError{code, "Unknown prompt: " + name->text});
}

Outcome Mcp::prompts_get(Session& session, const CallPtr& call) {
  if (call->version == "2025-11-25" && call->params.find("task") != nullptr &&
      faults().has("task-of-any-request"))
    return create_task(session, call,
                       [](Session&, const CallPtr&) -> Outcome { return tool_text("Done"); });
  if (call->stateless && knows_tasks(*call) && faults().has("task-ext-of-any-request"))
    return make_extension_task(session, call, *find_tool("long_report", call->version),
                               json::object());
  ++server_.memory.tally["prompts got"];
  if (faults().has("prompt-fails")) return RpcError{kInternalError, "Out of order"};
  auto found = prompt_of(*call);
  if (auto* instead = std::get_if<Outcome>(&found)) return std::move(*instead);
  const Prompt& prompt = *std::get<const Prompt*>(found);
  const Value* given = call->params.find("arguments");
  Value arguments = given == nullptr ? json::object() : *given;
  if (auto error = check_arguments(prompt, arguments, given != nullptr)) return *error;
  if (auto instead = odd_arguments(arguments)) return std::move(*instead);
  if (auto error = check_inputs(*call)) return *error;
  Value messages = messages_of(prompt, arguments);
  if (prompt.name == std::string_view("test_input_required_result_prompt")) {
    if (faults().has("input-prompt-never-completes"))
      call->params.set("inputResponses", json::object());
    const std::vector<Question> questions = {
        elicitation("user_context", "What context should the prompt use?", "context", "string")};
    if (auto instead = unanswered(*call, questions)) return std::move(*instead);
    messages = json::array({message_of_user(
        text_block("Prompt with context: " + said_by_user(*call, "user_context", "context")))});
  }
  if (faults().has("prompt-messages-lost")) messages = json::array();
  if (faults().has("prompt-content-lost"))
    messages = json::array({message_of_user(text_block("[object Object]"))});
  return json::object(
      {{"description", json::string(prompt.description)}, {"messages", std::move(messages)}});
}

namespace {

Value completion_of(Value values, int total, bool more) {
  return json::object({{"completion", json::object({{"values", std::move(values)},
                                                    {"total", json::number(total)},
                                                    {"hasMore", json::boolean(more)}})}});
}

// A member of `argument` that is no string.
bool is_of_other_kind(const Value* argument) {
  if (argument == nullptr || !argument->is_object()) return false;
  for (const char* name : {"name", "value"}) {
    const Value* member = argument->find(name);
    if (member != nullptr && !member->is_string()) return true;
  }
  return false;
}

}  // namespace

// Why the params are refused, or what Faults answer in place of that.
std::optional<Outcome> Mcp::odd_completion(const Call& call) const {
  const Value* ref = call.params.find("ref");
  const Value* argument = call.params.find("argument");
  const auto either = [&](FaultName served, FaultName other_code,
                          const char* what) -> std::optional<Outcome> {
    if (faults().has(served)) return Outcome(completion_of(json::array(), 0, false));
    if (faults().has(other_code)) return Outcome(RpcError{kInternalError, "undefined"});
    return Outcome(bad_params(what));
  };
  if (ref == nullptr || !ref->is_object() || string_member(*ref, "type") == nullptr) {
    return either("completion-params-unchecked", "completion-params-other-code",
                  "ref has to be a reference");
  }
  if (is_of_other_kind(argument)) {
    return either("completion-value-kind-unchecked", "completion-value-kind-other-code",
                  "name and value have to be strings");
  }
  if (argument == nullptr || !argument->is_object() || argument->find("name") == nullptr ||
      argument->find("value") == nullptr) {
    return either("completion-params-unchecked", "completion-params-other-code",
                  "argument needs a name and a value");
  }
  if (const Value* context = call.params.find("context")) {
    const Value* earlier = context->is_object() ? context->find("arguments") : nullptr;
    if (!context->is_object() || faults().has("completion-context-refused") ||
        (earlier != nullptr && (!earlier->is_object() || !all_strings(*earlier))))
      return Outcome(bad_params("context.arguments has to map names to strings"));
  }
  const std::string& value = argument->find("value")->text;
  if (value.find('\x07') != value.npos && faults().has("completion-odd-value-unanswered"))
    return Outcome(Silent{});
  if (value.empty() && faults().has("completion-empty-value-refused"))
    return Outcome(bad_params("value must not be empty"));
  return std::nullopt;
}

// Nothing when the reference can be completed; otherwise the refusal, or what Faults make of it.
std::optional<Outcome> Mcp::incompletable(const Call& call) const {
  const Value& ref = *call.params.find("ref");
  const std::string& type = ref.find("type")->text;
  const std::string& name = call.params.find("argument")->find("name")->text;
  const auto refused = [&](FaultName empty, FaultName other_code) -> std::optional<Outcome> {
    if (faults().has(empty)) return Outcome(completion_of(json::array(), 0, false));
    if (faults().has(other_code)) return Outcome(RpcError{kInternalError, "undefined"});
    return Outcome(bad_params("there is nothing to complete there"));
  };
  if (type == "ref/prompt") {
    const Value* asked = string_member(ref, "name");
    if (asked != nullptr && asked->text == kFailingPrompt) {
      if (faults().has("failing-completion-empty"))
        return Outcome(completion_of(json::array(), 0, false));
      return Outcome(
          RpcError{faults().has("failing-completion-other-code") ? kInvalidParams : kInternalError,
                   "The index is gone"});
    }
    const Prompt* prompt = find_prompt(asked, call.version);
    if (prompt == nullptr)
      return refused("completion-unknown-prompt-empty", "completion-unknown-prompt-other-code");
    if (faults().has("completion-prompt-refused")) return Outcome(bad_params("unknown type"));
    const bool known = std::any_of(prompt->arguments.begin(), prompt->arguments.end(),
                                   [&](const PromptArgument& one) { return name == one.name; });
    return known ? std::nullopt : std::optional(Outcome(bad_params("there is no such argument")));
  }
  if (type == "ref/resource") {
    if (faults().has("completion-template-refused")) return Outcome(bad_params("unknown type"));
    const Value* uri = string_member(ref, "uri");
    for (const ResourceTemplate& one : resource_templates())
      if (uri != nullptr && uri->text == one.uri_template &&
          uri->text.find("{" + name + "}") != std::string::npos)
        return std::nullopt;
    return Outcome(bad_params("there is nothing to complete there"));
  }
  if (faults().has("completion-type-unchecked")) return std::nullopt;
  return refused("completion-type-unchecked", "completion-type-other-code");
}

Outcome Mcp::complete(Session& session, const CallPtr& call) {
  if (faults().has("completion-fails")) return RpcError{kInternalError, "Out of order"};
  if (auto instead = odd_completion(*call)) return std::move(*instead);
  if (auto instead = incompletable(*call)) {
    const Value& ref = *call->params.find("ref");
    const bool of_template = ref.find("type")->text == "ref/resource";
    if (of_template && faults().has("completion-unknown-template-silent")) return Silent{};
    if (find_prompt(string_member(ref, "name"), call->version) != nullptr &&
        faults().has("completion-unknown-argument-kills"))
      session.exit_status = 1;
    return std::move(*instead);
  }
  const std::string& typed = call->params.find("argument")->find("value")->text;
  if (typed.size() > 500 && faults().has("completion-long-value-kills")) session.exit_status = 1;
  Value values = json::array();
  int total = 0;
  for (const std::string& word : completion_words()) {
    if (word.compare(0, typed.size(), typed) != 0) continue;
    ++total;
    if (values.items.size() < kMostCompletions) values.items.push_back(json::string(word));
  }
  if (faults().has("restricted-value-completed")) {
    if (values.items.size() == kMostCompletions) values.items.pop_back();
    values.items.insert(values.items.begin(), json::string("restricted"));
    ++total;
  }
  bool more = total > static_cast<int>(values.items.size());
  if (more ? faults().has("completion-has-more-missing")
           : faults().has("completion-has-more-always"))
    more = !more;
  return completion_of(std::move(values), total, more);
}

}  // namespace harness::reference
