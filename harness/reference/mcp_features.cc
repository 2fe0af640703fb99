// SPDX-License-Identifier: Apache-2.0
// Lists with their pages, resources, prompts and completion.
#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/write.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"
#include "harness/reference/mcp_tasks.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kToolsAPage = 12;
constexpr std::size_t kResourcesAPage = 4;
constexpr std::size_t kTemplatesAPage = 2;
constexpr std::size_t kPromptsAPage = 3;
constexpr std::size_t kMostCompletions = 100;

// "test_simple_prompt" as people read it.
std::string title_of(std::string_view name) {
  std::string title(name);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty()) title[0] = ascii::upper(title[0]);
  return title;
}

// Opaque, and only what was given out is taken back.
std::string cursor_for(std::string_view kind, std::size_t at) {
  return sealed(std::string(kind) + ":" + std::to_string(at));
}

const Value* string_member(const Value& params, std::string_view name) {
  const Value* value = params.find(name);
  return value != nullptr && value->is_string() ? value : nullptr;
}

bool all_strings(const Value& object) {
  return std::all_of(object.members.begin(), object.members.end(),
                     [](const json::Member& member) { return member.value.is_string(); });
}

RpcError resource_not_found(const Call& call, const std::string& uri) {
  return {call.stateless ? kInvalidParams : kResourceNotFound, "Resource not found",
          json::object({{"uri", json::string(uri)}})};
}

struct Found {
  std::string mime_type;
  std::string text;
  const char* blob = nullptr;
};

std::optional<Found> find_resource(const Mcp& mcp, const std::string& uri,
                                   const std::string& version) {
  for (const Resource& one : resources()) {
    if (uri != one.uri || version < one.since) continue;
    if (uri == "test://watched-resource") {
      return Found{one.mime_type,
                   "Revision " + std::to_string(mcp.watched_revision) + " of the resource."};
    }
    return Found{one.mime_type, one.text == nullptr ? "" : one.text, one.blob};
  }
  if (const auto id = template_argument(uri, "test://template/", "/data")) {
    return Found{"application/json", "{\"id\":" + json::quoted(*id) + ",\"templateTest\":true}"};
  }
  if (const auto text = template_argument(uri, "test://echo/", "")) {
    return Found{"text/plain", *text};
  }
  return std::nullopt;
}

Value message_of_user(Value block) {
  return json::object({{"role", json::string("user")}, {"content", std::move(block)}});
}

}  // namespace

void Mcp::cacheable(const Call& call, Value& result, int ttl_ms, const char* scope) {
  if (!call.stateless) return;
  result.set("ttlMs", json::number(ttl_ms));
  result.set("cacheScope", json::string(scope));
}

Outcome Mcp::page(const Call& call, const char* kind, const char* member, std::vector<Value> items,
                  std::size_t size) {
  std::size_t begin = 0;
  if (const Value* cursor = call.params.find("cursor")) {
    if (!cursor->is_string()) return bad_params("cursor has to be a string");
    for (begin = size; begin < items.size(); begin += size) {
      if (cursor->text == cursor_for(kind, begin)) break;
    }
    if (begin >= items.size()) return bad_params("unknown cursor");
  }
  const std::size_t end = std::min(items.size(), begin + size);
  Value slice = json::array();
  for (std::size_t i = begin; i < end; ++i) slice.items.push_back(std::move(items[i]));
  Value result = json::object();
  result.set(member, std::move(slice));
  if (end < items.size()) result.set("nextCursor", json::string(cursor_for(kind, end)));
  cacheable(call, result, 300000, "public");
  return result;
}

Outcome Mcp::tools_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Tool& tool : tools()) {
    if (offered(tool, call->version)) items.push_back(listed(tool, call->version));
  }
  return page(*call, "tools", "tools", std::move(items), kToolsAPage);
}

// Whether Faults let all that is wrong with the arguments pass.
static bool overlooked(const Faults& faults, const std::vector<Problem>& problems) {
  const auto one = [&](const Problem& problem) {
    const auto says = [&](const char* words) { return problem.message.rfind(words, 0) == 0; };
    return (says("is required") && faults.has("required-argument-unchecked")) ||
           (says("has to be of type") && faults.has("argument-types-coerced")) ||
           (says("has to be one of") && faults.has("enum-unchecked")) ||
           (says("is not known") && faults.has("unknown-argument-taken")) ||
           ((says("has to be at least") || says("has to be at most")) &&
            faults.has("range-unchecked"));
  };
  return std::all_of(problems.begin(), problems.end(), one);
}

Outcome Mcp::tools_call(Session& session, const CallPtr& call) {
  const Value* name = string_member(call->params, "name");
  if (name == nullptr) return bad_params("name has to be a string");
  const Tool* tool = find_tool(name->text, call->version);
  if (tool == nullptr) return RpcError{kInvalidParams, "Unknown tool: " + name->text};
  const Value* given = call->params.find("arguments");
  if (given == nullptr && faults().has("arguments-demanded")) {
    return bad_params("arguments are missing");
  }
  Value arguments = given == nullptr ? json::object() : *given;
  if (!arguments.is_object() && faults().has("arguments-type-unchecked")) {
    arguments = json::object();
  }
  if (!arguments.is_object()) return bad_params("arguments have to be an object");
  if (call->version != "2025-11-25" || call->params.find("task") == nullptr) {
    return run_tool(session, call, *tool, arguments);
  }
  if (!tool->as_task) return RpcError{kMethodNotFound, "The tool does not run as a task"};
  return create_task(session, call, [this, tool, arguments](Session& s, const CallPtr& work) {
    return run_tool(s, work, *tool, arguments);
  });
}

Outcome Mcp::run_tool(Session& session, const CallPtr& call, const Tool& tool,
                      const Value& arguments) {
  const auto problems = problems_of(input_schema(tool), arguments);
  if (!problems.empty()) {
    if (overlooked(faults(), problems)) return tool_text("Done");
    if (faults().has("invalid-arguments-other-code"))
      return RpcError{kInternalError, listed(problems)};
    if (call->version < "2025-11-25") return bad_params(listed(problems));
    return tool_failure("Invalid arguments: " + listed(problems));
  }
  if (auto error = check_inputs(*call)) return *error;
  return tool.run(*this, session, call, arguments);
}

Outcome Mcp::resources_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources()) {
    if (call->version < one.since) continue;
    Value item = json::object({{"uri", json::string(one.uri)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (one.text != nullptr && one.text[0] != 0) {
      item.set("size", json::number(static_cast<int>(std::string_view(one.text).size())));
    }
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  return page(*call, "resources", "resources", std::move(items), kResourcesAPage);
}

Outcome Mcp::templates_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const ResourceTemplate& one : resource_templates()) {
    Value item = json::object({{"uriTemplate", json::string(one.uri_template)},
                               {"name", json::string(one.name)},
                               {"description", json::string(one.description)},
                               {"mimeType", json::string(one.mime_type)}});
    if (call->version >= "2025-06-18") item.set("title", json::string(title_of(one.name)));
    items.push_back(std::move(item));
  }
  return page(*call, "templates", "resourceTemplates", std::move(items), kTemplatesAPage);
}

Outcome Mcp::resources_read(Session&, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (auto error = check_inputs(*call)) return *error;
  const auto found = find_resource(*this, uri->text, call->version);
  if (!found) return resource_not_found(*call, uri->text);
  Value contents = json::object({{"uri", *uri}, {"mimeType", json::string(found->mime_type)}});
  if (found->blob != nullptr) {
    contents.set("blob", json::string(found->blob));
  } else {
    contents.set("text", json::string(found->text));
  }
  Value result = json::object({{"contents", json::array({std::move(contents)})}});
  cacheable(*call, result, 60000, "private");
  return result;
}

Outcome Mcp::subscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  if (!find_resource(*this, uri->text, call->version)) {
    return resource_not_found(*call, uri->text);
  }
  session.subscriptions.insert(uri->text);
  return json::object();
}

Outcome Mcp::unsubscribe(Session& session, const CallPtr& call) {
  const Value* uri = string_member(call->params, "uri");
  if (uri == nullptr) return bad_params("uri has to be a string");
  session.subscriptions.erase(uri->text);
  return json::object();
}

// A skill is a resource of that name; its front matter says what it is called.
Outcome Mcp::skills_list(Session&, const CallPtr& call) {
  std::vector<Value> items;
  for (const Resource& one : resources()) {
    if (!std::string_view(one.uri).ends_with("/SKILL.md")) continue;
    items.push_back(json::object(
        {{"uri", json::string(one.uri)},
         {"frontmatter", json::object({{"name", json::string(one.name)},
                                       {"description", json::string(one.description)}})}}));
  }
  return page(*call, "skills", "skills", std::move(items), kPromptsAPage);
}

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

Outcome Mcp::prompts_get(Session&, const CallPtr& call) {
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
