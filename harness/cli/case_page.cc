// SPDX-License-Identifier: Apache-2.0
// The steps are printed from what the file says and not from what was read of it, so that whoever
// compares the page with the file finds the same words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
#include "harness/json/write.h"
#include "harness/suite/reference_page.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostRows = 40;

// A text that YAML reads as this very text without quotes.
bool is_plain(std::string_view text) {
  if (text.empty() || text == "true" || text == "false" || text == "null") return false;
  if (text == "4xx" || text == "5xx") return true;
  const char first = text.front();
  const bool begins = ascii::is_letter(first) || first == '$' || first == '/' || first == '_';
  return begins && text.back() != ' ' && std::all_of(text.begin(), text.end(), [](char c) {
           return ascii::is_alphanumeric(c) ||
                  std::string_view(" $.-_/+()'").find(c) != std::string_view::npos;
         });
}

// One line of YAML.
std::string flow(const json::Value& value) {
  if (value.is_string()) {
    const std::string shown = printable(value.text, 300);
    return is_plain(value.text) ? shown : json::quoted(shown);
  }
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const json::Value& item : value.items) parts.push_back(flow(item));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (value.is_object()) {
    for (const json::Member& member : value.members)
      parts.push_back(member.name + ": " + flow(member.value));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  return json::write(value);
}

const char* session_needed(suite::Need need) {
  switch (need) {
    case suite::Need::kReady: return "ready, shared with other cases";
    case suite::Need::kOwn: return "own: changed, and restored at the end";
    case suite::Need::kBare: return "bare: before the handshake";
    case suite::Need::kFresh: return "fresh: new, and left changed";
    case suite::Need::kDisposable: return "disposable: no other case needs it";
  }
  return "";
}

// The outcomes of a reply, a line each: "pass  {error: …}". `named` collects the sets it names.
std::string reply_lines(const json::Value& reply, const json::Value& outcomes,
                        const std::string& indent, std::set<std::string>& named) {
  const auto note = [&](const json::Value& one) {
    if (one.is_string() && outcomes.find(one.text) != nullptr) named.insert(one.text);
  };
  note(reply);
  std::string out;
  bool graded = false;
  for (const char* grade : {"pass", "note", "warn", "fail"}) {
    const json::Value* list = reply.find(grade);
    if (list == nullptr) continue;
    graded = true;
    if (!list->is_array()) {
      note(*list);
      out += hanging(indent + fmt::format("{:<5} ", grade), flow(*list));
      continue;
    }
    for (const json::Value& one : list->items) {
      note(one);
      out += hanging(indent + fmt::format("{:<5} ", grade), flow(one));
    }
  }
  if (!graded) return hanging(indent + "pass  ", flow(reply));
  if (const json::Value* base = reply.find("extends")) {
    note(*base);
    out += indent + "and   what " + base->text + " has\n";
  }
  return out;
}

std::string steps_of(const json::Value& steps, const json::Value& outcomes,
                     const std::string& indent, std::set<std::string>& named) {
  std::string out;
  std::size_t number = 0;
  for (const json::Value& step : steps.items) {
    std::string head = fmt::format("{}{:>2}. ", indent, ++number);
    const std::string below(head.size() + 2, ' ');
    if (const json::Value* label = step.find("label")) {
      out += hanging(head, label->text);
      head = std::string(head.size(), ' ');
    }
    for (const json::Member& member : step.members) {
      if (member.name == "label") continue;
      const suite::ActionRow* action = suite::find_action(member.name);
      const std::string begin = (action != nullptr ? head : std::string(head.size(), ' '));
      if (member.name == "pipelined" && member.value.is_array()) {
        out += begin + "pipelined: in one write\n" + steps_of(member.value, outcomes, below, named);
      } else if (member.name == "reply") {
        out += begin + "reply\n" + reply_lines(member.value, outcomes, below, named);
      } else {
        out += hanging(begin + member.name + ": ", flow(member.value));
      }
      if (action != nullptr) head = std::string(head.size(), ' ');
    }
  }
  return out;
}

std::string rows_of(const json::Value& table) {
  std::string out =
      fmt::format("\n  rows: all steps are played with each of {}\n", table.items.size());
  for (std::size_t i = 0; i < table.items.size() && i < kMostRows; ++i)
    out += hanging(fmt::format("    {:>2}. ", i + 1), flow(table.items[i]));
  if (table.items.size() > kMostRows)
    out += fmt::format("        and {} more\n", table.items.size() - kMostRows);
  return out;
}

// What the named sets mean that a case or another set names.
std::string meanings(const json::Value& outcomes, std::set<std::string> named) {
  std::string out;
  std::set<std::string> told;
  while (!named.empty()) {
    const std::string name = *named.begin();
    named.erase(named.begin());
    if (!told.insert(name).second) continue;
    std::set<std::string> more;
    out +=
        fmt::format("\n  {}\n", name) + reply_lines(*outcomes.find(name), outcomes, "    ", more);
    named.insert(more.begin(), more.end());
  }
  return out;
}

// The actions that the steps use, each with what it does.
std::string glossary(const json::Value& steps) {
  std::set<std::string> names;
  for (const json::Value& step : steps.items)
    for (const json::Member& member : step.members)
      if (suite::find_action(member.name) != nullptr) names.insert(member.name);
  std::string out = "\n  words\n";
  for (const std::string& name : names)
    out += hanging(fmt::format("    {:<10} ", name), suite::summary_of(*suite::find_action(name)));
  return out;
}

}  // namespace

std::string page_of(const suite::Case& scenario, const json::Value* source,
                    const Library& library) {
  std::string out = scenario.id + "\n\n" + hanging("  ", scenario.title) + "\n";
  out += field("file", scenario.file);
  out += field("profiles", listed(scenario.profiles, "wherever one of its requirements applies"));
  out += field("transports", listed(scenario.transports.words(), "-"));
  out += field("session", session_needed(scenario.need));
  for (const suite::Requires& gate : scenario.gates)
    out += field("requires", gate.kind + " " + gate.name);
  out += field("proved by", listed(scenario.falsified_by, "-"));
  for (const std::string& id : scenario.covers)
    if (const spec::Requirement* requirement = library.registry.find(id))
      out += field("covers", fmt::format("{} ({}): {}", id, spec::level_name(requirement->level),
                                         requirement->statement));
  const json::Value* steps = source == nullptr ? nullptr : source->find("steps");
  if (steps == nullptr) return out;
  for (const char* name : {"answers", "client_capabilities"})
    if (const json::Value* value = source->find(name)) out += field(name, flow(*value));
  if (const json::Value* table = source->find("table")) out += rows_of(*table);
  if (const json::Value* loop = source->find("for_each"))
    out += hanging("\n  for each    ", flow(*loop));
  std::set<std::string> named;
  out += "\n  steps\n" + steps_of(*steps, library.suite.outcomes, "    ", named);
  out += meanings(library.suite.outcomes, std::move(named)) + glossary(*steps);
  return out + fmt::format("\n  play it     rpcspec run --select {} -- ./my-server\n", scenario.id);
}

}  // namespace harness::cli
