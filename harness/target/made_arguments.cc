// SPDX-License-Identifier: Apache-2.0
#include "harness/target/made_arguments.h"

#include <algorithm>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/uri_template.h"
#include "harness/json/write.h"

namespace harness::target {
namespace {

constexpr std::size_t kMostArguments = 32;

struct Argument {
  std::string name;
  bool required = false;
};

std::vector<Argument> arguments_of(const json::Value& prompt) {
  std::vector<Argument> out;
  const json::Value* list = prompt.find("arguments");
  if (list == nullptr || !list->is_array()) return out;
  for (const json::Value& item : list->items) {
    const json::Value* name = item.is_object() ? item.find("name") : nullptr;
    if (name == nullptr || !name->is_string()) continue;
    const json::Value* required = item.find("required");
    out.push_back({name->text, required != nullptr && required->is_boolean() && required->boolean});
  }
  return out;
}

// A plain value for an argument of that name; of a prompt's what the server itself completes.
std::string plain_value(const Lists& lists, const std::string& prompt, const std::string& name) {
  const auto own = lists.completed.find({prompt, name});
  if (own != lists.completed.end()) return own->second;
  const std::string lower = ascii::lower(name);
  const auto says = [&](const char* word) { return lower.find(word) != lower.npos; };
  if (says("uri") || says("url")) {
    for (const json::Value& item : lists.resources.items)
      if (const json::Value* uri = item.find("uri"); uri != nullptr && uri->is_string())
        return uri->text;
    return "https://example.com/";
  }
  if (says("mail")) return "someone@example.com";
  if (says("date")) return "2025-01-02";
  if (lower == "id" || lower.ends_with("_id") || name.ends_with("Id") || says("count") ||
      says("number") || says("limit"))
    return "1";
  return "text";
}

json::Value filled_in(const Lists& lists, const std::string& prompt,
                      const std::vector<Argument>& arguments, bool all) {
  json::Value out = json::object();
  for (const Argument& one : arguments)
    if (all || one.required) out.set(one.name, json::string(plain_value(lists, prompt, one.name)));
  return out;
}

}  // namespace

std::vector<PromptArguments> prompt_arguments(const Lists& lists, Arguments kind,
                                              const std::vector<json::Value>& values) {
  std::vector<PromptArguments> out;
  for (const json::Value& prompt : lists.prompts.items) {
    const json::Value* name = prompt.find("name");
    if (name == nullptr || !name->is_string()) continue;
    const std::vector<Argument> arguments = arguments_of(prompt);
    const json::Value all = filled_in(lists, name->text, arguments, true);
    const auto add = [&](json::Value given, const std::string& odd, const json::Value& value,
                         std::string what) {
      if (out.size() < kMostArguments)
        out.push_back({prompt, std::move(given), all, odd, value, name->text + std::move(what)});
    };
    if (kind == Arguments::kBroken) {
      for (const Argument& one : arguments) {
        if (!one.required) continue;
        json::Value rest = all;
        std::erase_if(rest.members, [&](const auto& member) { return member.name == one.name; });
        add(std::move(rest), one.name, json::null(), " without " + one.name);
      }
    } else if (kind == Arguments::kMinimal) {
      add(filled_in(lists, name->text, arguments, false), "", json::null(), " with what is required");
    } else if (kind == Arguments::kValid && values.empty()) {
      add(all, "", json::null(), "");
    } else if (kind == Arguments::kValid) {
      for (const Argument& one : arguments)
        for (const json::Value& value : values) {
          json::Value given = all;
          given.set(one.name, value);
          add(std::move(given), one.name, value, " with " + one.name + " = " + json::write(value));
        }
    }
  }
  return out;
}

std::vector<Completable> completables(const Lists& lists, std::size_t most) {
  std::vector<Completable> out;
  const std::size_t of_each = most;
  const auto add = [&](const json::Value& ref, const std::vector<std::string>& names,
                       const std::string& prompt, const std::string& of) {
    for (const std::string& name : names) {
      if (out.size() >= most) return;
      json::Value context = json::object();
      for (const std::string& other : names)
        if (other != name) context.set(other, json::string(plain_value(lists, prompt, other)));
      out.push_back({ref, name, std::move(context), name + " of " + of});
    }
  };
  for (const json::Value& prompt : lists.prompts.items) {
    const json::Value* name = prompt.find("name");
    if (name == nullptr || !name->is_string()) continue;
    std::vector<std::string> names;
    for (const Argument& one : arguments_of(prompt)) names.push_back(one.name);
    add(json::object({{"type", json::string("ref/prompt")}, {"name", *name}}), names,
        name->text, "the prompt " + name->text);
  }
  most = out.size() + of_each;
  for (const json::Value& item : lists.templates.items) {
    const json::Value* text = item.find("uriTemplate");
    if (text == nullptr || !text->is_string()) continue;
    const auto parsed = UriTemplate::parse(text->text);
    if (!parsed) continue;
    add(json::object({{"type", json::string("ref/resource")}, {"uri", *text}}), parsed->variables(),
        "", "the template " + text->text);
  }
  return out;
}

}  // namespace harness::target
