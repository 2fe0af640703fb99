// SPDX-License-Identifier: Apache-2.0
// What each tool does. Slow ones are chains of timers, so that other requests are answered
// meanwhile and a cancelled call simply loses its next step.
#include "harness/reference/mcp_tools.h"

#include <algorithm>
#include <cstdlib>
#include <map>

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

constexpr const char* kIcons =
    R"([{"src":"data:image/svg+xml;base64,PHN2Zy8+","mimeType":"image/svg+xml","sizes":["any"],)"
    R"("theme":"light"},{"src":"https://example.com/tool.png","sizes":["48x48"]}])";
constexpr Micros kShortWait = 10000;
constexpr Micros kBeforeReturn = 200000;  // enough for a client to notice the end, and to come back
constexpr Micros kLogWait = 2000;

Outcome echo(Mcp& mcp, Session&, const CallPtr&, const Value& arguments) {
  return tool_text(inject_echo(mcp.faults(), text_in(arguments, "message")));
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
  const std::string greeting = text_in(arguments, "greeting");
  return tool_text((greeting.empty() ? "Hello" : greeting) + ", " + text_in(arguments, "name") +
                   "!");
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
  std::string uri = text_in(arguments, "uri");
  if (uri.empty()) uri = "test://watched-resource";
  ++mcp.watched_revision;
  mcp.announce_update(uri);
  return tool_text("Changed " + uri);
}

Outcome header_tool(Mcp& mcp, Session&, const CallPtr&, const Value& arguments) {
  if (!mcp.server().over_http && mcp.faults().has("mirrored-call-needs-http"))
    return RpcError{kHeaderMismatch, "There are no headers"};
  const Value* limit = arguments.find("limit");
  return tool_text("Region " + text_in(arguments, "region") + ", limit " +
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

const std::map<std::string_view, decltype(Tool::run)> kCode = {
    {"echo", echo},
    {"echo_json", echo_json},
    {"add", add},
    {"greet", greet},
    {"slow_operation", slow_operation},
    {"broken_report", broken_report},
    {"approval", input_elicitation},
    {"test_tool_with_progress", with_progress},
    {"test_reconnection", reconnection},
    {"test_tool_with_logging", with_logging},
    {"test_logging_tool", with_logging},
    {"test_error_handling", error_handling},
    {"test_trigger_tool_change", trigger_change<0>},
    {"test_trigger_prompt_change", trigger_change<1>},
    {"test_trigger_resource_change", trigger_change<2>},
    {"test_update_resource", update_resource},
    {"test_sampling", ask_sampling},
    {"test_elicitation", ask_elicitation},
    {"test_elicitation_sep1034_defaults", ask_defaults},
    {"show_card", show_card},
    {"redraw_card", show_card},
    {"sampling_with_options", ask_sampling_options},
    {"survey", ask_survey},
    {"link_account", ask_url},
    {"linked_files", ask_url_first},
    {"test_list_roots", ask_roots},
    {"test_header_tool", header_tool},
    {"test_missing_capability", need_capability},
    {"test_streaming_elicitation", input_elicitation},
    {"test_input_required_result_elicitation", input_elicitation},
    {"test_input_required_result_sampling", input_sampling},
    {"test_input_required_result_list_roots", input_roots},
    {"test_input_required_result_request_state", input_state},
    {"test_input_required_result_tampered_state", input_state},
    {"test_input_required_result_multiple_inputs", input_several},
    {"test_input_required_result_multi_round", input_rounds},
    {"test_input_required_result_capabilities", input_capabilities}};

Tool tool_of(const Value& row) {
  Tool tool{text_in(row, "name"), text_in(row, "description")};
  const auto optional = [&](const char* name) {
    const Value* value = row.find(name);
    return value == nullptr ? std::nullopt : std::optional(*value);
  };
  tool.input_schema =
      optional("inputSchema").value_or(json::parse(R"({"type":"object","properties":{}})"));
  tool.output_schema = optional("outputSchema");
  tool.content = optional("content");
  tool.since = text_in(row, "since");
  tool.until = text_in(row, "until");
  tool.read_only = row.find("writes") == nullptr;
  const std::string task = text_in(row, "task");
  if (!task.empty())
    tool.as_task = task == "optional" ? TaskSupport::kOptional : TaskSupport::kRequired;
  if (!tool.content) tool.run = kCode.at(tool.name);
  return tool;
}

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> table = [] {
    std::vector<Tool> out;
    for (const Value& row : fixture("/tools").items) out.push_back(tool_of(row));
    return out;
  }();
  return table;
}

bool offered(const Tool& tool, const std::string& version) {
  return version >= tool.since && (tool.until.empty() || version < tool.until);
}

const Tool* find_tool(std::string_view name, const std::string& version) {
  for (const Tool& tool : tools())
    if (name == tool.name && offered(tool, version)) return &tool;
  return nullptr;
}

Value listed(const Tool& tool, const std::string& version) {
  Value entry = json::object({{"name", json::string(tool.name)},
                              {"description", json::string(tool.description)},
                              {"inputSchema", tool.input_schema}});
  if (version >= "2025-03-26") {
    Value annotations = json::object({{"readOnlyHint", json::boolean(tool.read_only)}});
    if (!tool.read_only) annotations.set("destructiveHint", json::boolean(false));
    entry.set("annotations", std::move(annotations));
  }
  if (version >= "2025-06-18") {
    std::string title = tool.name;
    std::replace(title.begin(), title.end(), '_', ' ');
    entry.set("title", json::string(title));
    if (tool.output_schema) entry.set("outputSchema", *tool.output_schema);
  }
  if (version == "2025-11-25" && tool.as_task != TaskSupport::kForbidden) {
    const char* support = tool.as_task == TaskSupport::kOptional ? "optional" : "required";
    entry.set("execution", json::object({{"taskSupport", json::string(support)}}));
  }
  if (version >= "2025-11-25" && tool.name == tools().front().name)
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
