// SPDX-License-Identifier: Apache-2.0
#include "harness/target/permission.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/read.h"

namespace harness::target {
namespace {

// In capitals or not; without a copy, since texts of megabytes are looked at.
bool mentions_call(std::string_view text) {
  constexpr std::string_view kCall = "call";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return std::search(text.begin(), text.end(), kCall.begin(), kCall.end(), same) != text.end();
}

void add_name(const json::Value* name, std::set<std::string>& out) {
  if (name && name->is_string()) out.insert(name->text);
}

// {name: …} of a tool, or {method: tools/call, params: {name: …}}.
std::set<std::string> tools_of(const json::Value& affordances) {
  std::set<std::string> out;
  for (const json::Member& member : affordances.members) {
    if (member.name.starts_with("tool.")) add_name(member.value.find("name"), out);
    add_name(json::at(member.value, "/params/name"), out);
  }
  return out;
}

// What the names of the official conformance suite begin with.
constexpr std::string_view kOfficialFixture = "test_";

using Forbidden = std::map<std::string, std::string>;

// Whether methods are forbidden, too: they stand together.
Forbidden::const_iterator first_method(const Forbidden& forbidden) {
  const auto first = forbidden.lower_bound(std::string(kMethodMark));
  return first != forbidden.end() && first->first.starts_with(kMethodMark) ? first
                                                                           : forbidden.end();
}

// In whatever letter case: a lenient server may not look at it.
std::string forbidden_method(const std::string& method, const Forbidden& forbidden) {
  for (auto one = first_method(forbidden);
       one != forbidden.end() && one->first.starts_with(kMethodMark); ++one)
    if (ascii::equal_ignoring_case(std::string_view(one->first).substr(kMethodMark.size()), method))
      return one->first;
  return "";
}

// Every member counts, repeated ones too: servers differ in which they take.
std::string called_by(const json::Value& message, const Forbidden& forbidden) {
  bool calls = false;
  for (const json::Member& member : message.members)
    if (ascii::equal_ignoring_case(member.name, "method") && member.value.is_string())
      if (std::string found = forbidden_method(member.value.text, forbidden); !found.empty())
        return found;
  for (const json::Member& member : message.members)
    calls |= member.name == "method" && ascii::equal_ignoring_case(member.value.text, "tools/call");
  if (calls) {
    for (const json::Member& member : message.members) {
      if (member.name != "params") continue;
      for (const json::Member& one : member.value.members)
        if (one.name == "name" && forbidden.contains(one.value.text)) return one.value.text;
      for (const json::Value& one : member.value.items)
        if (forbidden.contains(one.text)) return one.text;
    }
  }
  for (const json::Value& item : message.items)
    if (std::string found = called_by(item, forbidden); !found.empty()) return found;
  return "";
}

}  // namespace

Permission permission(const Target& target, const json::Value& tool,
                      const std::set<std::string>& told) {
  const json::Value* name = tool.find("name");
  const std::string own = name ? name->text : "";
  const auto& listed = target.listed_tools;
  if (std::find(listed.begin(), listed.end(), own) != listed.end())
    return {true, "allowed by the operator"};
  if (told.contains(own)) return {true, "named by an affordance"};
  if (target.allow == Allow::kAny) return {true, "the operator allows any"};
  if (target.allow == Allow::kListed) return {false, "not listed in allow.tools"};
  const json::Value* hint = json::at(tool, "/annotations/readOnlyHint");
  if (hint && hint->is_boolean() && hint->boolean) return {true, "annotated readOnlyHint"};
  return {false, "not annotated readOnlyHint"};
}

std::set<std::string> told_tools(const Target& target, const json::Value& all_affordances) {
  std::set<std::string> out = tools_of(target.affordances);
  if (target.allow == Allow::kListed) return out;
  for (const std::string& name : tools_of(all_affordances))
    if (name.starts_with(kOfficialFixture)) out.insert(name);
  return out;
}

std::map<std::string, std::string> forbidden_tools(const Target& target, const json::Value& tools,
                                                   const json::Value& all_affordances) {
  const std::set<std::string> told = told_tools(target, all_affordances);
  Forbidden out;
  for (const json::Value& tool : tools.items) {
    const json::Value* name = tool.find("name");
    if (!name || !name->is_string()) continue;
    const Permission given = permission(target, tool, told);
    if (!given.given) out.emplace(name->text, given.why);
  }
  return out;
}

std::string forbidden_call(std::string_view text, const Forbidden& forbidden) {
  if (forbidden.empty()) return "";
  const bool methods = first_method(forbidden) != forbidden.end();
  const bool calls = methods || mentions_call(text);
  if (!calls && text.find('\\') == std::string_view::npos) return "";
  const auto read = json::read(text);
  if (const auto* sound = std::get_if<json::Reading>(&read))
    return called_by(sound->value, forbidden);
  if (!calls) return "";
  for (const auto& [name, why] : forbidden)
    if (text.find('"' + name.substr(name.starts_with(kMethodMark) ? kMethodMark.size() : 0) +
                  '"') != std::string::npos)
      return name;
  return "";
}

}  // namespace harness::target
