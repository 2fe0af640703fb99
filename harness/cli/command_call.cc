// SPDX-License-Identifier: Apache-2.0
// rpcspec call: one request by hand: its arguments made where none are given, its answer shown and
// judged.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fuzz/judge/judge.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/command_context.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/names.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/target/made_arguments.h"
#include "harness/target/synthesis.h"
#include "harness/trace/attribution.h"

namespace harness::cli {
namespace {

constexpr std::size_t kShownOfReply = 16u << 10;  // characters of a message

struct CallOptions {
  ContextOptions context;
  std::string method, name, params, arguments, level = "must", format = "text";
};

// A listed thing that is called by a name: where the name stands in params, and in its list.
struct Callable {
  const char* method;
  const char* member;
  json::Value target::Lists::*list;
  const char* key;
};
constexpr Callable kCallables[] = {
    {"tools/call", "name", &target::Lists::tools, "name"},
    {"prompts/get", "name", &target::Lists::prompts, "name"},
    {"resources/read", "uri", &target::Lists::resources, "uri"},
};

Result<json::Value> read_value(const char* option, const std::string& text) {
  auto reading = json::read(text);
  if (auto* sound = std::get_if<json::Reading>(&reading)) return std::move(sound->value);
  return Error{option, "it is not JSON", std::string("write ") + option + " '{\"query\": \"x\"}'"};
}

const json::Value* entry_named(const json::Value& list, const char* key, const std::string& name) {
  for (const json::Value& item : list.items)
    if (const json::Value* value = item.find(key);
        value && value->is_string() && value->text == name)
      return &item;
  return nullptr;
}

// Arguments that fit what the server says of itself; nothing where none can be made.
std::optional<json::Value> made_arguments(const Callable& kind, const json::Value& entry,
                                          const target::Lists& lists) {
  if (kind.list == &target::Lists::tools) {
    const json::Value* schema = entry.find("inputSchema");
    if (schema == nullptr) return json::object();
    target::Synthesis made = target::synthesise(*schema, target::Arguments::kValid, 1);
    if (made.instances.empty()) return std::nullopt;
    return std::move(made.instances.front().value);
  }
  for (target::PromptArguments& one : target::prompt_arguments(lists, target::Arguments::kValid))
    if (json::equal(one.prompt, entry)) return std::move(one.arguments);
  return json::object();
}

bool takes_name(const std::string& method) {
  return method.empty() || std::any_of(std::begin(kCallables), std::end(kCallables),
                                       [&](const Callable& one) { return method == one.method; });
}

// The names that a method takes, with what each is for; every method's where none is named.
int list_callable(const std::string& method, const target::Lists& lists,
                  const std::string& program) {
  std::string out;
  for (const Callable& kind : kCallables) {
    if (!method.empty() && method != kind.method) continue;
    for (const json::Value& item : (lists.*kind.list).items) {
      const json::Value* name = item.find(kind.key);
      const json::Value* about = item.find("description");
      if (name == nullptr || !name->is_string()) continue;
      const std::string text = about && about->is_string() ? printable(about->text, 60) : "";
      out += fmt::format("  {} {}{}\n", kind.method, shell_quoted(printable(name->text, 200)),
                         text.empty() ? "" : "   # " + text);
    }
  }
  if (out.empty())
    fmt::print(
        "nothing that takes a name is listed; any method can be called: {} call METHOD --params "
        "'[1, 2]'\n",
        program);
  else
    fmt::print("can be called, as in `{} call METHOD NAME`:\n{}", program, out);
  return kOk;
}

Result<json::Value> params_of(const CallOptions& given, const target::Lists& lists) {
  if (!given.params.empty()) return read_value("--params", given.params);
  if (given.name.empty()) return json::null();
  const auto* kind = std::find_if(std::begin(kCallables), std::end(kCallables),
                                  [&](const Callable& one) { return given.method == one.method; });
  if (kind == std::end(kCallables))
    return Error{"call", "the method " + printable(given.method, 60) + " takes no name",
                 did_you_mean(given.method, {"tools/call", "prompts/get", "resources/read"},
                              "give its params with --params '{…}', or call a tool: tools/call " +
                                  shell_quoted(printable(given.method, 60)))};
  json::Value params = json::object({{kind->member, json::string(given.name)}});
  const json::Value* entry = entry_named(lists.*kind->list, kind->key, given.name);
  if (!given.arguments.empty()) {
    Result<json::Value> arguments = read_value("--arguments", given.arguments);
    if (!arguments) return arguments.error();
    params.set("arguments", std::move(*arguments));
    return params;
  }
  if (kind->list == &target::Lists::resources) return params;
  if (entry == nullptr) {
    std::vector<std::string> known;
    for (const json::Value& item : (lists.*kind->list).items)
      if (const json::Value* name = item.find(kind->key); name && name->is_string())
        known.push_back(printable(name->text, 80));
    return Error{"call", "the target lists nothing named `" + printable(given.name, 80) + "`",
                 did_you_mean(given.name, known, "give --arguments '{…}' to call it anyway")};
  }
  std::optional<json::Value> arguments = made_arguments(*kind, *entry, lists);
  if (!arguments)
    return Error{"call", "no arguments can be made from its schema",
                 "give them with --arguments '{\"query\": \"x\"}'"};
  params.set("arguments", std::move(*arguments));
  return params;
}

// It is sent all the same: how an unknown method is refused may be what is asked.
void warn_of_misspelt(const std::string& method, const spec::Profile& profile) {
  std::vector<std::string> known;
  for (const spec::MessageRow* row : profile.protocol().messages_of(profile))
    if (row->from_client()) known.push_back(row->name);
  const std::string near = nearest(method, known);
  if (!near.empty() && near != method)
    std::fprintf(stderr, "rpcspec: %s has no method `%s`; did you mean `%s`?\n",
                 profile.name.c_str(), printable(method, 60).c_str(), near.c_str());
}

bool shown(const wire::Frame& frame) {
  return frame.channel != wire::Channel::kStderr && frame.channel != wire::Channel::kPing &&
         frame.channel != wire::Channel::kPong && !frame.bytes.empty();
}

// A message, indented as JSON where it is some.
std::string pretty(const std::string& bytes) {
  auto reading = json::read(bytes);
  const auto* sound = std::get_if<json::Reading>(&reading);
  std::string text = sound != nullptr ? json::write_pretty(sound->value) : bytes;
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "    " + printable(text.substr(begin, end - begin), kShownOfReply) + "\n";
    begin = end + 1;
  }
  return out;
}

// What was said from the request to the canary behind it, and what came later for the request.
// False where nothing came for it.
bool print_conversation(const fuzz::Execution& execution, const spec::Profile& profile,
                        const Secrets& secrets) {
  if (execution.sent.empty()) return false;
  const fuzz::Execution::SentStep& step = execution.sent.front();
  const trace::Trace trace(execution.slices[step.slice], profile);
  std::set<std::uint64_t> answers;
  for (const trace::Item& item : trace.items) {
    if (item.sent) continue;
    const trace::Answer& answer = trace::attribution_of(trace).of(item);
    if (answer.to != nullptr && answer.to->seq == step.seq) answers.insert(item.seq);
  }
  bool canary = false, answered = !answers.empty();
  for (const wire::Frame& frame : trace.transcript.frames) {
    if (frame.seq < step.seq || !shown(frame)) continue;
    const bool sent = frame.direction == wire::Direction::kSent;
    if (sent && frame.seq > step.seq) canary = true;
    if (canary && !answers.contains(frame.seq)) continue;
    answered |= !sent && frame.exchange != 0;
    fmt::print(
        "  {} {}{}\n{}", sent ? "→" : "←", wire::channel_name(frame.channel),
        frame.head && frame.head->status != 0 ? fmt::format("  HTTP {}", frame.head->status) : "",
        secrets.masked(pretty(frame.bytes)));
  }
  return answered;
}

int tell(const fuzz::Execution& execution, const std::vector<fuzz::Problem>& problems,
         const CommandContext& context, const spec::Profile& profile, bool should) {
  const Secrets& secrets = context.target().secrets;
  const bool answered = print_conversation(execution, profile, secrets);
  if (execution.withheld > 0 || execution.sent.empty())
    return complain("nothing was sent: the tool is not allowed", kUnreachable);
  if (!answered) fmt::print("\nno answer\n");
  bool failed = !answered;
  for (const fuzz::Problem& problem : problems) {
    const bool must = problem.finding.severity == oracle::Severity::kFail;
    failed |= must || should;
    const spec::Requirement* clause = context.registry().find(problem.finding.requirement);
    fmt::print("\n{}  {}{}\n      expected  {}\n      seen      {}\n", must ? "FAIL" : "WARN",
               problem.finding.requirement, clause == nullptr ? "" : ": " + clause->statement,
               secrets.masked(printable(problem.finding.expected, 400)),
               secrets.masked(printable(problem.finding.seen, 400)));
  }
  if (problems.empty() && answered)
    fmt::print("\nthis exchange breaks no clause of {}\n", profile.name);
  return failed ? kViolations : kOk;
}

int call_command(CallOptions given, const Invocation& invocation) {
  if (given.level != "must" && given.level != "should")
    return complain(
        Error{"--level", "`" + given.level + "` is not a level", "write must or should"}, kUsage);
  if (!given.arguments.empty() && !given.params.empty())
    return complain(Error{"--arguments", "they are part of params", "give only one of them"},
                    kUsage);
  for (const auto& [option, text] :
       {std::pair("--arguments", given.arguments), {"--params", given.params}})
    if (!text.empty())
      if (const auto value = read_value(option, text); !value)
        return complain(value.error(), kUsage);
  // Who names a tool allows it.
  if (given.method == "tools/call" && !given.name.empty() &&
      given.context.target.allow_tools != "any")
    given.context.target.allow_tools +=
        (given.context.target.allow_tools.empty() ? "" : ",") + given.name;
  Result<CommandContext> context = CommandContext::set(given.context, {}, invocation);
  if (!context) return complain(context.error(), kUsage);
  return context->play([&](fuzz::FuzzTarget& fuzz_target,
                           run::Served&) -> session::awaitable<Result<int>> {
    const spec::Profile& profile = fuzz_target.profile();
    if (given.name.empty() && given.params.empty() && takes_name(given.method))
      co_return list_callable(given.method, fuzz_target.offer(), invocation.program);
    const Result<json::Value> params = params_of(given, fuzz_target.offer());
    if (!params) co_return complain(params.error(), kUsage);
    warn_of_misspelt(given.method, profile);
    const json::Value id = json::number(1);  // as clients do: not every server takes a string
    const json::Value whole = session::with_meta(profile, *params, json::null(), json::object());
    fuzz::Script script;
    script.steps.emplace_back(
        fuzz::Frame{json::write(session::message(&id, given.method, whole)), {}});
    const auto executor = fuzz_target.executor({});
    executor->set_care(fuzz::Care::kDogged);
    executor->forget_session();
    Result<fuzz::Execution> came = co_await executor->play(script);
    if (!came) co_return came.error();
    const std::vector<fuzz::Problem> problems =
        fuzz::judge(*came, profile, context->registry(), &context->target().secrets);
    const int code = tell(*came, problems, *context, profile, given.level == "should");
    co_return code;
  });
}

}  // namespace

Command command_call(const Invocation& invocation) {
  auto options = std::make_shared<CallOptions>();
  Command command{"call", "Call one tool, resource, prompt or method, and judge the reply"};
  options->context.add_to(command);
  command.add({
      {"method", &options->method},
      {"name", &options->name},
      {"--arguments", &options->arguments},
      {"--params", &options->params},
      {"--level", &options->level},
  });
  command.footer +=

      "\n"
      "The named tool is called even if it is not annotated readOnlyHint. A reply that reports "
      "a\nfailure (isError, an error) is not a breach: the exit code is 1 only if a clause is "
      "broken.";
  command.action = [options, &invocation] { return call_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
