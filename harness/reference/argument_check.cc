// SPDX-License-Identifier: Apache-2.0
// Walks schema and value side by side and collects every problem, not only the first.
#include "harness/reference/argument_check.h"

#include <algorithm>
#include <regex>

#include "harness/json/write.h"

namespace harness::reference {
namespace {

using json::Value;

bool has_type(const Value& value, std::string_view type) {
  if (type == "integer") return value.is_number() && json::is_integer(value);
  return type == json::kind_name(value.kind);
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

bool has_twins(const Value& list) {
  for (auto one = list.items.begin(); one != list.items.end(); ++one)
    if (std::any_of(list.items.begin(), one,
                    [&](const Value& before) { return json::equal(before, *one); }))
      return true;
  return false;
}

std::string inside(const std::string& field, const std::string& name) {
  return field.empty() ? name : field + "." + name;
}

class Check {
 public:
  explicit Check(const Value& root) : root_(root) {}

  std::vector<Problem> problems;

  void check(const Value& given, const Value& value, const std::string& field);

 private:
  void check_object(const Value& schema, const Value& value, const std::string& field);

  const Value& root_;  // what references begin at
};

void Check::check(const Value& given, const Value& value, const std::string& field) {
  const Value* reference = given.find("$ref");
  const Value* referred =
      reference == nullptr ? nullptr : json::at(root_, reference->text.substr(1));
  const Value& schema = referred == nullptr ? given : *referred;
  const auto wrong = [&](std::string message) {
    problems.push_back({field, std::move(message), value});
  };
  if (const Value* type = schema.find("type"); type != nullptr && !has_type(value, type->text))
    return wrong("has to be of type " + type->text);
  if (const Value* allowed = schema.find("enum"); allowed != nullptr) {
    bool found = false;
    for (const Value& one : allowed->items) found = found || json::equal(one, value);
    if (!found) wrong("has to be one of " + json::write(*allowed));
  }
  if (const Value* constant = schema.find("const");
      constant != nullptr && !json::equal(*constant, value))
    wrong("has to be " + json::write(*constant));
  if (value.is_number()) {
    const Value* minimum = schema.find("minimum");
    const Value* maximum = schema.find("maximum");
    if (minimum != nullptr && json::as_double(value) < json::as_double(*minimum))
      wrong("has to be at least " + minimum->text);
    if (maximum != nullptr && json::as_double(value) > json::as_double(*maximum))
      wrong("has to be at most " + maximum->text);
    const Value* beyond = schema.find("exclusiveMinimum");
    if (beyond != nullptr && json::as_double(value) <= json::as_double(*beyond))
      wrong("has to be more than " + beyond->text);
  }
  if (value.is_string()) {
    const Value* shortest = schema.find("minLength");
    if (shortest != nullptr &&
        static_cast<double>(characters(value.text)) < json::as_double(*shortest))
      wrong("is too short");
    const Value* pattern = schema.find("pattern");
    if (pattern != nullptr && !std::regex_search(value.text, std::regex(pattern->text)))
      wrong("has to match " + pattern->text);
  }
  const Value* fewest = schema.find("minItems");
  if (value.is_array() && fewest != nullptr &&
      static_cast<double>(value.items.size()) < json::as_double(*fewest))
    wrong("has too few elements");
  if (value.is_array() && schema.find("uniqueItems") != nullptr && has_twins(value))
    wrong("has an element twice");
  if (const Value* items = schema.find("items"); items != nullptr && value.is_array())
    for (std::size_t i = 0; i < value.items.size(); ++i)
      check(*items, value.items[i], field + "[" + std::to_string(i) + "]");
  if (value.is_object()) check_object(schema, value, field);
}

void Check::check_object(const Value& schema, const Value& value, const std::string& field) {
  const auto add = [&](const std::string& name, const char* message, Value received) {
    problems.push_back({inside(field, name), message, std::move(received)});
  };
  if (const Value* required = schema.find("required"); required != nullptr) {
    for (const Value& name : required->items)
      if (value.find(name.text) == nullptr) add(name.text, "is required", json::null());
  }
  if (const Value* needs = schema.find("dependentRequired"); needs != nullptr) {
    for (const json::Member& need : needs->members) {
      for (const Value& name : need.value.items)
        if (value.find(need.name) != nullptr && value.find(name.text) == nullptr)
          add(name.text, "is needed beside another argument", json::null());
    }
  }
  const Value* properties = schema.find("properties");
  const Value* additional = schema.find("additionalProperties");
  for (const json::Member& member : value.members) {
    const Value* sub = properties == nullptr ? nullptr : properties->find(member.name);
    if (sub != nullptr)
      check(*sub, member.value, inside(field, member.name));
    else if (additional != nullptr && additional->is_boolean() && !additional->boolean)
      add(member.name, "is not known", member.value);
  }
}

}  // namespace

std::vector<Problem> problems_of(const Value& schema, const Value& value, const Value& root) {
  Check check(root);
  check.check(schema, value, "");
  return std::move(check.problems);
}

std::vector<Problem> problems_of(const Value& schema, const Value& value) {
  return problems_of(schema, value, schema);
}

std::string listed(const std::vector<Problem>& problems) {
  constexpr std::size_t kMostListed = 5;  // a message is one concise sentence
  constexpr std::size_t kLongestField = 60;
  std::string out;
  for (std::size_t i = 0; i < problems.size() && i < kMostListed; ++i) {
    const Problem& problem = problems[i];
    if (!out.empty()) out += "; ";
    if (problem.field.size() > kLongestField) {
      out += "an argument with a long name " + problem.message;
      continue;
    }
    out += (problem.field.empty() ? "arguments" : problem.field) + " " + problem.message;
  }
  if (problems.size() > kMostListed) out += "; and more";
  return out;
}

}  // namespace harness::reference
