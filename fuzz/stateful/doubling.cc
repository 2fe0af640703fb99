// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/doubling.h"

#include <variant>

#include "harness/base/result.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr std::size_t kMostDepth = 100'000;

json::Kind kind_of(Dimension dimension) {
  if (dimension == Dimension::kString || dimension == Dimension::kRun ||
      dimension == Dimension::kEscapes)
    return json::Kind::kString;
  return dimension == Dimension::kList ? json::Kind::kArray : json::Kind::kObject;
}

std::size_t size_of(const json::Value& value) {
  return value.text.size() + value.items.size() + value.members.size();
}

void find_largest(json::Value& value, json::Kind kind, json::Value*& largest) {
  if (value.kind == kind && (largest == nullptr || size_of(value) > size_of(*largest)))
    largest = &value;
  for (json::Value& item : value.items) find_largest(item, kind, largest);
  for (json::Member& member : value.members)
    if (member.name != "_meta") find_largest(member.value, kind, largest);
}

// How many more of that size come nearest to so many bytes.
std::size_t copies(std::size_t bytes, std::size_t each) { return (bytes + each / 2) / each; }

void enlarge(json::Value& value, std::size_t bytes) {
  if (value.is_string()) {
    const std::string once = value.text.empty() ? "a" : value.text;
    std::size_t goal = value.text.size() + bytes;
    while (value.text.size() < goal) value.text += once;
    while (goal > 0 && goal < value.text.size() && (value.text[goal] & 0xC0) == 0x80) --goal;
    value.text.resize(goal);
  } else if (value.is_array()) {
    const json::Value once = value.items.empty() ? json::number(0) : value.items.front();
    for (std::size_t more = copies(bytes, json::write(once).size() + 1); more > 0; --more)
      value.items.push_back(once);
  } else {
    const json::Value once = value.members.empty() ? json::number(0) : value.members.front().value;
    const std::size_t more = copies(bytes, json::write(once).size() + 12);
    for (std::size_t number = 0; number < more; ++number)
      value.members.push_back({"more" + std::to_string(number), once, {}});
  }
}

// A message with params, in which something can grow.
std::optional<json::Value> growing(const std::string& message) {
  auto reading = json::read(message);
  auto* good = std::get_if<json::Reading>(&reading);
  if (good == nullptr || !good->value.is_object()) return std::nullopt;
  const json::Value* params = good->value.find("params");
  if (params == nullptr || !(params->is_object() || params->is_array())) return std::nullopt;
  return std::move(good->value);
}

bool is_json(const std::string& text) {
  return std::holds_alternative<json::Reading>(json::read(text));
}

}  // namespace

const char* dimension_name(Dimension dimension) {
  switch (dimension) {
    case Dimension::kString: return "string";
    case Dimension::kRun: return "run of one character";
    case Dimension::kEscapes: return "escapes";
    case Dimension::kList: return "list";
    case Dimension::kObject: return "object";
    case Dimension::kDepth: return "depth";
    case Dimension::kText: return "text";
  }
  throw harness::Bug("no such Dimension");
}

std::optional<std::string> enlarged(const std::string& message, Dimension dimension,
                                    std::size_t bytes) {
  if (dimension == Dimension::kText) {
    if (is_json(message) || message.empty()) return std::nullopt;
    std::string out = message;
    for (std::size_t more = copies(bytes, message.size()); more > 0; --more) out += message;
    return out;
  }
  std::optional<json::Value> whole = growing(message);
  if (!whole) return std::nullopt;
  json::Value* params = whole->find("params");
  if (dimension == Dimension::kDepth) {
    const std::string mark = "\"rpcspec-depth\"";
    const std::size_t depth = bytes / 2;
    if (depth == 0 || depth > kMostDepth) return std::nullopt;
    if (params->is_object())
      params->set("deep", json::string("rpcspec-depth"));
    else
      params->items.push_back(json::string("rpcspec-depth"));
    std::string out = json::write(*whole);
    const std::size_t at = out.rfind(mark);
    return out.replace(at, mark.size(), std::string(depth, '[') + std::string(depth, ']'));
  }
  json::Value* largest = nullptr;
  find_largest(*params, kind_of(dimension), largest);
  if (largest == nullptr) return std::nullopt;
  if (dimension == Dimension::kEscapes)
    largest->text.append(bytes / 2, '\n');
  else if (dimension == Dimension::kRun)
    largest->text = std::string(bytes, 'a') + '!';
  else
    enlarge(*largest, bytes);
  return json::write(*whole);
}

std::optional<std::size_t> size_in(const std::string& message, Dimension dimension) {
  if (dimension == Dimension::kText) {
    if (is_json(message) || message.empty()) return std::nullopt;
    return message.size();
  }
  std::optional<json::Value> whole = growing(message);
  if (!whole) return std::nullopt;
  if (dimension == Dimension::kDepth) return 0;
  json::Value* largest = nullptr;
  find_largest(*whole->find("params"), kind_of(dimension), largest);
  if (largest == nullptr) return std::nullopt;
  return dimension == Dimension::kEscapes || dimension == Dimension::kRun
             ? 0
             : json::write(*largest).size();
}

}  // namespace fuzz
