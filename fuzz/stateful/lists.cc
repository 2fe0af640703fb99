// SPDX-License-Identifier: Apache-2.0
// State after errors: what is listed, listed again, then only what is refused, then listed again.
// Lists that change by themselves tell nothing, and neither do those of a server that says they
// change.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fuzz/stateful/answered.h"
#include "fuzz/stateful/check_table.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/spec/protocol.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

using harness::session::awaitable;
namespace json = harness::json;

constexpr int kMostPages = 8;
constexpr std::size_t kMostFrames = 16;

using List = harness::spec::MessageRow;

// Those that are the server's own: tasks come and go with what is asked.
std::vector<const List*> lists_of(const harness::spec::Profile& profile) {
  std::vector<const List*> out;
  for (const List* list : profile.protocol().lists_of(profile))
    if (list->from == harness::spec::From::kClient) out.push_back(list);
  return out;
}

// Against a list that changes, in 2026-07-28.
std::string clause_of(const List& list, const harness::spec::Profile& profile) {
  constexpr std::string_view kServer = "server.";
  const std::string_view capability = list.capability_in(profile);
  return fmt::format("mcp.{}.list-stable-across-connections", capability.substr(kServer.size()));
}

// A list as it came: its items by key, or the class of the answer that was none.
struct Listed {
  std::string refusal;  // "" when it was listed
  std::map<std::string, json::Value> items;
};

json::Value list_request(const CheckContext& context, const List& list, const std::string& cursor,
                         int page) {
  json::Value params = json::object();
  const json::Value meta = harness::spec::required_meta(context.profile());
  if (!meta.members.empty()) params.set("_meta", meta);
  if (!cursor.empty()) params.set("cursor", json::string(cursor));
  return json::object({{"jsonrpc", json::string("2.0")},
                       {"id", json::string(fmt::format("lists-{}-{}", list.lists, page))},
                       {"method", json::string(list.name)},
                       {"params", params}});
}

void take_in(const json::Value& result, const List& list, Listed& out) {
  const json::Value* items = result.find(list.lists);
  if (items == nullptr) return;
  for (const json::Value& item : items->items) {
    const json::Value* key = item.is_object() ? item.find(list.key) : nullptr;
    out.items[key == nullptr ? json::write(item) : key->text] = item;
  }
}

// All pages. Nothing when the session did not live to tell. `last`: the play that asked.
awaitable<std::optional<Listed>> listed(CheckContext& context, const List& list, Execution& last) {
  Listed out;
  std::string cursor;
  for (int page = 1; page <= kMostPages; ++page) {
    const json::Value request = list_request(context, list, cursor, page);
    Script script;
    Frame frame;
    frame.bytes = json::write(request);
    script.steps.emplace_back(std::move(frame));
    std::optional<Execution> execution = co_await context.play(script);
    if (!execution || execution->ending != Ending::kAnswered) co_return std::nullopt;
    last = std::move(*execution);
    const Answered answered(last, context.profile());
    const std::string answer = class_of(answered.to(0));
    if (answer != "result") {
      out.refusal = answer;
      break;
    }
    const json::Value* result = answered.to(0).messages.front()->find("result");
    if (!result->is_object()) break;
    take_in(*result, list, out);
    const json::Value* next = result->find("nextCursor");
    if (next == nullptr || !next->is_string() || next->text == cursor) break;
    cursor = next->text;
  }
  co_return std::move(out);
}

bool same(const Listed& a, const Listed& b) {
  return a.refusal == b.refusal && a.items.size() == b.items.size() &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(),
                    [](const auto& one, const auto& other) {
                      return one.first == other.first && json::equal(one.second, other.second);
                    });
}

// What became of it, in words; "" where a sound server may do that. An answer that the server is
// busy or has had enough has other codes.
std::string change(const Listed& before, const Listed& after) {
  if (same(before, after) || !before.refusal.empty()) return "";
  if (!after.refusal.empty()) {
    for (const char* code : {"error -32600", "error -32601", "error -32602"})
      if (after.refusal == code) return after.refusal;
    return "";
  }
  for (const auto& [key, item] : before.items)
    if (!after.items.contains(key)) return "an item is missing";
  for (const auto& [key, item] : after.items)
    if (!before.items.contains(key)) return "an item was added";
  return "an item was changed";
}

std::string case_of(const CheckContext& context, const List& list, const Script& suspect,
                    const std::string& requirement) {
  std::string out = fmt::format(
      "title: \"What is refused does not change {}\"\ncovers: [{}]\nprofiles: [{}]\n"
      "transports: [{}]\nsession: fresh\nsteps:\n",
      list.name, requirement, context.profile().name,
      harness::wire::transport_name(context.transport()));
  out += fmt::format("  - call: {{method: {}}}\n    capture: {{before: /result/{}}}\n", list.name,
                     list.lists);
  for (const Step& step : suspect.steps) {
    const std::string& bytes = std::get<Frame>(step).bytes;
    if (!harness::is_utf8(bytes) || bytes.find("${") != std::string::npos) return "";
    out += "  - frame: " + json::quoted(bytes) + "\n";
  }
  out += fmt::format(
      "  - canary: true\n  - call: {{method: {}}}\n    capture: {{after: /result/{}}}\n"
      "  - compare: {{value: \"${{after}}\", to: \"${{before}}\"}}\n",
      list.name, list.lists);
  return out;
}

}  // namespace

std::optional<Script> suspect_lists(const Script& script, const Execution& execution,
                                    const CheckTarget& target, Random&) {
  if (!target.profile.mcp && !target.profile.tutorial) return std::nullopt;
  Script out = refused_part(script, execution, target.profile);
  if (out.steps.empty()) return std::nullopt;
  if (out.steps.size() > kMostFrames) out.steps.resize(kMostFrames);
  return out;
}

awaitable<std::optional<CheckResult>> look_at_lists(CheckContext& context, const Script& suspect) {
  std::optional<CheckResult> none;
  context.new_session();
  Execution last;
  std::vector<Listed> before;
  const std::vector<const List*> lists = lists_of(context.profile());
  for (const List* list : lists) {
    std::optional<Listed> first = co_await listed(context, *list, last);
    if (!first) co_return none;
    std::optional<Listed> second = co_await listed(context, *list, last);
    if (!second) co_return none;
    if (!same(*first, *second)) first->refusal = "not stable";
    before.push_back(std::move(*first));
  }
  std::optional<Execution> execution = co_await context.play(suspect);
  if (!execution || !all_refused(suspect, *execution, context.profile())) co_return none;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const List& list = *lists[i];
    if (!before[i].refusal.empty()) continue;
    std::optional<Listed> after = co_await listed(context, list, last);
    if (!after) co_return none;
    const std::string what = change(before[i], *after);
    if (what.empty() || Answered(last, context.profile()).told_of_changes()) continue;
    std::optional<Listed> still = co_await listed(context, list, last);
    if (!still || !same(*after, *still)) co_return none;
    const std::string clause = clause_of(list, context.profile());
    std::vector<std::uint64_t> frames;
    for (const auto& frame : last.slices.back().transcript->frames) frames.push_back(frame.seq);
    std::optional<Problem> problem =
        context.problem("lists", {clause.c_str(), "robust.error-without-effect"},
                        "the same from " + list.name + " after what was refused as before it", what,
                        list.name + "|" + what, std::move(frames));
    if (!problem) continue;
    problem->slice = last.slices.size() - 1;
    std::optional<CheckResult> result;
    result.emplace();
    result->case_text = case_of(context, list, suspect, problem->finding.requirement);
    result->problem = std::move(*problem);
    result->execution = std::move(last);
    co_return result;
  }
  co_return none;
}

}  // namespace fuzz
