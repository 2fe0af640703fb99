// SPDX-License-Identifier: Apache-2.0
// Walks to the place an edit names and changes it.
#include "harness/reference/edits.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>

#include "harness/json/write.h"

namespace harness::reference {
namespace {

using json::Value;

// One part of a path: a name, a number or `*`, and the member an object there has to have.
struct Step {
  std::string name;
  std::string_view member, text;
  std::string_view rest;
  bool last = false;

  bool fits(const Value& value) const {
    if (member.empty()) return true;
    const Value* found = value.is_object() ? value.find(member) : nullptr;
    return found != nullptr && found->is_string() && found->text == text;
  }
};

Step first_step(std::string_view path) {
  Step step;
  // A slash within braces is part of a text.
  const std::size_t brace = path.find('{');
  std::size_t slash = path.find('/');
  std::string_view own = path.substr(0, slash);
  if (brace < slash) {
    const std::size_t end = path.find('}', brace);
    const std::string_view inside = path.substr(brace + 1, end - brace - 1);
    const std::size_t equals = inside.find('=');
    step.member = inside.substr(0, equals);
    step.text = inside.substr(equals + 1);
    own = path.substr(0, brace);
    slash = end + 1 < path.size() ? end + 1 : std::string_view::npos;
  }
  step.last = slash == std::string_view::npos;
  if (!step.last) step.rest = path.substr(slash + 1);
  step.name = own;
  for (std::size_t at = step.name.find("~1"); at != std::string::npos; at = step.name.find("~1"))
    step.name.replace(at, 2, "/");
  return step;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool change(const Edit& edit, Value& place) {
  switch (edit.change) {
    case Change::kRemove: return false;  // done where the member is
    case Change::kSet: place = edit.value; return true;
    case Change::kAppend:
      if (place.is_string()) place.text += edit.value.text;
      if (place.is_array()) place.items.push_back(edit.value);
      return place.is_string() || place.is_array();
    case Change::kInsert:
      if (!place.is_string()) return false;
      place.text.insert(place.text.size() / 2, edit.value.text);
      return true;
    case Change::kWrap: place = json::array({place}); return true;
    case Change::kReplace:
      if (!place.is_string()) return false;
      for (const json::Member& one : edit.value.members)
        replace_all(place.text, one.name, one.value.text);
      return true;
    case Change::kSwap:
      if (json::write(place) != json::write(edit.value.items.front())) return false;
      place = edit.value.items.back();
      return true;
    case Change::kKeep:
      std::erase_if(place.members, [&](const json::Member& one) {
        return std::ranges::none_of(edit.value.items,
                                    [&](const Value& kept) { return kept.text == one.name; });
      });
      return true;
  }
  return false;
}

bool change_at(const Edit& edit, std::string_view path, Value& value);

bool change_member(const Edit& edit, const Step& step, Value& owner) {
  Value* member = owner.find(step.name);
  if (member == nullptr) {
    if (!step.last || edit.change != Change::kSet || !step.member.empty()) return false;
    owner.set(step.name, edit.value);
    return true;
  }
  if (!step.fits(*member)) return false;
  if (!step.last) return change_at(edit, step.rest, *member);
  if (edit.change != Change::kRemove) return change(edit, *member);
  std::erase_if(owner.members, [&](const json::Member& one) { return one.name == step.name; });
  return true;
}

bool change_at(const Edit& edit, std::string_view path, Value& value) {
  if (path.empty()) return change(edit, value);
  const Step step = first_step(path);
  if (step.name.empty())  // a condition on the whole message
    return step.fits(value) && change_at(edit, step.rest, value);
  const auto one = [&](Value& element) {
    return step.fits(element) &&
           (step.last ? change(edit, element) : change_at(edit, step.rest, element));
  };
  if (step.name != "*") {
    if (value.is_object()) return change_member(edit, step, value);
    std::size_t index = value.items.size();
    std::from_chars(step.name.data(), step.name.data() + step.name.size(), index);
    return index < value.items.size() && one(value.items[index]);
  }
  return std::any_of(value.items.begin(), value.items.end(), one) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [&](json::Member& member) { return one(member.value); });
}

// The params of what a result asks the client.
bool change_inputs(const Edit& edit, Value& result) {
  Value* requests = result.is_object() ? result.find("inputRequests") : nullptr;
  if (requests == nullptr) return false;
  bool changed = false;
  for (json::Member& one : requests->members) {
    const Value* method = one.value.is_object() ? one.value.find("method") : nullptr;
    Value* params = one.value.is_object() ? one.value.find("params") : nullptr;
    if (method != nullptr && method->text == edit.of && params != nullptr)
      changed |= change_at(edit, edit.path, *params);
  }
  return changed;
}

}  // namespace

bool apply(const FaultRow& fault, EditedMessage message) {
  if (message.version < fault.since || message.version > fault.until) return false;
  bool changed = false;
  for (const Edit& edit : fault.edits)
    if (edit.sent == Sent::kRequest && message.sent == Sent::kResult)
      changed |= change_inputs(edit, message.body);
    else if (edit.sent == message.sent && edit.of == message.of)
      changed |= change_at(edit, edit.path, message.body);
  return changed;
}

bool edit(const Faults& faults, std::string_view part, Value& value) {
  bool changed = false;
  for (const FaultRow& fault : faults.edits()) {
    for (const Edit& one : fault.edits)
      if (one.sent == Sent::kPart && one.of == part) changed |= change_at(one, one.path, value);
  }
  return changed;
}

std::string edited(const Faults& faults, std::string_view part, std::string_view text) {
  if (faults.edits().empty()) return std::string(text);
  Value value = json::string(text);
  edit(faults, part, value);
  return value.text;
}

}  // namespace harness::reference
