// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/shape.h"

#include <fmt/format.h>

#include <vector>

#include "harness/base/text.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr int kDepth = 3;
constexpr std::size_t kMostPlaces = 500;
constexpr std::size_t kLongestName = 60;
constexpr std::size_t kMostTold = 3;

void add(const json::Value& value, const std::string& path, int depth, Shape& out) {
  if (out.size() >= kMostPlaces && !out.contains(path)) return;
  out[path] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(value.kind));
  if (depth == 0) return;
  for (const json::Value& item : value.items) add(item, path + "[]", depth - 1, out);
  for (const json::Member& member : value.members) {
    if (member.name == "_meta") continue;
    if (path.empty() && member.name == "isError" && !member.value.boolean) continue;
    const std::string name = harness::printable(member.name, kLongestName);
    add(member.value, path.empty() ? name : path + "." + name, depth - 1, out);
  }
}

std::string kinds_text(std::uint8_t kinds) {
  std::string out;
  for (unsigned i = 0; i <= static_cast<unsigned>(json::Kind::kObject); ++i)
    if (kinds & (1u << i))
      out += (out.empty() ? "" : " or ") + std::string(json::kind_name(static_cast<json::Kind>(i)));
  return out;
}

bool is_below(const std::string& path, const std::string& above) {
  return above.empty() || (path.starts_with(above) && path.size() > above.size() &&
                           (path[above.size()] == '.' || path[above.size()] == '['));
}

}  // namespace

Shape shape_of(const json::Value& value) {
  Shape out;
  add(value, "", kDepth, out);
  return out;
}

ShapePair told_apart(const Shape& a, const Shape& b) {
  Shape all = a;
  all.insert(b.begin(), b.end());
  std::vector<std::string> told_a, told_b, places;
  for (const auto& [path, kinds] : all) {
    const auto in_a = a.find(path), in_b = b.find(path);
    if (in_a != a.end() && in_b != b.end() && in_a->second == in_b->second) continue;
    bool said = false;
    for (const std::string& place : places) said |= is_below(path, place);
    if (said) continue;
    places.push_back(path);
    const std::string name = path.empty() ? "" : " as " + path;
    if (in_a != a.end() && in_b != b.end()) {
      told_a.push_back("with " + kinds_text(in_a->second) + name);
      told_b.push_back("with " + kinds_text(in_b->second) + name);
    } else {
      told_a.push_back((in_a != a.end() ? "with " : "without ") + path);
      told_b.push_back((in_b != b.end() ? "with " : "without ") + path);
    }
  }
  ShapePair out;
  for (std::size_t i = 0; i < told_a.size() && i < kMostTold; ++i) {
    out.a += (i > 0 ? ", " : "") + told_a[i];
    out.b += (i > 0 ? ", " : "") + told_b[i];
  }
  if (told_a.size() > kMostTold) {
    const std::string more = fmt::format(", {} more", told_a.size() - kMostTold);
    out.a += more;
    out.b += more;
  }
  return out;
}

}  // namespace fuzz
