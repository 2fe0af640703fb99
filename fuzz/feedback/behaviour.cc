// SPDX-License-Identifier: Apache-2.0
#include "fuzz/feedback/behaviour.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "fuzz/judge/squeeze.h"
#include "harness/trace/attribution.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

constexpr std::size_t kMostMembers = 24;  // of an object that tell its shape
constexpr int kDepth = 3;

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = (a ^ (b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9u;
  return z ^ (z >> 29);
}

std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const unsigned char c : text) h = (h ^ c) * 0x100000001B3u;
  return h;
}

// Of what a server says. Most of it comes again and again.
std::uint64_t hash_squeezed(const std::string& text) {
  constexpr std::size_t kMostKnown = 256;
  constexpr std::size_t kLongestKnown = 256;
  static thread_local std::unordered_map<std::string, std::uint64_t> known;
  if (text.size() > kLongestKnown) return hash(squeezed(text));
  if (const auto found = known.find(text); found != known.end()) return found->second;
  if (known.size() >= kMostKnown) known.clear();
  return known.emplace(text, hash(squeezed(text))).first->second;
}

const json::Value* member_of_error(const wire::Message& message, std::string_view name) {
  const json::Value* error = message.value.find("error");
  return error && error->is_object() ? error->find(name) : nullptr;
}

// Kinds and names; of a list its first element and whether there are more.
std::uint64_t shape(const json::Value& value, int depth) {
  std::uint64_t h = static_cast<std::uint64_t>(value.kind) + 1;
  if (depth == 0) return h;
  if (value.is_object()) {
    std::size_t count = 0;
    for (const json::Member& member : value.members) {
      if (++count > kMostMembers) break;
      h += mix(hash(member.name), shape(member.value, depth - 1));  // whatever the order
    }
  } else if (value.is_array()) {
    h = mix(h, value.items.empty() ? 0 : value.items.size() == 1 ? 1 : 2);
    if (!value.items.empty()) h = mix(h, shape(value.items.front(), depth - 1));
  }
  return h;
}

std::uint64_t of_message(const wire::Message& message) {
  std::uint64_t h = static_cast<std::uint64_t>(message.kind) + 17;
  if (message.kind == wire::MessageKind::kErrorResponse) {
    const json::Value* code = member_of_error(message, "code");
    const json::Value* text = member_of_error(message, "message");
    h = mix(h, code ? hash(code->text) : 1);
    if (text && text->is_string()) h = mix(h, hash_squeezed(text->text));
    const json::Value* id = message.id();
    return mix(h, id ? static_cast<std::uint64_t>(id->kind) : 9);
  }
  if (const json::Value* method = message.method(); method && method->is_string())
    h = mix(h, hash(method->text));
  return mix(h, shape(message.value, kDepth));
}

// What a message is at a glance: which follows which would be too many otherwise.
std::uint64_t kind_of(const wire::Message& message) {
  const std::uint64_t h = static_cast<std::uint64_t>(message.kind) + 211;
  if (message.kind == wire::MessageKind::kErrorResponse) {
    const json::Value* code = member_of_error(message, "code");
    return mix(h, code ? hash(code->text) : 1);
  }
  const json::Value* method = message.method();
  return method && method->is_string() ? mix(h, hash(method->text)) : h;
}

std::uint64_t came(const json::Value& reply) {
  const json::Value* code = json::at(reply, "/error/code");
  return code ? hash(code->text) : shape(reply, kDepth);
}

// The method that a reply is to. Of those that are not there, each would count for one.
std::uint64_t method_answered(const harness::oracle::Item& reply,
                              const harness::trace::Attribution& attribution) {
  const harness::trace::Answer& answer = attribution.of(reply);
  if (answer.whose != harness::trace::Whose::kRequest || answer.to->value == nullptr) return 0;
  const json::Value* code = json::at(*reply.value, "/error/code");
  const json::Value* method = answer.to->value->find("method");
  if (!method || !method->is_string() || (code && code->text == "-32601")) return 0;
  return hash(method->text);
}

// A request that nothing came for, by its method or by what is wrong with it.
std::uint64_t silence_to(const harness::trace::Asked& asked) {
  using harness::spec::Grade;
  const bool due = !asked.answered && !asked.shared && !asked.muted && asked.item->value;
  if (!due || asked.expected.silence() == Grade::kLawful) return 0;
  std::uint64_t h = 307;
  for (const auto* rule : asked.expected.found()) h = mix(h, hash(rule->name));
  const json::Value* method = asked.item->value->find("method");
  if (asked.expected.sound() && method && method->is_string()) h = mix(h, hash(method->text));
  const json::Value* id = asked.item->value->find("id");
  return mix(h, id ? static_cast<std::uint64_t>(id->kind) : 9);
}

}  // namespace

void behaviours_of(const harness::oracle::Evidence& evidence, std::vector<std::uint64_t>& out,
                   Counted counted) {
  const bool timeless = counted == Counted::kTimeless;
  std::uint64_t before = 0;
  const auto& frames = evidence.transcript.frames;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const wire::Frame& frame = frames[i];
    if (frame.direction == wire::Direction::kSent) continue;
    if (timeless && !frame.head && !evidence.messages[i].is_reply()) continue;
    std::uint64_t h = static_cast<std::uint64_t>(frame.channel) + 31;
    if (frame.head) h = mix(h, static_cast<std::uint64_t>(frame.head->status));
    std::uint64_t kind = h;
    if (frame.channel == wire::Channel::kStderr) {
      h = mix(h, hash_squeezed(frame.bytes));
    } else if (frame.channel == wire::Channel::kExit || frame.channel == wire::Channel::kClose) {
      h = mix(h, hash(frame.bytes));
    } else {
      h = mix(h, of_message(evidence.messages[i]));
      kind = mix(kind, kind_of(evidence.messages[i]));
    }
    out.push_back(h);
    // When something comes unasked, between which replies, is a matter of time.
    if (!evidence.messages[i].is_reply() || (timeless && frame.exchange != 0)) continue;
    if (before != 0) out.push_back(mix(before, kind));
    before = kind;
  }
  // What is usual for one method is news for another.
  const harness::trace::Attribution& attribution = harness::trace::attribution_of(evidence);
  for (const harness::oracle::Item& item : evidence.items) {
    if (item.sent || item.value == nullptr || !item.value->is_object()) continue;
    if (const std::uint64_t method = method_answered(item, attribution); method != 0)
      out.push_back(mix(method, came(*item.value)));
  }
  for (const harness::trace::Asked& asked : attribution.pairing().asked())
    if (const std::uint64_t silence = silence_to(asked); silence != 0) out.push_back(silence);
}

void endings_of(const Execution& execution, std::vector<std::uint64_t>& out) {
  out.push_back(mix(static_cast<std::uint64_t>(execution.ending) + 101, hash(execution.how)));
  if (execution.missing > 0) out.push_back(107);
}

}  // namespace fuzz
