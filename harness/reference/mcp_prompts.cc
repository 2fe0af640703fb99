// SPDX-License-Identifier: Apache-2.0
// Prompts, and completion of their arguments and of those of resource templates.
#include <algorithm>

#include "harness/json/write.h"
#include "harness/reference/inject.h"
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

// `text` with the arguments in it.
std::string filled_in(const Prompt& prompt, const Value& arguments, std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const PromptArgument* named = nullptr;
    for (const PromptArgument& one : prompt.arguments)
      if (text.starts_with('{' + one.name + '}')) named = &one;
    if (named == nullptr) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string given = text_in(arguments, named->name);
    out += given.empty() ? named->usual : given;
    text.remove_prefix(named->name.size() + 2);
  }
  return out;
}

Value messages_of(const Prompt& prompt, const Value& arguments) {
  Value messages = prompt.messages;
  each_value(messages, [&](Value& one) {
    if (one.is_string()) one.text = filled_in(prompt, arguments, one.text);
  });
  return messages;
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
  if (!arguments.is_object() || !all_strings(arguments))
    return bad_params("arguments have to be strings by name");
  if (!given && prompt.arguments.empty() && faults().has("prompt-arguments-demanded"))
    return bad_params("arguments are missing");
  for (const PromptArgument& one : prompt.arguments) {
    if (arguments.find(one.name) != nullptr) continue;
    if (one.required || faults().has("prompt-optional-demanded"))
      return bad_params("argument " + one.name + " is required");
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

// The prompt of a request, or why there is none.
std::variant<const Prompt*, Outcome> Mcp::prompt_of(const Call& call) const {
  const Value* name = string_member(call.params, "name");
  if (name == nullptr) return Outcome(bad_params("name has to be a string"));
  if (name->text == kFailingPrompt) return Outcome(RpcError{kInternalError, "No ink"});
  const bool lost = name->text == "test_prompt_with_image" && faults().has("listed-prompt-unknown");
  if (const Prompt* prompt = lost ? nullptr : find_prompt(name, call.version)) return prompt;
  return Outcome(RpcError{kInvalidParams, "Unknown prompt: " + name->text});
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
  auto found = prompt_of(*call);
  if (auto* instead = std::get_if<Outcome>(&found)) return std::move(*instead);
  const Prompt& prompt = *std::get<const Prompt*>(found);
  const Value* given = call->params.find("arguments");
  Value arguments = given == nullptr ? json::object() : *given;
  if (auto error = check_arguments(prompt, arguments, given != nullptr)) return *error;
  if (auto instead = odd_arguments(arguments)) return std::move(*instead);
  if (auto error = check_inputs(*call)) return *error;
  Value messages = messages_of(prompt, arguments);
  if (prompt.name == "test_input_required_result_prompt") {
    if (faults().has("input-prompt-never-completes"))
      call->params.set("inputResponses", json::object());
    const std::vector<Question> questions = {
        elicitation("user_context", "What context should the prompt use?", "context", "string")};
    if (auto instead = unanswered(*call, questions)) return std::move(*instead);
    messages = json::array({message_of_user(
        text_block("Prompt with context: " + said_by_user(*call, "user_context", "context")))});
  }
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

// Why the params are refused.
std::optional<RpcError> Mcp::odd_completion(const Call& call) const {
  const Value* ref = call.params.find("ref");
  const Value* argument = call.params.find("argument");
  if (ref == nullptr || !ref->is_object() || string_member(*ref, "type") == nullptr)
    return bad_params("ref has to be a reference");
  if (is_of_other_kind(argument)) return bad_params("name and value have to be strings");
  if (argument == nullptr || !argument->is_object() || argument->find("name") == nullptr ||
      argument->find("value") == nullptr)
    return bad_params("argument needs a name and a value");
  if (const Value* context = call.params.find("context")) {
    const Value* earlier = context->is_object() ? context->find("arguments") : nullptr;
    if (!context->is_object() ||
        (earlier != nullptr && (!earlier->is_object() || !all_strings(*earlier))))
      return bad_params("context.arguments has to map names to strings");
  }
  return std::nullopt;
}

// Why the reference cannot be completed.
std::optional<RpcError> Mcp::incompletable(const Call& call) const {
  const Value& ref = *call.params.find("ref");
  const std::string& type = ref.find("type")->text;
  const std::string& name = call.params.find("argument")->find("name")->text;
  if (type == "ref/prompt") {
    const Value* asked = string_member(ref, "name");
    if (asked != nullptr && asked->text == kFailingPrompt)
      return RpcError{kInternalError, "The index is gone"};
    if (const Prompt* prompt = find_prompt(asked, call.version)) {
      for (const PromptArgument& one : prompt->arguments)
        if (name == one.name) return std::nullopt;
      return bad_params("there is no such argument");
    }
  } else if (type == "ref/resource") {
    const Value* uri = string_member(ref, "uri");
    for (const Value& one : resource_templates())
      if (uri != nullptr && uri->text == text_in(one, "uriTemplate") &&
          uri->text.find("{" + name + "}") != std::string::npos)
        return std::nullopt;
  } else if (faults().has("completion-type-unchecked")) {
    return std::nullopt;
  }
  return bad_params("there is nothing to complete there");
}

Outcome Mcp::complete(Session&, const CallPtr& call) {
  if (auto error = odd_completion(*call)) return *error;
  if (auto error = incompletable(*call)) return *error;
  const std::string& typed = call->params.find("argument")->find("value")->text;
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
