// SPDX-License-Identifier: Apache-2.0
// What each tool does. Slow ones are chains of timers, so that other requests are answered
// meanwhile and a cancelled call simply loses its next step.
#include "harness/reference/mcp_tools.h"

#include <algorithm>
#include <cstdlib>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/arithmetic.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_asks.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_inputs.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr const char* kNever = "9";
constexpr const char* kEmptySchema = R"({"type":"object","properties":{}})";
constexpr const char* kIcons =
    R"([{"src":"data:image/svg+xml;base64,PHN2Zy8+","mimeType":"image/svg+xml","sizes":["any"],)"
    R"("theme":"light"},{"src":"https://example.com/tool.png","sizes":["48x48"]}])";
constexpr Micros kShortWait = 10000;
constexpr Micros kBeforeReturn = 200000;  // enough for a client to notice the end, and to come back
constexpr Micros kLogWait = 2000;

std::string argument_text(const Value& arguments, std::string_view name) {
  const Value* value = arguments.find(name);
  return value == nullptr ? std::string() : value->text;
}

Outcome simple_text(Mcp&, Session&, const CallPtr&, const Value&) {
  return tool_text("This is a simple text response for testing.");
}

Outcome echo(Mcp& mcp, Session&, const CallPtr&, const Value& arguments) {
  return tool_text(inject_echo(mcp.faults(), argument_text(arguments, "message")));
}

Outcome echo_json(Mcp& mcp, Session&, const CallPtr&, const Value& arguments) {
  Value value = inject_echo(mcp.faults(), *arguments.find("value"));
  if (mcp.faults().has("arguments-stringified") && !value.is_string())
    value = json::string(json::write(value));
  return tool_text(json::write(value));
}

Outcome add(Mcp& mcp, Session&, const CallPtr& call, const Value& arguments) {
  auto sum = computed(*arguments.find("a"), '+', *arguments.find("b"));
  if (!sum && mcp.faults().has("sum-to-infinity")) {
    sum = json::number(0);
    sum->text = "Infinity";
  }
  if (!sum) return tool_failure("The sum is out of range.");
  if (call->version < "2025-06-18") return tool_text(sum->text);
  const Value structured = json::object({{"sum", *sum}});
  Value result = tool_text(json::write(structured));
  result.set("structuredContent", structured);
  return result;
}

Outcome greet(Mcp&, Session&, const CallPtr&, const Value& arguments) {
  const std::string greeting = argument_text(arguments, "greeting");
  return tool_text((greeting.empty() ? "Hello" : greeting) + ", " +
                   argument_text(arguments, "name") + "!");
}

void slow_step(Mcp& mcp, Session& session, const CallPtr& call, int done, int steps, Micros pause,
               bool announce) {
  if (done > 0) mcp.progress(session, *call, done, steps, "Step " + std::to_string(done));
  const bool mute =
      mcp.faults().any() && mcp.server().memory.tally.count("reports on " + call->key) != 0;
  if (done == steps && mute) {
    session.cancel(call->id);
    return;
  }
  if (done == steps) {
    if (announce) {
      ++mcp.watched_revision;
      mcp.announce_update("test://watched-resource");
    }
    session.finish(call, tool_text("The slow operation is done."));
    return;
  }
  session.after(call, pause, [&mcp, done, steps, pause, announce](Session& s, const CallPtr& c) {
    slow_step(mcp, s, c, done + 1, steps, pause, announce);
  });
}

Outcome slow_operation(Mcp& mcp, Session& session, const CallPtr& call, const Value& arguments) {
  const Value* ms = arguments.find("durationMs");
  const Value* announce = arguments.find("announce");
  const double wait = ms == nullptr ? 1000 : json::as_double(*ms);
  constexpr int kSteps = 10;
  slow_step(mcp, session, call, 0, kSteps, static_cast<Micros>(wait * 1000 / kSteps),
            announce != nullptr && announce->boolean);
  return Later{};
}

void progress_step(Mcp& mcp, Session& session, const CallPtr& call, int step) {
  if (step == 3) return session.finish(call, tool_text("Progress is done."));
  mcp.progress(session, *call, step * 50, 100,
               "Completed step " + std::to_string(step * 50) + " of 100");
  session.after(call, kShortWait,
                [&mcp, step](Session& s, const CallPtr& c) { progress_step(mcp, s, c, step + 1); });
}

Outcome with_progress(Mcp& mcp, Session& session, const CallPtr& call, const Value&) {
  progress_step(mcp, session, call, 0);
  return Later{};
}

Outcome reconnection(Mcp&, Session& session, const CallPtr& call, const Value&) {
  session.leave(*call);
  session.after(call, kBeforeReturn, [](Session& s, const CallPtr& c) {
    s.finish(c, tool_text("Reconnection is done."));
  });
  return Later{};
}

void logging_step(Mcp& mcp, Session& session, const CallPtr& call, int step) {
  static const char* const kLines[] = {"Tool execution started", "Tool processing data",
                                       "Tool execution completed"};
  if (step == 3) {
    session.finish(call, tool_text("Logging is done."));
    if (call->stateless && mcp.faults().has("log-after-reply"))
      mcp.log(session, *call, "emergency", "Too late");
    return;
  }
  mcp.log(session, *call, "info", kLines[step]);
  session.after(call, kLogWait,
                [&mcp, step](Session& s, const CallPtr& c) { logging_step(mcp, s, c, step + 1); });
}

Outcome with_logging(Mcp& mcp, Session& session, const CallPtr& call, const Value&) {
  for (const std::string& level : log_levels())
    mcp.log(session, *call, level, "A message of level " + level);
  if (mcp.faults().has("log-tells-credentials"))
    mcp.log(session, *call, "emergency", "Authorization: Bearer " + mcp.server().auth.secret);
  logging_step(mcp, session, call, 0);
  return Later{};
}

Outcome broken_report(Mcp&, Session&, const CallPtr&, const Value&) {
  return RpcError{kInternalError, "The report cannot be made"};
}

Outcome error_handling(Mcp& mcp, Session&, const CallPtr&, const Value&) {
  if (mcp.faults().has("tool-failure-as-object-text")) return tool_failure("[object Object]");
  return tool_failure("This tool intentionally returns an error for testing");
}

Outcome image(Mcp&, Session&, const CallPtr&, const Value&) { return tool_blocks({image_block()}); }

Outcome audio(Mcp&, Session&, const CallPtr& call, const Value&) {
  if (call->version < "2025-03-26") return tool_text("Audio content needs revision 2025-03-26.");
  return tool_blocks({audio_block()});
}

Outcome embedded_resource(Mcp&, Session&, const CallPtr&, const Value&) {
  return tool_blocks({embedded_text("test://embedded-resource", "text/plain",
                                    "This is an embedded resource content.")});
}

Outcome multiple_content(Mcp&, Session&, const CallPtr&, const Value&) {
  return tool_blocks({text_block("Multiple content types test:"), image_block(),
                      embedded_text("test://mixed-content-resource", "application/json",
                                    R"({"test":"data","value":123})")});
}

Outcome resource_link(Mcp&, Session&, const CallPtr&, const Value&) {
  return tool_blocks({json::object({{"type", json::string("resource_link")},
                                    {"uri", json::string("test://static-text")},
                                    {"name", json::string("static-text")},
                                    {"mimeType", json::string("text/plain")}})});
}

// A block with every optional member, and a resource in Base64.
Outcome rich_content(Mcp&, Session&, const CallPtr& call, const Value&) {
  Value text = text_block("For both of us.");
  text.set("annotations", json::parse(R"({"audience":["user","assistant"],"priority":0.5})"));
  Value binary = json::object({{"uri", json::string("test://static-binary")},
                               {"mimeType", json::string("image/png")},
                               {"blob", json::string(kPng)}});
  if (call->version >= "2025-06-18") {
    text.find("annotations")->set("lastModified", json::string("2025-01-12T15:00:58Z"));
    text.set("_meta", json::parse(R"({"example.com/source":"fixtures"})"));
  }
  return tool_blocks({std::move(text), json::object({{"type", json::string("resource")},
                                                     {"resource", std::move(binary)}})});
}

// Adds something and takes it away again: the list stays, two notices go out.
template <int Kind>
Outcome trigger_change(Mcp& mcp, Session& session, const CallPtr& call, const Value&) {
  static const char* const kKinds[] = {"tools", "prompts", "resources"};
  mcp.announce_on_call(session, *call,
                       std::string("notifications/") + kKinds[Kind] + "/list_changed");
  mcp.announce_list(kKinds[Kind]);
  mcp.announce_list(kKinds[Kind]);
  return tool_text(std::string("The list of ") + kKinds[Kind] + " changed twice.");
}

Outcome update_resource(Mcp& mcp, Session& session, const CallPtr& call, const Value& arguments) {
  mcp.announce_on_call(session, *call, "notifications/resources/updated");
  std::string uri = argument_text(arguments, "uri");
  if (uri.empty()) uri = "test://watched-resource";
  ++mcp.watched_revision;
  mcp.announce_update(uri);
  return tool_text("Changed " + uri);
}

Outcome header_tool(Mcp& mcp, Session&, const CallPtr&, const Value& arguments) {
  if (!mcp.server().over_http && mcp.faults().has("mirrored-call-needs-http"))
    return RpcError{kHeaderMismatch, "There are no headers"};
  const Value* limit = arguments.find("limit");
  return tool_text("Region " + argument_text(arguments, "region") + ", limit " +
                   (limit == nullptr ? "none" : limit->text));
}

Outcome need_capability(Mcp&, Session&, const CallPtr& call, const Value&) {
  if (auto error = missing_capabilities(*call, {"sampling"})) return *error;
  return tool_text("The client has sampling.");
}

Outcome input_elicitation(Mcp&, Session&, const CallPtr& call, const Value&) {
  const std::vector<Question> questions = {
      elicitation("user_name", "What is your name?", "name", "string")};
  if (auto instead = unanswered(*call, questions)) return std::move(*instead);
  return tool_text("Hello, " + said_by_user(*call, "user_name", "name") + "!");
}

Outcome input_sampling(Mcp& mcp, Session&, const CallPtr& call, const Value&) {
  std::vector<Question> questions = {
      sampling("capital_question", "What is the capital of France?")};
  if (mcp.faults().has("sampling-keeps-history")) {
    static Value history = json::array();
    history.items.push_back(questions[0].params.find("messages")->items[0]);
    questions[0].params.set("messages", history);
  }
  if (auto instead = unanswered(*call, questions)) return std::move(*instead);
  const Value* text = json::at(*answer_to(*call, "capital_question"), "/content/text");
  return tool_text("The model says: " + (text == nullptr ? "(no text)" : text->text));
}

Outcome input_roots(Mcp&, Session&, const CallPtr& call, const Value&) {
  const std::vector<Question> questions = {roots("client_roots")};
  if (auto instead = unanswered(*call, questions)) return std::move(*instead);
  return tool_text("Roots: " + json::write(*answer_to(*call, "client_roots")->find("roots")));
}

// The state of the round before; an Error when it is not ours.
Result<std::string> state_of(const Call& call) {
  const Value* state = call.params.find("requestState");
  if (state == nullptr) return std::string();
  const bool unchecked = call.faults != nullptr && call.faults->has("input-state-unchecked");
  const auto text = state_of_user(call, state->text, unchecked);
  if (!text && call.faults != nullptr && call.faults->has("input-state-kills")) std::_Exit(1);
  std::string mine = call.params.find("name")->text + ":";
  if (text && call.faults != nullptr && call.faults->has("input-state-for-any-tool"))
    mine = text->substr(0, text->find(':') + 1);
  if (!text || text->compare(0, mine.size(), mine) != 0)
    return Error{"", "requestState is not valid", ""};
  return text->substr(mine.size());
}

Outcome input_state(Mcp&, Session&, const CallPtr& call, const Value&) {
  const auto state = state_of(*call);
  if (!state) return bad_params(state.error().what);
  const std::string fresh = call->params.find("name")->text + ":1";
  if (state->empty()) call->params.set("inputResponses", json::object());
  const std::vector<Question> questions = {
      elicitation("confirm", "Please confirm", "ok", "boolean")};
  if (auto instead = unanswered(*call, questions, fresh)) return std::move(*instead);
  return tool_text("state-ok");
}

Outcome input_several(Mcp&, Session&, const CallPtr& call, const Value&) {
  const auto state = state_of(*call);
  if (!state) return bad_params(state.error().what);
  const std::vector<Question> questions = {
      elicitation("user_name", "What is your name?", "name", "string"),
      sampling("greeting", "Generate a greeting"), roots("client_roots")};
  const std::string fresh = call->params.find("name")->text + ":1";
  if (auto instead = unanswered(*call, questions, fresh)) return std::move(*instead);
  return tool_text("Thank you, " + said_by_user(*call, "user_name", "name") + ".");
}

Outcome input_rounds(Mcp&, Session&, const CallPtr& call, const Value&) {
  const auto state = state_of(*call);
  if (!state) return bad_params(state.error().what);
  const std::string mine = call->params.find("name")->text + ":";
  if (state->empty()) call->params.set("inputResponses", json::object());
  if (state->compare(0, 2, "2:") != 0) {
    const std::vector<Question> first = {
        elicitation("step1", "Step 1: What is your name?", "name", "string")};
    if (auto instead = unanswered(*call, first, mine + "1")) return std::move(*instead);
    const std::string name = said_by_user(*call, "step1", "name");
    call->params.set("inputResponses", json::object());
    const std::vector<Question> second = {
        elicitation("step2", "Step 2: What is your favorite color?", "color", "string")};
    return *unanswered(*call, second, mine + "2:" + name);
  }
  const std::vector<Question> second = {
      elicitation("step2", "Step 2: What is your favorite color?", "color", "string")};
  if (auto instead = unanswered(*call, second, mine + *state)) return std::move(*instead);
  return tool_text(state->substr(2) + " likes " + said_by_user(*call, "step2", "color") + ".");
}

Outcome input_capabilities(Mcp&, Session&, const CallPtr& call, const Value&) {
  const std::pair<const char*, Question> all[] = {
      {"elicitation", elicitation("name", "What is your name?", "name", "string")},
      {"sampling", sampling("greeting", "Generate a greeting")},
      {"roots", roots("roots")}};
  std::vector<Question> possible;
  for (const auto& [capability, question] : all) {
    const Value* declared = call->client_capabilities.find(capability);
    if (declared != nullptr && declared->is_object()) possible.push_back(question);
  }
  if (auto instead = unanswered(*call, possible)) return std::move(*instead);
  return tool_text("Asked for " + std::to_string(possible.size()) + " things.");
}

constexpr const char* kMessageSchema =
    R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})";
constexpr const char* kTripSchema =
    R"({"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}},)"
    R"("dependentRequired":{"from":["to"]}})";
constexpr const char* kAddressSchema =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{)"
    R"("address":{"$anchor":"address","type":"object","properties":{"street":{"type":"string"},)"
    R"("city":{"type":"string"}}}},"properties":{"name":{"type":"string"},)"
    R"("address":{"$ref":"#/$defs/address"}},"dependentRequired":{"address":["name"]},)"
    R"("allOf":[{"anyOf":[{"type":"object"}]}],"if":{"required":["nobody"]},)"
    R"("then":{"required":["name"]},"additionalProperties":false})";
constexpr const char* kModern = "2026-07-28";

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> table = {
      {"test_simple_text", "Returns one line of text.", kEmptySchema, nullptr, "", kNever, true,
       simple_text},
      {"echo", "Returns the message.", kMessageSchema, nullptr, "", kNever, true, echo},
      {"echo_json", "Returns any JSON value as JSON text.",
       R"({"type":"object","properties":{"value":{}},"required":["value"]})", nullptr, "", kNever,
       true, echo_json},
      {"add", "Adds two numbers.",
       R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},)"
       R"("required":["a","b"]})",
       R"({"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]})", "", kNever,
       true, add},
      {"greet", "Greets someone.",
       R"({"type":"object","properties":{"name":{"type":"string"},"greeting":{"type":"string"},)"
       R"("manner":{"type":"string","enum":["warm","cool"]}},"required":["name"],)"
       R"("additionalProperties":false})",
       nullptr, "", kNever, true, greet},
      {"json_schema_2020_12_tool",
       "Takes arguments whose schema uses words of JSON Schema 2020-12.", kAddressSchema, nullptr,
       "", kNever, true, simple_text},
      {"plan_trip", "Plans a trip.", kTripSchema, nullptr, "", kNever, true, simple_text},
      {"slow_operation", "Works for a while; announce changes test://watched-resource at its end.",
       R"({"type":"object","properties":{"durationMs":{"type":"integer","minimum":0,)"
       R"("maximum":10000},"announce":{"type":"boolean"}}})",
       nullptr, "", kNever, true, slow_operation, TaskSupport::kOptional},
      {"long_report", "Runs as a task, and in no other way.", kEmptySchema, nullptr, "2025-11-25",
       kNever, true, simple_text, TaskSupport::kRequired},
      {"broken_report", "Runs as a task, which fails.", kEmptySchema, nullptr, "2025-11-25", kNever,
       true, broken_report, TaskSupport::kRequired},
      {"approval", "Asks the user who approves, and why.", kEmptySchema, nullptr, kModern, kNever,
       true, input_elicitation, TaskSupport::kOptional},
      {"test_tool_with_progress", "Reports progress 0, 50 and 100 of 100.", kEmptySchema, nullptr,
       "", kNever, true, with_progress},
      {"test_reconnection", "Closes the HTTP connection in the middle of the call.", kEmptySchema,
       nullptr, "2025-11-25", kModern, true, reconnection},
      {"test_tool_with_logging", "Sends a message of each level, then three of level info.",
       kEmptySchema, nullptr, "", kNever, true, with_logging},
      {"test_logging_tool", "Sends a message of each level, then three of level info.",
       kEmptySchema, nullptr, kModern, kNever, true, with_logging},
      {"test_error_handling", "Always fails.", kEmptySchema, nullptr, "", kNever, true,
       error_handling, TaskSupport::kOptional},
      {"test_image_content", "Returns an image.", kEmptySchema, nullptr, "", kNever, true, image},
      {"test_audio_content", "Returns audio, where audio content exists.", kEmptySchema, nullptr,
       "", kNever, true, audio},
      {"test_embedded_resource", "Returns an embedded resource.", kEmptySchema, nullptr, "", kNever,
       true, embedded_resource},
      {"test_multiple_content_types", "Returns text, an image and a resource.", kEmptySchema,
       nullptr, "", kNever, true, multiple_content},
      {"test_resource_link", "Returns a link to a resource.", kEmptySchema, nullptr, "2025-06-18",
       kNever, true, resource_link},
      {"test_trigger_tool_change", "Adds a tool and removes it again.", kEmptySchema, nullptr, "",
       kNever, false, trigger_change<0>},
      {"test_trigger_prompt_change", "Adds a prompt and removes it again.", kEmptySchema, nullptr,
       "", kNever, false, trigger_change<1>},
      {"test_trigger_resource_change", "Adds a resource and removes it again.", kEmptySchema,
       nullptr, "", kNever, false, trigger_change<2>},
      {"test_update_resource", "Changes a resource, by default test://watched-resource.",
       R"({"type":"object","properties":{"uri":{"type":"string"}}})", nullptr, "", kNever, false,
       update_resource},
      {"test_sampling", "Asks the client's model.",
       R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})",
       nullptr, "", kModern, true, ask_sampling},
      {"test_elicitation", "Asks the user for a name and an address.", kMessageSchema, nullptr,
       "2025-06-18", kModern, true, ask_elicitation, TaskSupport::kOptional},
      {"test_elicitation_sep1034_defaults", "Asks with default values.", kEmptySchema, nullptr,
       "2025-11-25", kModern, true, ask_defaults},
      {"rich_content", "Returns blocks with every optional member.", kEmptySchema, nullptr, "",
       kNever, true, rich_content},
      {"show_card", "Shows a card for a guest.", kEmptySchema, nullptr, "2025-11-25", kNever, true,
       show_card},
      {"redraw_card", "Draws the card for a guest once more.", kEmptySchema, nullptr, "2025-11-25",
       kNever, true, show_card},
      {"sampling_with_options", "Asks the client's model, with every option and a tool.",
       kEmptySchema, nullptr, "", kNever, true, ask_sampling_options},
      {"survey", "Asks the user one question of each kind.", kEmptySchema, nullptr, "2025-06-18",
       kNever, true, ask_survey},
      {"link_account", "Asks the user to open a page.", kEmptySchema, nullptr, "2025-11-25", kNever,
       true, ask_url},
      {"linked_files", "Needs a page to be opened by the user first.", kEmptySchema, nullptr,
       "2025-11-25", kModern, true, ask_url_first},
      {"test_list_roots", "Asks the client for its roots.", kEmptySchema, nullptr, "", kModern,
       true, ask_roots},
      {"test_header_tool", "Has arguments that HTTP headers mirror.",
       R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
       R"("limit":{"type":"integer","x-mcp-header":"Limit"},)"
       R"("fresh":{"type":"boolean","x-mcp-header":"Fresh"}},"required":["region"]})",
       nullptr, kModern, kNever, true, header_tool},
      {"test_missing_capability", "Needs a client with sampling.", kEmptySchema, nullptr, kModern,
       kNever, true, need_capability},
      {"test_streaming_elicitation", "Asks the user for a name.", kEmptySchema, nullptr, kModern,
       kNever, true, input_elicitation},
      {"test_input_required_result_elicitation", "Asks the user for a name.", kEmptySchema, nullptr,
       kModern, kNever, true, input_elicitation},
      {"test_input_required_result_sampling", "Asks the client's model.", kEmptySchema, nullptr,
       kModern, kNever, true, input_sampling},
      {"test_input_required_result_list_roots", "Asks the client for its roots.", kEmptySchema,
       nullptr, kModern, kNever, true, input_roots},
      {"test_input_required_result_request_state", "Asks for confirmation and keeps state.",
       kEmptySchema, nullptr, kModern, kNever, true, input_state},
      {"test_input_required_result_tampered_state", "Asks for confirmation and keeps state.",
       kEmptySchema, nullptr, kModern, kNever, true, input_state},
      {"test_input_required_result_multiple_inputs", "Asks user, model and roots at once.",
       kEmptySchema, nullptr, kModern, kNever, true, input_several},
      {"test_input_required_result_multi_round", "Asks twice, one thing after the other.",
       kEmptySchema, nullptr, kModern, kNever, true, input_rounds},
      {"test_input_required_result_capabilities", "Asks only what the client can answer.",
       kEmptySchema, nullptr, kModern, kNever, true, input_capabilities},
  };
  return table;
}

bool offered(const Tool& tool, const std::string& version) {
  return version >= tool.since && version < tool.until;
}

const Tool* find_tool(std::string_view name, const std::string& version) {
  for (const Tool& tool : tools())
    if (name == tool.name && offered(tool, version)) return &tool;
  return nullptr;
}

Value input_schema(const Tool& tool) { return json::parse(tool.input_schema); }

Value listed(const Tool& tool, const std::string& version) {
  Value entry = json::object({{"name", json::string(tool.name)},
                              {"description", json::string(tool.description)},
                              {"inputSchema", input_schema(tool)}});
  if (version >= "2025-03-26") {
    Value annotations = json::object({{"readOnlyHint", json::boolean(tool.read_only)}});
    if (!tool.read_only) annotations.set("destructiveHint", json::boolean(false));
    entry.set("annotations", std::move(annotations));
  }
  if (version >= "2025-06-18") {
    std::string title = tool.name;
    std::replace(title.begin(), title.end(), '_', ' ');
    entry.set("title", json::string(title));
    if (tool.output_schema != nullptr) entry.set("outputSchema", json::parse(tool.output_schema));
  }
  if (version == "2025-11-25" && tool.as_task != TaskSupport::kForbidden) {
    const char* support = tool.as_task == TaskSupport::kOptional ? "optional" : "required";
    entry.set("execution", json::object({{"taskSupport", json::string(support)}}));
  }
  if (version >= "2025-11-25" && std::string_view(tool.name) == tools().front().name)
    entry.set("icons", json::parse(kIcons));
  return entry;
}

Value tool_blocks(std::vector<Value> blocks) {
  return json::object({{"content", json::array(std::move(blocks))}});
}
Value tool_text(std::string_view text) { return tool_blocks({text_block(text)}); }
Value tool_failure(std::string_view text) {
  Value result = tool_text(text);
  result.set("isError", json::boolean(true));
  return result;
}

std::vector<std::pair<std::string, std::string>> mirrored_arguments(std::string_view tool) {
  if (tool == "test_header_tool") {
    return {
        {"region", "Mcp-Param-Region"}, {"limit", "Mcp-Param-Limit"}, {"fresh", "Mcp-Param-Fresh"}};
  }
  return {};
}

}  // namespace harness::reference
