// SPDX-License-Identifier: Apache-2.0
#include "harness/play/habits.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/spec/known.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using wire::MessageKind;

constexpr std::size_t kLong = 32 * 1024;  // bytes
constexpr std::size_t kHuge = 10 << 20;
constexpr const char* kHugeMessage = "a message of more than 10 MiB";
constexpr std::size_t kMostNamed = 12;
constexpr std::size_t kLongestName = 40;
constexpr std::string_view kRequest = "a request for ";
constexpr std::string_view kNobodys = "a request for an unknown method";

const char* kind_of(const json::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return value.text.empty() ? "an empty string" : "string";
  if (value.is_number()) return "number";
  if (value.is_array()) return value.items.empty() ? "[]" : "[...]";
  return value.is_object() ? "{...}" : "boolean";
}

// The names of its members and the kinds of their values, `depth` levels of them. `names`: what is
// called or read is told by its name: a server may end at one tool and serve another.
std::string shape_of(const json::Value& value, int depth, bool names = false) {
  if (!value.is_object() || depth == 0) return kind_of(value);
  std::map<std::string, std::string> members;
  for (const json::Member& member : value.members) {
    if (members.size() == kMostNamed) break;
    // Nobody ends at the one and lives at the other.
    if (member.name == "_meta" || member.name == "id") continue;
    const bool name = names && (member.name == "name" || member.name == "uri");
    members[printable(member.name, kLongestName)] =
        name && member.value.is_string() ? '"' + printable(member.value.text, kLongestName) + '"'
                                         : shape_of(member.value, depth - 1);
  }
  std::string out;
  for (const auto& [name, shape] : members) out += (out.empty() ? "" : ", ") + name + ": " + shape;
  return "{" + out + "}";
}

std::string class_of(const json::Value& value) {
  const json::Value* method = value.is_object() ? value.find("method") : nullptr;
  const MessageKind kind = wire::kind_of(value);
  const bool request = kind == MessageKind::kRequest;
  if ((!request && kind != MessageKind::kNotification) || !method->is_string()) {
    if (value.is_array() && !value.items.empty())
      return "a batch of " + shape_of(value.items.front(), 1);
    return "JSON of the form " + shape_of(value, 1);
  }
  const std::string begin(request ? kRequest : "a notification of ");
  if (spec::is_nobodys_name(method->text)) return begin + "an unknown method";
  const json::Value* params = value.find("params");
  const std::string shape = params ? " with " + shape_of(*params, 2, true) : "";
  return begin + printable(method->text, kLongestName) + shape;
}

// Of a class of requests; "" of any other.
std::string_view method_of(std::string_view input) {
  if (!input.starts_with(kRequest) || input == kNobodys) return "";
  const std::string_view rest = input.substr(kRequest.size());
  return rest.substr(0, rest.find(' '));
}

}  // namespace

std::string input_class(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "an empty line";
  if (text.size() >= kHuge) return kHugeMessage;
  if (text.size() >= kLong) return "a long message";
  if (!is_utf8(text)) return "bytes that are not UTF-8";
  const wire::Message message = wire::read_message(text);
  if (message.is_json) return class_of(message.value);
  return message.error.fault == json::ReadFault::kTooDeep ? "deeply nested JSON"
                                                          : "text that is not JSON";
}

void Habits::saw(Habit habit, bool it_did, const std::set<std::string>& classes, bool sure) {
  std::set<std::string> blamed;
  for (const std::string& one : classes) {
    const auto found = tallies_.find({habit, one});
    const bool harmless = found != tallies_.end() && found->second.did_not > 0;
    if (!it_did || classes.size() == 1 || !harmless) blamed.insert(one);
  }
  if (it_did && blamed.size() > 1) return;
  for (const std::string& one : blamed) {
    if (tallies_.size() >= kMostClasses) return;
    Tally& tally = tallies_[{habit, one}];
    ++(!it_did ? tally.did_not : sure ? tally.did : tally.perhaps);
    if (habit == Habit::kSilence && !it_did) answered_.emplace(method_of(one));
  }
}

bool Habits::any(Habit habit) const {
  return std::any_of(tallies_.begin(), tallies_.end(), [&](const auto& tally) {
    return tally.first.first == habit && known(habit, tally.first.second);
  });
}

bool Habits::known(Habit habit, const std::string& input) const {
  return holds(habit, input, true);
}

bool Habits::suspected(Habit habit, const std::string& input) const {
  return holds(habit, input, false);
}

bool Habits::holds(Habit habit, const std::string& input, bool sure) const {
  const auto often = [&](const std::string& one) {
    const auto found = tallies_.find({habit, one});
    if (found == tallies_.end()) return false;
    const Tally& tally = found->second;
    const std::size_t did = tally.did + (sure ? 0 : tally.perhaps);
    // One that is huge costs as much as all others together.
    return did >= (one == kHugeMessage ? 1 : 2) && did > 3 * tally.did_not;
  };
  if (often(input)) return true;
  const std::string_view method = method_of(input);
  if (habit != Habit::kSilence || method.empty() || answered_.contains(method)) return false;
  std::size_t did = 0;  // whatever the params were
  const std::string begin = std::string(kRequest) + std::string(method);
  for (auto one = tallies_.lower_bound({habit, begin});
       one != tallies_.end() && one->first.first == habit && one->first.second.starts_with(begin);
       ++one)
    if (method_of(one->first.second) == method)
      did += one->second.did + (sure ? 0 : one->second.perhaps);
  return did > 2 || often(std::string(kNobodys));
}

}  // namespace harness::run
