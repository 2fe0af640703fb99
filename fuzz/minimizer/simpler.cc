// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/simpler.h"

#include <set>
#include <string>
#include <utility>

#include "fuzz/mutate/tree.h"

namespace fuzz {
namespace {

namespace json = harness::json;

// Arrays in place of all objects in it.
json::Value without_names(const json::Value& value) {
  json::Value out = value.is_object() ? json::array() : value;
  out.items.clear();
  for (const json::Value& item : value.items) out.items.push_back(without_names(item));
  for (const json::Member& member : value.members) out.items.push_back(without_names(member.value));
  return out;
}

}  // namespace

std::vector<json::Value> simpler(const json::Value& value) {
  std::vector<json::Value> out;
  if (!value.is_number()) out.push_back(json::number(0));
  if (value.is_object() && !value.members.empty()) {
    out.push_back(json::object());
    // Of many members one by one would take for ever: halves of them.
    constexpr std::size_t kManyMembers = 64;
    const std::size_t count = value.members.size();
    for (std::size_t half = count / 2; count > kManyMembers && half > count / 64; half /= 2)
      for (const bool first : {true, false}) {
        const auto edge = value.members.begin() + static_cast<std::ptrdiff_t>(half);
        out.push_back(json::object());
        out.back().members.assign(first ? value.members.begin() : edge,
                                  first ? edge : value.members.end());
      }
    if (count > kManyMembers) return out;
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      out.push_back(value);
      out.back().members.erase(out.back().members.begin() + static_cast<std::ptrdiff_t>(i));
    }
    out.push_back(without_names(value));
    // A name that plays no part is "a", all of its kind at once.
    std::set<std::string> names;
    for (const json::Member& member : value.members)
      if (member.name.size() > 1 && names.insert(member.name).second) {
        out.push_back(value);
        for (json::Member& renamed : out.back().members)
          if (renamed.name == member.name) renamed.name = "a";
      }
  } else if (value.is_array() && !value.items.empty()) {
    out.push_back(json::array());
    for (std::size_t half = value.items.size() / 2; half > 0; half /= 2) {
      json::Value first = json::array();
      first.items.assign(value.items.begin(),
                         value.items.begin() + static_cast<std::ptrdiff_t>(half));
      out.push_back(std::move(first));
      json::Value rest = json::array();
      rest.items.assign(value.items.begin() + static_cast<std::ptrdiff_t>(half), value.items.end());
      out.push_back(std::move(rest));
    }
    for (const json::Value& item : value.items)
      if (item.is_array() || item.is_object()) out.push_back(item);
  } else if (value.is_string() && !value.text.empty()) {
    out.push_back(json::string(""));
    if (value.text.size() > 1) {
      out.push_back(json::string("a"));
      out.push_back(json::string(value.text.substr(0, value.text.size() / 2)));
      out.push_back(json::string(value.text.substr(value.text.size() / 2)));
    }
  } else if (value.is_number() && value.text != "0" && value.text != "1") {
    out.push_back(json::number(1));
    out.push_back(json::number(0));
  }
  return out;
}

void places_in(const json::Value& value, std::vector<std::vector<std::size_t>>& out,
               std::vector<std::size_t>& path) {
  if (out.size() > 2000 || path.size() > 64) return;
  out.push_back(path);
  const std::size_t count = value.is_object() ? value.members.size() : value.items.size();
  for (std::size_t i = 0; i < count; ++i) {
    path.push_back(i);
    places_in(value.is_object() ? value.members[i].value : value.items[i], out, path);
    path.pop_back();
  }
}

json::Value* place(json::Value& value, const std::vector<std::size_t>& path) {
  json::Value* at = &value;
  for (const std::size_t i : path) {
    const std::size_t count = at->is_object() ? at->members.size() : at->items.size();
    if (i >= count) return nullptr;
    at = at->is_object() ? &at->members[i].value : &at->items[i];
  }
  return at;
}

std::optional<Script> out_of_batches(const Script& script) {
  constexpr std::size_t kMost = 1024;
  Script out{script.profile, script.transport, {}};
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    Tree tree;
    if (frame != nullptr && !references(frame->bytes).empty()) return std::nullopt;
    if (frame == nullptr || !frame->delivery.usual() || !tree.read(frame->bytes) ||
        tree[0].kind != Kind::kArray || tree.children(0) < 2) {
      out.steps.push_back(step);
      continue;
    }
    for (std::size_t at = 1; at < tree.size(); at = tree[at].next)
      out.steps.emplace_back(Frame{std::string(text_of(frame->bytes, tree[at])), {}});
    if (out.steps.size() > kMost) return std::nullopt;
  }
  if (out == script) return std::nullopt;
  return out;
}

}  // namespace fuzz
