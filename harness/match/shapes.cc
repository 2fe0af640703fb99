// SPDX-License-Identifier: Apache-2.0
// Reading of shape files; the matching itself is matcher.cc's.
#include "harness/match/shapes.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/yaml.h"
#include "harness/match/matcher.h"

namespace harness::match {
namespace {

// An array whose first element has `is` lists variants; any other value is a pattern.
bool lists_variants(const json::Value& value) {
  return value.is_array() && !value.items.empty() && value.items.front().is_object() &&
         value.items.front().find("is") != nullptr;
}

}  // namespace

Status Shapes::add(const json::Value& file_value, const std::string& file) {
  if (!file_value.is_object()) {
    return Error{json::place(file, file_value.mark), "a shape file maps names to patterns",
                 "write \"Name: {member: $string}\""};
  }
  for (const auto& [name, value, mark] : file_value.members) {
    if (knows(name)) {
      const auto& first = shapes_.find(name)->second;
      return Error{
          json::place(file, mark),
          "shape '" + name + "' is already defined at " + json::place(first.file, first.mark),
          "give one of them another name"};
    }
    Shape shape{file, mark, {}};
    if (!lists_variants(value)) {
      shape.variants.push_back({{}, value});
    } else {
      for (const auto& entry : value.items) {
        const auto* is = entry.is_object() ? entry.find("is") : nullptr;
        const auto* when = entry.is_object() ? entry.find("when") : nullptr;
        if (is == nullptr || when == nullptr || !when->is_array() || entry.members.size() != 2) {
          return Error{json::place(file, entry.mark),
                       "a variant of shape '" + name + "' cannot be read",
                       "write \"{when: [mcp>=2025-06-18], is: PATTERN}\""};
        }
        Variant variant{{}, *is};
        for (const auto& selector : when->items) {
          if (!selector.is_string() || !spec::is_profile_selector(selector.text)) {
            return Error{json::place(file, selector.mark),
                         "unknown profile '" + selector.text + "'",
                         "use a profile name, mcp, mcp-handshake, mcp-stateless or a range like "
                         "mcp>=2025-06-18"};
          }
          variant.selectors.push_back(selector.text);
        }
        shape.variants.push_back(std::move(variant));
      }
    }
    shapes_.emplace(name, std::move(shape));
  }
  return Nothing{};
}

Status Shapes::check() const {
  for (const auto& [name, shape] : shapes_) {
    for (const auto& variant : shape.variants)
      if (auto status = check_pattern(variant.pattern, shape.file, this); !status) return status;
  }
  return Nothing{};
}

const json::Value* Shapes::find(std::string_view name, const spec::Profile& profile) const {
  const auto found = shapes_.find(name);
  if (found == shapes_.end()) return nullptr;
  for (const auto& variant : found->second.variants) {
    const auto& selectors = variant.selectors;
    if (selectors.empty() || std::any_of(selectors.begin(), selectors.end(),
                                         [&](const auto& s) { return profile.is(s); }))
      return &variant.pattern;
  }
  return nullptr;
}

std::vector<std::string> Shapes::names() const {
  std::vector<std::string> out;
  for (const auto& [name, shape] : shapes_) out.push_back(name);
  return out;
}

}  // namespace harness::match
