// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/mcp_offer.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/base/embed.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/schema/instance_check.h"

RPCSPEC_EMBEDDED(mcp_offer);

namespace harness::cli {
namespace {

using json::Value;

constexpr std::string_view kReport = "rpcspec://report";
constexpr std::string_view kClauses = "rpcspec://clauses/";
constexpr std::string_view kFixPrompt = "fix_first_cause";

std::string text_at(const Value& arguments, const char* name) {
  const Value* value = arguments.find(name);
  return value == nullptr ? "" : value->text;
}

std::vector<std::string> texts_at(const Value& arguments, const char* name) {
  std::vector<std::string> out;
  if (const Value* value = arguments.find(name))
    for (const Value& item : value->items) out.push_back(item.text);
  return out;
}

Value text_value(const McpSaid& said) {
  return json::object({{"ok", json::boolean(said.code == 0)}, {"text", json::string(said.text)}});
}

McpOutcome lookup_outcome(const McpSaid& said) {
  return {said.code == 0 ? mcp_result(text_value(said)) : mcp_failure(said.text), "", ""};
}

McpOutcome listed_outcome(const std::string& kind, const std::string& part) {
  McpSaid all = say({"list", kind});
  std::istringstream lines(std::exchange(all.text, all.code == 0 ? "" : all.text));
  for (std::string line; all.code == 0 && std::getline(lines, line);)
    if (line.find(part) != std::string::npos) all.text += line + "\n";
  return lookup_outcome(all);
}

Value resource_contents(const std::string& uri, const char* type, const std::string& text) {
  return json::object({{"contents", json::array({json::object({{"uri", json::string(uri)},
                                                               {"mimeType", json::string(type)},
                                                               {"text", json::string(text)}})})}});
}

Value text_content(const std::string& text) {
  return json::array(
      {json::object({{"type", json::string("text")}, {"text", json::string(text)}})});
}

// What a client asks its model with.
std::string fix_text(const Value& outcome) {
  if (outcome.is_null())
    return "Judge the server with the tool `run` of rpcspec. Then fix the first cause that it "
           "returns, and judge again with `replay`.";
  const std::vector<Value>& causes = outcome.find("causes")->items;
  if (causes.empty()) return "The last run found nothing to fix.";
  return "rpcspec found that the server breaks its specification. Fix this cause in the source "
         "of the server: change only what the clause requires. Then call the tool `replay` of "
         "rpcspec with cause 1.\n"
         "\n" +
         json::write_pretty(causes.front()) + "\n";
}

}  // namespace

Value mcp_result(const Value& said) {
  return json::object({{"content", text_content(json::write(said))}, {"structuredContent", said}});
}

Value mcp_failure(const std::string& why) {
  return json::object({{"content", text_content(why)}, {"isError", json::boolean(true)}});
}

McpOffer::McpOffer(std::optional<target::Target> target, std::string allow_tools,
                   std::string program)
    : target_(std::move(target)), allow_tools_(std::move(allow_tools)),
      program_(std::move(program)), offer_(json::parse(mcp_offer())) {
  const Value schemas = *offer_.find("schemas");
  for (Value& tool : offer_.find("tools")->items)
    tool.set("outputSchema", *schemas.find(tool.find("outputSchema")->text));
  if (target_) {
    offer_.find("instructions")->text += " It judges " + printable(target_->spec, 200) + ".";
    return;
  }
  Value& run = *offer_.find("tools")->items.front().find("inputSchema")->find("properties");
  for (const json::Member& member : offer_.find("target")->members)
    run.set(member.name, member.value);
}

std::optional<Result<McpWork>> McpOffer::call(const std::string& tool, const Value& arguments,
                                              const McpMemory& memory) const {
  const std::vector<Value>& tools = list("tools").items;
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [&](const Value& one) { return one.find("name")->text == tool; });
  if (found == tools.end()) return std::nullopt;
  const Value& expected = *found->find("inputSchema");
  if (const auto broken = schema::InstanceCheck(expected).breach(arguments)) {
    const Value* rule = json::at(expected, broken->schema + "/" + broken->keyword);
    return Error{"",
                 "the arguments violate `" + broken->keyword + "` of the inputSchema" +
                     (rule == nullptr ? "" : ": " + printable(json::write(*rule), 200)),
                 ""};
  }
  if (tool == "run") return run(arguments);
  if (tool == "replay") return replay(arguments, memory);
  if (tool == "list")
    return McpWork{[arguments](const McpProgress&) {
      return listed_outcome(text_at(arguments, "kind"), text_at(arguments, "containing"));
    }};
  if (tool == "check_case")
    return McpWork{[arguments](const McpProgress&) {
      const McpSaid said = check_text(text_at(arguments, "yaml"));
      return McpOutcome{mcp_result(text_value(said)), "", ""};
    }};
  return McpWork{[arguments](const McpProgress&) {
    const std::string name = text_at(arguments, "name");  // maybe an error code, and no option
    return lookup_outcome(
        say({"explain", name.substr(std::min(name.find_first_not_of('-'), name.size()))}));
  }};
}

Result<McpWork> McpOffer::run(const Value& arguments) const {
  auto run = std::make_shared<McpRun>(
      McpRun{program_, allow_tools_, target_, texts_at(arguments, "command"),
             texts_at(arguments, "select"), text_at(arguments, "url")});
  if (!target_ && run->command.empty() && run->url.empty())
    return Error{"", "no server is named", "name it as `command` or `url`"};
  if (const std::string profile = text_at(arguments, "profile"); !profile.empty())
    run->profile = profile;
  const Value* quick = arguments.find("quick");
  run->quick = quick != nullptr && quick->boolean;
  return McpWork{[run](const McpProgress& progress) { return judge(*run, progress); }, run, true};
}

// On the server of the run that found the cause.
Result<McpWork> McpOffer::replay(const Value& arguments, const McpMemory& memory) {
  if (!memory.run) return Error{"", "there was no run yet", "call `run` first"};
  const std::vector<Value>& causes = memory.outcome.find("causes")->items;
  const auto cause =
      static_cast<std::size_t>(json::as_integer(*arguments.find("cause")).value_or(0));
  if (cause < 1 || cause > causes.size())
    return Error{"", "the last run has no cause " + text_at(arguments, "cause"), ""};
  McpRun run = *memory.run;
  run.select = {causes[cause - 1].find("case")->text};
  run.profile = memory.outcome.find("profile")->text;
  run.quick = false;
  return McpWork{[run](const McpProgress& progress) { return judge(run, progress); }, {}, true};
}

std::optional<McpWork> McpOffer::read(const std::string& uri, const McpMemory& memory) const {
  McpWork work;
  if (uri == kReport) {
    const std::string text =
        memory.report.empty() ? "{\"note\": \"there was no run yet\"}" : memory.report;
    work.act = [uri, text](const McpProgress&) {
      return McpOutcome{resource_contents(uri, "application/json", text), "", ""};
    };
    return work;
  }
  if (!uri.starts_with(kClauses)) return std::nullopt;
  const std::string clause = uri.substr(kClauses.size());
  if (clause.empty() || clause.starts_with('-')) return std::nullopt;
  work.act = [uri, clause](const McpProgress&) {
    const McpSaid text = say({"explain", clause});
    if (text.code != 0) return McpOutcome{json::null(), "", "There is no such clause"};
    return McpOutcome{resource_contents(uri, "text/plain", text.text), "", ""};
  };
  return work;
}

std::optional<Value> McpOffer::prompt(const std::string& name, const McpMemory& memory) const {
  if (name != kFixPrompt) return std::nullopt;
  return json::object(
      {{"description", json::string("Fix the first cause of the last run")},
       {"messages",
        json::array({json::object(
            {{"role", json::string("user")},
             {"content", json::object({{"type", json::string("text")},
                                       {"text", json::string(fix_text(memory.outcome))}})}})})}});
}

}  // namespace harness::cli
