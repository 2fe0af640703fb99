// SPDX-License-Identifier: Apache-2.0
// See selection.h. The shard hash is FNV-1a: spelled out here because std::hash may differ between
// the machines that share a run.
#include "harness/suite/selection.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "harness/base/text.h"

namespace harness::suite {
namespace {

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

bool read_number(std::string_view text, unsigned& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool matches(const Case& item, std::string_view pattern) {
  if (matches_glob(pattern, item.id)) return true;
  if (!pattern.empty() && pattern.back() == '/') pattern.remove_suffix(1);
  if (!pattern.empty() && item.id.size() > pattern.size() && item.id[pattern.size()] == '/' &&
      std::string_view(item.id).substr(0, pattern.size()) == pattern)
    return true;
  return std::any_of(item.covers.begin(), item.covers.end(),
                     [&](const std::string& id) { return matches_glob(pattern, id); });
}

Result<Shard> read_shard(std::string_view text) {
  Shard shard;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || !read_number(text.substr(0, slash), shard.index) ||
      !read_number(text.substr(slash + 1), shard.count) || shard.index < 1 ||
      shard.index > shard.count) {
    return Error{"--shard", "'" + std::string(text) + "' is not a shard",
                 "write I/N with I from 1 to N, such as 2/5"};
  }
  return shard;
}

bool in_shard(std::string_view id, const Shard& shard) {
  return fnv1a(id) % shard.count == shard.index - 1;
}

bool selected(const Case& item, const Selection& selection) {
  const auto hit = [&](const std::string& pattern) { return matches(item, pattern); };
  const auto& [select, exclude, shard, survey] = selection;
  if (survey && !item.survey) return false;
  if (!select.empty() && std::none_of(select.begin(), select.end(), hit)) return false;
  if (std::any_of(exclude.begin(), exclude.end(), hit)) return false;
  return in_shard(item.id, shard);
}

std::vector<std::string> unmatched(const std::vector<Case>& cases, const Selection& selection) {
  std::vector<std::string> out;
  for (const auto* list : {&selection.select, &selection.exclude}) {
    for (const auto& pattern : *list)
      if (std::none_of(cases.begin(), cases.end(),
                       [&](const Case& item) { return matches(item, pattern); }))
        out.push_back(pattern);
  }
  return out;
}

}  // namespace harness::suite
