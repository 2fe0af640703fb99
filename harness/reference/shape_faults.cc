// SPDX-License-Identifier: Apache-2.0
// Walks to the place a row names and changes it.
#include "harness/reference/shape_faults.h"

#include <algorithm>

#include "harness/json/read.h"
#include "harness/reference/shape_fault_table.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::string_view kFirstRevision = "2024-11-05";
constexpr std::string_view kLastRevision = "2026-07-28";

// One part of a path: a name or `*`, and the member an object there has to have.
struct Part {
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

Part first_part(std::string_view path) {
  Part part;
  // A slash within braces is part of a text.
  const std::size_t brace = path.find('{');
  std::size_t slash = path.find('/');
  std::string_view own = path.substr(0, slash);
  if (brace < slash) {
    const std::size_t end = path.find('}', brace);
    const std::string_view inside = path.substr(brace + 1, end - brace - 1);
    const std::size_t equals = inside.find('=');
    part.member = inside.substr(0, equals);
    part.text = inside.substr(equals + 1);
    own = path.substr(0, brace);
    slash = end + 1 < path.size() ? end + 1 : std::string_view::npos;
  }
  part.last = slash == std::string_view::npos;
  if (!part.last) part.rest = path.substr(slash + 1);
  part.name = own;
  for (std::size_t at = part.name.find("~1"); at != std::string::npos; at = part.name.find("~1"))
    part.name.replace(at, 2, "/");
  return part;
}

bool change(const ShapeFault& fault, Value& place) {
  switch (fault.change) {
    case Change::kRemove:
      return false;  // done where the member is
    case Change::kSet:
      place = json::parse(fault.value);
      return true;
    case Change::kAppend:
      if (!place.is_array()) return false;
      place.items.push_back(json::parse(fault.value));
      return true;
    case Change::kInsert:
      if (!place.is_string()) return false;
      place.text.insert(place.text.size() / 2, fault.value);
      return true;
    case Change::kWrap:
      place = json::array({place});
      return true;
  }
  return false;
}

bool change_at(const ShapeFault& fault, std::string_view path, Value& value);

bool change_member(const ShapeFault& fault, const Part& part, Value& owner) {
  Value* member = owner.find(part.name);
  if (member == nullptr) {
    if (!part.last || fault.change != Change::kSet || !part.member.empty()) return false;
    owner.set(part.name, json::parse(fault.value));
    return true;
  }
  if (!part.fits(*member)) return false;
  if (!part.last) return change_at(fault, part.rest, *member);
  if (fault.change != Change::kRemove) return change(fault, *member);
  std::erase_if(owner.members, [&](const json::Member& one) { return one.name == part.name; });
  return true;
}

bool change_at(const ShapeFault& fault, std::string_view path, Value& value) {
  if (path.empty()) return change(fault, value);
  const Part part = first_part(path);
  if (part.name.empty()) {  // a condition on the whole message
    return part.fits(value) && change_at(fault, part.rest, value);
  }
  if (part.name != "*") return value.is_object() && change_member(fault, part, value);
  const auto one = [&](Value& element) {
    return part.fits(element) &&
           (part.last ? change(fault, element) : change_at(fault, part.rest, element));
  };
  for (Value& item : value.items) {
    if (one(item)) return true;
  }
  for (json::Member& member : value.members) {
    if (one(member.value)) return true;
  }
  return false;
}

// The params of what a result asks the client.
bool change_inputs(const ShapeFault& fault, Value& result) {
  Value* requests = result.is_object() ? result.find("inputRequests") : nullptr;
  if (requests == nullptr) return false;
  bool changed = false;
  for (json::Member& one : requests->members) {
    const Value* method = one.value.is_object() ? one.value.find("method") : nullptr;
    Value* params = one.value.is_object() ? one.value.find("params") : nullptr;
    if (method != nullptr && method->text == fault.of && params != nullptr)
      changed |= change_at(fault, fault.path, *params);
  }
  return changed;
}

}  // namespace

std::span<const ShapeFault> shape_faults() { return kShapeFaults; }

std::string help_of(const ShapeFault& fault) {
  std::string out;
  const std::string of(fault.of);
  switch (fault.sent) {
    case Sent::kResult:
      out = "In results of " + of;
      break;
    case Sent::kRequest:
      out = "In the params of " + of + " requests";
      break;
    case Sent::kNotification:
      out = "In the params of " + of;
      break;
    case Sent::kError:
      out = "In errors " + of;
      break;
  }
  out += ", " + (fault.path.empty() ? "all" : std::string(fault.path));
  const std::string value(fault.value);
  switch (fault.change) {
    case Change::kRemove:
      out += " is missing";
      break;
    case Change::kSet:
      out += " is " + value;
      break;
    case Change::kAppend:
      out += " has one element more, " + value;
      break;
    case Change::kInsert:
      out += " has " + value + " in its middle";
      break;
    case Change::kWrap:
      out += " stands in an array";
      break;
  }
  const std::string since(fault.since), until(fault.until);
  if (since == until) return out + " (" + since + ")";
  const bool first = since == kFirstRevision, last = until == kLastRevision;
  if (first && !last) return out + " (until " + until + ")";
  if (last && !first) return out + " (since " + since + ")";
  if (!first) return out + " (" + since + " to " + until + ")";
  return out;
}

bool apply(const ShapeFault& fault, ShapedMessage message) {
  if (message.version < fault.since || message.version > fault.until) return false;
  if (fault.sent == Sent::kRequest && message.sent == Sent::kResult)
    return change_inputs(fault, message.body);
  return fault.sent == message.sent && fault.of == message.of &&
         change_at(fault, fault.path, message.body);
}

}  // namespace harness::reference
