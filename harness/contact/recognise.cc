// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/recognise.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/oracle/document_marks.h"
#include "harness/target/permission.h"
#include "harness/target/synthesis.h"

namespace harness::run {
namespace {

// The listed tool a fixture means: of that name, and taking the fixture's arguments.
bool fits_tool(const json::Value& candidate, const json::Value& tools, const std::string& name) {
  for (const json::Value& tool : tools.items) {
    const json::Value* own = tool.find("name");
    if (!own || own->text != name) continue;
    const json::Value* arguments = candidate.find("arguments");
    if (!arguments || !arguments->is_object()) return true;
    const json::Value* properties = json::at(tool, "/inputSchema/properties");
    const json::Value* required = json::at(tool, "/inputSchema/required");
    if (properties && properties->is_object())
      for (const json::Member& argument : arguments->members)
        if (!properties->find(argument.name)) return false;
    if (required && required->is_array())
      for (const json::Value& needed : required->items)
        if (!arguments->find(needed.text)) return false;
    return true;
  }
  return false;
}

// Whether an item of the list has this value in that member.
bool is_in(const json::Value& list, std::string_view member, const json::Value& value) {
  return std::any_of(list.items.begin(), list.items.end(), [&](const json::Value& item) {
    const json::Value* own = item.find(member);
    return own && own->text == value.text;
  });
}

// With `task_support` a candidate means each tool that says this of running as a task; without
// arguments of its own, they are made from the tool's schema.
std::vector<json::Value> expanded(const json::Value& candidate, const json::Value& tools) {
  const json::Value* supports = candidate.find("task_support");
  if (!supports) return {candidate};
  std::vector<json::Value> out;
  for (const json::Value& tool : tools.items) {
    const json::Value* own = json::at(tool, "/execution/taskSupport");
    const json::Value* name = tool.find("name");
    const json::Value* schema = tool.find("inputSchema");
    const json::Value* wanted = candidate.find("tool");
    if (!own || !name || !schema || (wanted && wanted->text != name->text) ||
        std::none_of(supports->items.begin(), supports->items.end(),
                     [&](const json::Value& one) { return one.text == own->text; }))
      continue;
    json::Value one = json::object({{"tool", *name}});
    const target::Synthesis made = target::synthesise(*schema, target::Arguments::kMinimal, 1);
    if (const json::Value* arguments = candidate.find("arguments"))
      one.set("arguments", *arguments);
    else if (!made.instances.empty())
      one.set("arguments", made.instances.front().value);
    if (one.find("arguments")) out.push_back(std::move(one));
  }
  return out;
}

// What the server is called: by itself, and in its command, where each part of a path is a name.
class Names {
 public:
  Names(const target::Target& target, const std::optional<std::string>& server) {
    if (!server) return;
    names_.insert(*server);
    for (std::string_view word : target.command) {
      for (std::size_t slash = word.find('/'); slash != word.npos; slash = word.find('/')) {
        names_.emplace(word.substr(0, slash));
        word.remove_prefix(slash + 1);
      }
      names_.emplace(word);
    }
  }

  bool has(const json::Value& candidates) const {
    return std::any_of(candidates.items.begin(), candidates.items.end(),
                       [&](const json::Value& one) { return names_.contains(one.text); });
  }

 private:
  std::set<std::string> names_;
};

// What the candidate means among what is listed; nothing when it is not there.
std::optional<json::Value> meant(const json::Value& candidate, const Names& names,
                                 const Offer& offer) {
  const json::Value* tool = candidate.find("tool");
  const json::Value* prompt = candidate.find("prompt");
  const json::Value* resource = candidate.find("resource");
  const json::Value* uri_template = candidate.find("template");
  const json::Value* server = candidate.find("server");
  const bool fits = server         ? names.has(*server)
                    : tool         ? fits_tool(candidate, offer.tools, tool->text)
                    : prompt       ? is_in(offer.prompts, "name", *prompt)
                    : resource     ? is_in(offer.resources, "uri", *resource)
                    : uri_template ? is_in(offer.templates, "uriTemplate", *uri_template)
                                   : false;
  if (!fits) return std::nullopt;
  json::Value affordance = candidate;
  if (tool || prompt) affordance.set("name", tool ? *tool : *prompt);
  if (resource) affordance.set("uri", *resource);
  return affordance;
}

}  // namespace

void recognise(const json::Value& fixtures, const target::Target& target,
               const std::optional<std::string>& server, Offer& offer) {
  if (json::Value* own = offer.affordances.find("document"); own != nullptr && own->is_object())
    static_cast<void>(oracle::complete_document(target.file, *own));  // what is wrong in it was told
  const Names names(target, server);
  for (const json::Member& fixture : fixtures.members) {
    if (offer.affordances.find(fixture.name) || !fixture.value.is_array()) continue;
    std::vector<json::Value> candidates;
    for (const json::Value& written : fixture.value.items)
      for (json::Value& one : expanded(written, offer.tools)) candidates.push_back(std::move(one));
    std::optional<json::Value> first;
    for (const json::Value& candidate : candidates) {
      std::optional<json::Value> affordance = meant(candidate, names, offer);
      if (!affordance) continue;
      const json::Value* tool = candidate.find("tool");
      const json::Value alone = json::object({{fixture.name, *affordance}});
      const bool allowed =
          !tool || !target::forbidden_tools(target, offer.tools, alone).contains(tool->text);
      if (!first || allowed) first = std::move(affordance);
      if (allowed) break;
    }
    if (first) offer.affordances.set(fixture.name, std::move(*first));
  }
}

}  // namespace harness::run
