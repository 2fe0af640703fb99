// SPDX-License-Identifier: Apache-2.0
#include "harness/match/data_matchers.h"

#include <algorithm>
#include <vector>

#include "harness/base/text.h"
#include "harness/contract/contract.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::match {
namespace {

using json::Value;
using Outcome = std::optional<Mismatch>;

constexpr const char* kRenamedMembers[] = {"value", "from", "to"};

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  while (true) {
    const auto found = text.find(from);
    out += text.substr(0, found);
    if (found == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(found + from.size());
  }
}

// Strings of the value and the names of its members.
void rename(Value& value, std::string_view from, std::string_view to) {
  if (value.is_string()) value.text = replaced(value.text, from, to);
  for (auto& item : value.items) rename(item, from, to);
  for (auto& member : value.members) {
    member.name = replaced(member.name, from, to);
    rename(member.value, from, to);
  }
}

// An error, in a reply or within a result, has a code and says in its own words what is wrong.
Value* message_of(Value& value) {
  const Value* code = value.is_object() ? value.find("code") : nullptr;
  return code != nullptr && code->is_number() ? value.find("message") : nullptr;
}

void forget_messages(Value& one, Value& other) {
  Value *mine = message_of(one), *theirs = message_of(other);
  if (mine != nullptr && theirs != nullptr) *mine = *theirs = json::null();
  for (std::size_t i = 0; i < std::min(one.items.size(), other.items.size()); ++i)
    forget_messages(one.items[i], other.items[i]);
  for (json::Member& member : one.members)
    if (Value* same = other.find(member.name)) forget_messages(member.value, *same);
}

}  // namespace

Outcome recorded(const Value& argument, const Value* seen, const Walk& walk) {
  if (seen == nullptr) return exact(argument, seen, walk);
  Value mine = argument, theirs = *seen;
  forget_messages(mine, theirs);
  if (json::equal(mine, theirs)) return std::nullopt;
  return departure(walk, say_exact(argument), seen);
}

Outcome exact(const Value& argument, const Value* seen, const Walk& walk) {
  if (seen != nullptr && json::equal(argument, *seen)) return std::nullopt;
  return departure(walk, say_exact(argument), seen);
}

std::string say_exact(const Value& argument) {
  return "exactly " + printable(json::write(argument), 200);
}

Outcome same_set(const Value& argument, const Value* seen, const Walk& walk) {
  check(argument.is_array(), "$same_set was played without a list");
  if (seen == nullptr || !seen->is_array()) return departure(walk, "an array", seen);
  const auto within = [](const Value& value, const std::vector<Value>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Value& v) { return json::equal(v, value); });
  };
  for (std::size_t i = 0; i < seen->items.size(); ++i) {
    if (!within(seen->items[i], argument.items)) {
      return departure(walk.into(i), "one of " + printable(json::write(argument), 200),
                       &seen->items[i]);
    }
  }
  for (const auto& wanted : argument.items)
    if (!within(wanted, seen->items))
      return departure(walk, "an element " + printable(json::write(wanted), 200), seen);
  return std::nullopt;
}

Status check_list(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_array()) return Nothing{};
  return Error{json::place(file, argument.mark), "$same_set takes a list of values",
               "write {$same_set: [1, 2]}"};
}

std::string say_same_set(const Value& argument) {
  return "the elements " + printable(json::write(argument), 200);
}

Outcome renamed(const Value& argument, const Value* seen, const Walk& walk) {
  const Value* from = argument.find("from");
  const Value* to = argument.find("to");
  const bool sound = from->is_string() && !from->text.empty() && to->is_string();
  check(sound, "$renamed was played without the two texts");
  Value wanted = *argument.find("value");
  rename(wanted, from->text, to->text);
  return exact(wanted, seen, walk);
}

Status check_renamed(const Value& argument, const std::string& file, const Shapes*) {
  const auto known = [&](const char* name) { return argument.find(name) != nullptr; };
  const auto text = [&](const char* name) { return argument.find(name)->is_string(); };
  if (argument.is_object() && argument.members.size() == std::size(kRenamedMembers) &&
      std::all_of(std::begin(kRenamedMembers), std::end(kRenamedMembers), known) && text("from") &&
      !argument.find("from")->text.empty() && text("to"))
    return Nothing{};
  return Error{json::place(file, argument.mark),
               "$renamed takes a value and the two texts from and to",
               "write {$renamed: {value: \"${answer}\", from: nobody, to: \"${tool.name}\"}}"};
}

std::string say_renamed(const Value& argument) {
  return printable(json::write(*argument.find("value")), 200) + " with " +
         printable(json::write(*argument.find("to")), 100) + " in place of " +
         printable(json::write(*argument.find("from")), 100);
}

std::optional<Mismatch> openrpc(const Value& argument, const Value* seen, const Walk& walk) {
  if (seen == nullptr) return departure(walk, say_openrpc(argument), seen);
  for (const contract::Flaw& flaw : contract::flaws_in(*seen)) {
    if (flaw.clause != "openrpc.document." + argument.text ||
        flaw.weight == contract::Weight::kInfo)
      continue;
    Walk there = walk;
    return departure(there, say_openrpc(argument) + "; " + flaw.place.pointer + ": " + flaw.what,
                     flaw.place.value != nullptr ? flaw.place.value : seen);
  }
  return std::nullopt;
}

Status check_openrpc(const Value& argument, const std::string& file, const Shapes*) {
  if (argument.is_string() && !argument.text.empty()) return Nothing{};
  return Error{json::place(file, argument.mark),
               "$openrpc takes the last word of a clause openrpc.document.*",
               "write {$openrpc: valid}"};
}

std::string say_openrpc(const Value& argument) {
  return "an OpenRPC document that obeys openrpc.document." + argument.text;
}

}  // namespace harness::match
