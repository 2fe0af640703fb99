// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/document.h"

#include <deque>
#include <map>
#include <vector>

#include "harness/base/percent.h"
#include "harness/json/read.h"

namespace harness::contract {
namespace {

using json::Value;

constexpr int kMostTurns = 32;
constexpr int kDeepest = 128;

const Value* reference_of(const Value& value) {
  const Value* ref = value.is_object() ? value.find("$ref") : nullptr;
  return ref && ref->is_string() ? ref : nullptr;
}

std::optional<std::string> find_part(const Value& in, const Value* part, int depth) {
  if (&in == part) return "";
  if (depth > kDeepest) return std::nullopt;
  for (std::size_t i = 0; i < in.items.size(); ++i)
    if (auto below = find_part(in.items[i], part, depth + 1))
      return "/" + std::to_string(i) + *below;
  for (const json::Member& member : in.members)
    if (auto below = find_part(member.value, part, depth + 1))
      return "/" + escaped_name(member.name) + *below;
  return std::nullopt;
}

// Walks a text that is JSON, token by token, and counts lines and columns.
class Walk {
 public:
  Walk(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}

  json::Mark found() {
    value("", 0);
    return found_;
  }

 private:
  char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void step() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++column_;
    }
  }

  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(look()) != text_.npos) step();
  }

  // The text of a string as it is written, quotes included.
  std::string_view string() {
    const std::size_t begin = at_;
    step();
    while (at_ < text_.size() && look() != '"') {
      if (look() == '\\') step();
      if (at_ < text_.size()) step();
    }
    if (at_ < text_.size()) step();
    return text_.substr(begin, at_ - begin);
  }

  void value(const std::string& pointer, int depth) {
    blanks();
    if (pointer == wanted_) found_ = {line_, column_};
    if (found_.line != 0 || depth > kDeepest || at_ >= text_.size()) return;
    if (look() == '"') {
      string();
    } else if (look() == '{' || look() == '[') {
      const bool object = look() == '{';
      step();
      for (std::size_t i = 0; blanks(), at_ < text_.size() && look() != '}' && look() != ']'; ++i) {
        std::string name = std::to_string(i);
        if (object) name = escaped_name(json::parse(string()).text);
        value(pointer + "/" + name, depth + 1);
        if (found_.line != 0) return;
      }
      if (at_ < text_.size()) step();
    } else {
      while (at_ < text_.size() && std::string_view(" \t\r\n,]}").find(look()) == text_.npos)
        step();
    }
  }

  std::string_view text_, wanted_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  json::Mark found_;
};

}  // namespace

Spot Spot::at(std::string_view name) const {
  const Value* member = value && value->is_object() ? value->find(name) : nullptr;
  return {member, pointer + "/" + escaped_name(name)};
}

Spot Spot::at(std::size_t index) const {
  const bool there = value && value->is_array() && index < value->items.size();
  return {there ? &value->items[index] : nullptr, pointer + "/" + std::to_string(index)};
}

Spot Document::follow(Spot spot) const {
  const Spot first = spot;
  for (int turn = 0; spot && turn < kMostTurns; ++turn) {
    const Value* ref = reference_of(*spot.value);
    if (!ref) return spot;
    if (!ref->text.starts_with('#')) break;
    const std::string pointer = percent_decoded(ref->text.substr(1));
    spot = {json::at(root_, pointer), pointer};
  }
  return {nullptr, first.pointer + (first ? "/$ref" : "")};
}

std::optional<Value> Document::bundle(Spot schema) const {
  std::map<std::string, std::string> names;  // pointers to what is in the bundle
  std::deque<std::string> open;
  bool sound = schema.value != nullptr;
  const auto rewrite = [&](const auto& self, Value value, int depth) -> Value {
    if (depth > kDeepest) {
      sound = false;
      return value;
    }
    for (Value& item : value.items) item = self(self, std::move(item), depth + 1);
    for (json::Member& member : value.members) {
      const bool reference = member.name == "$ref" && member.value.is_string();
      if (!reference) {
        member.value = self(self, std::move(member.value), depth + 1);
        continue;
      }
      const std::string& text = member.value.text;
      const std::string pointer = text.starts_with('#') ? percent_decoded(text.substr(1)) : "";
      if (!text.starts_with('#') || json::at(root_, pointer) == nullptr) {
        sound = false;
        continue;
      }
      const auto [found, fresh] = names.emplace(pointer, "part" + std::to_string(names.size() + 1));
      if (fresh) open.push_back(pointer);
      member.value.text = "#/definitions/" + found->second;
    }
    return value;
  };
  if (!sound) return std::nullopt;
  Value out = rewrite(rewrite, *schema.value, 0);
  Value definitions = json::object();
  for (; sound && !open.empty(); open.pop_front())
    definitions.set(names[open.front()], rewrite(rewrite, *json::at(root_, open.front()), 0));
  if (!sound) return std::nullopt;
  if (out.is_object() && !definitions.members.empty()) out.set("definitions", definitions);
  return out;
}

std::optional<std::string> Document::pointer_to(const Value* part) const {
  return find_part(root_, part, 0);
}

std::string escaped_name(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

json::Mark mark_of(std::string_view text, std::string_view pointer) {
  return Walk(text, pointer).found();
}

}  // namespace harness::contract
