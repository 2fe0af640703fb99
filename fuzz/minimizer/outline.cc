// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/outline.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/spec/model.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;

std::string outline_of(const json::Value& value, int depth) {
  if (!value.is_object() && !value.is_array()) return json::kind_name(value.kind);
  if (value.is_array())
    return value.items.empty() || depth == 0
               ? "[]"
               : "[" + outline_of(value.items.front(), depth - 1) + "]";
  std::set<std::string> members;  // whatever their order
  for (const json::Member& member : value.members) {
    if (member.name == "jsonrpc" || member.name == "id") continue;
    const bool method = member.name == "method" && member.value.is_string();
    members.insert(member.name + ":" +
                   (method       ? member.value.text
                    : depth == 0 ? ""
                                 : outline_of(member.value, depth - 1)));
  }
  std::string out;
  for (const std::string& member : members) out += (out.empty() ? "" : ",") + member;
  return "{" + out + "}";
}

// Half a character that is still there is what matters, wherever it stands.
std::string outline_of(const json::Reading& message) {
  if (!message.lone_surrogate || !message.value.is_object()) return outline_of(message.value, 3);
  const json::Value* method = message.value.find("method");
  return "surrogate" + (method != nullptr && method->is_string() ? " " + method->text : "");
}

// What is still unusual in a reduced script is what matters, whatever is delivered in that way.
std::string delivery_of(const Delivery& how) {
  std::string out;
  if (!how.chunks.empty()) out += "chunks ";
  if (!how.fragments.empty()) out += "fragments ";
  for (const HeaderChange& change : how.headers) out += change.name + " ";
  if (!how.http_method.empty()) out += how.http_method + " ";
  if (how.length) out += "length ";
  if (how.eol != Eol::kLf) out += "eol ";
  if (how.opcode != 1) out += "opcode ";
  return out;
}

// Likewise the size of what is still large, or deep; null of what is neither.
const char* size_of(std::string_view text) {
  constexpr std::size_t kLarge = 2048;  // bytes
  constexpr int kDeep = 64;
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeep) return "deep";
  }
  return text.size() > kLarge ? "large" : nullptr;
}

// What outweighs what a message says; "" where it is as usual.
std::string unusual(const Frame& frame) {
  if (!frame.delivery.usual()) return delivery_of(frame.delivery);
  const char* size = size_of(frame.bytes);
  return size != nullptr ? size : "";
}

// Members and the kinds of their values; the method, too, where one message is all there is.
std::string shape_of(const json::Value& message, bool with_method) {
  if (!message.is_object()) return json::kind_name(message.kind);
  std::set<std::string> members;
  for (const json::Member& member : message.members) {
    const bool tells = member.value.is_string() &&
                       (member.name == "jsonrpc" || (with_method && member.name == "method"));
    if (member.name == "jsonrpc" && member.value.text == "2.0") continue;
    members.insert(member.name + ":" +
                   (tells ? member.value.text : json::kind_name(member.value.kind)));
  }
  std::string out = "{";
  for (const std::string& member : members) out += member + ",";
  return out + "}";
}

std::vector<std::string> shapes(const Script& script, bool with_method) {
  std::vector<std::string> out;
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (!frame) {
      if (std::holds_alternative<Raw>(step)) out.emplace_back("bytes");
      continue;
    }
    if (std::string how = unusual(*frame); !how.empty()) {
      out.push_back(std::move(how));
      continue;
    }
    const auto reading = json::read(frame->bytes);
    const auto* good = std::get_if<json::Reading>(&reading);
    if (!good)
      out.emplace_back("text");
    else if (good->value.is_array() && !good->value.items.empty())
      for (const json::Value& element : good->value.items)
        out.push_back(shape_of(element, with_method));
    else
      out.push_back(shape_of(good->value, with_method));
  }
  return out;
}

std::string words_of(const json::Value& message) {
  if (message.is_array())
    return "an array of " + std::to_string(message.items.size()) +
           (message.items.size() == 1 ? " element" : " elements");
  if (!message.is_object()) return std::string("a ") + json::kind_name(message.kind);
  constexpr std::size_t kUsual = 15;  // digits of an id that every double can hold
  const json::Value* method = message.find("method");
  const json::Value* id = message.find("id");
  const bool usual = id == nullptr || id->is_string() ||
                     (id->is_number() && id->text.size() <= kUsual && json::is_integer(*id));
  const std::string with = usual ? "" : " with id " + harness::printable(json::write(*id), 20);
  if (method == nullptr) return "a message without a method" + with;
  if (!method->is_string()) return "a method that is not a string" + with;
  const std::string name = harness::printable(method->text, 60);
  return (name.empty() ? "an empty method" : '`' + name + '`') +
         (id == nullptr ? " (a notification)" : with);
}

std::string words_of(const Step& step) {
  if (std::holds_alternative<Close>(step)) return "a new connection";
  if (const auto* raw = std::get_if<Raw>(&step))
    return std::to_string(raw->bytes.size()) + " bytes without framing";
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr) return "";
  const auto reading = json::read(frame->bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  const auto* fault = std::get_if<json::ReadError>(&reading);
  const bool deep = fault != nullptr && fault->fault == json::ReadFault::kTooDeep;
  std::string out = good   ? words_of(good->value)
                    : deep ? "very deep JSON, or JSON of very many values"
                    : harness::is_utf8(frame->bytes) ? "text that is not JSON"
                                                     : "text that is not UTF-8";
  if (!frame->delivery.http_method.empty()) out += " by " + frame->delivery.http_method;
  std::string how;
  for (const HeaderChange& change : frame->delivery.headers)
    how += (how.empty() ? " with `" : ", `") + harness::printable(change.name, 60) + '`' +
           (change.value ? " `" + harness::printable(*change.value, 60) + '`' : " left out");
  return out + how;
}

}  // namespace

std::string in_words(const Script& script) {
  constexpr std::size_t kMostGroups = 8;
  std::vector<std::pair<std::string, std::size_t>> groups;
  for (const Step& step : script.steps) {
    const std::string one = words_of(step);
    if (one.empty()) continue;
    if (groups.empty() || groups.back().first != one) groups.emplace_back(one, 0);
    ++groups.back().second;
  }
  std::string out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool shown =
        groups.size() <= kMostGroups || i < kMostGroups / 2 || i + kMostGroups / 2 >= groups.size();
    if (!shown && i != kMostGroups / 2) continue;
    out += out.empty() ? "" : ", then ";
    if (shown && groups[i].second > 1) out += std::to_string(groups[i].second) + " × ";
    out += shown ? groups[i].first : std::to_string(groups.size() - kMostGroups) + " more";
  }
  return out;
}

std::string outline(const Script& script) {
  std::string out;
  for (const Step& step : script.steps) {
    std::string one;
    if (const auto* frame = std::get_if<Frame>(&step)) {
      const auto reading = json::read(frame->bytes);
      const auto* good = std::get_if<json::Reading>(&reading);
      one = unusual(*frame);
      if (one.empty()) one = good ? outline_of(*good) : "text";
    } else if (std::holds_alternative<Raw>(step)) {
      one = "bytes";
    } else {
      continue;
    }
    if (!out.ends_with(one)) out += (out.empty() ? "" : " ") + one;
  }
  return out;
}

bool has_all_of(const Script& whole, const Script& part) {
  std::vector<std::string> wanted = shapes(part, false);
  const bool alone = wanted.size() == 1;
  if (alone) wanted = shapes(part, true);
  auto next = wanted.begin();
  for (const std::string& shape : shapes(whole, alone))
    if (next != wanted.end() && shape == *next) ++next;
  return !wanted.empty() && next == wanted.end();
}

bool is_sound(const Step& step, const harness::spec::Profile& profile) {
  if (std::holds_alternative<Raw>(step)) return false;
  const auto* frame = std::get_if<Frame>(&step);
  if (frame == nullptr) return true;
  if (!frame->delivery.usual()) return false;
  const harness::wire::Message message = harness::wire::read_message(frame->bytes);
  const harness::spec::Situation situation{&profile, harness::wire::TransportKind::kStdio,
                                           harness::spec::Phase::kReady};
  return harness::spec::expect(situation, message, frame->bytes).sound();
}

bool is_sound(const Script& script, const harness::spec::Profile& profile) {
  return std::all_of(script.steps.begin(), script.steps.end(),
                     [&](const Step& step) { return is_sound(step, profile); });
}

}  // namespace fuzz
