// SPDX-License-Identifier: Apache-2.0
#include "harness/match/front_matter.h"

#include <re2/re2.h>

#include <string>
#include <string_view>

#include "harness/json/yaml.h"

namespace harness::match {
namespace {

// What stands between the first line, which is ---, and the next such line.
std::optional<std::string> front_matter_in(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  static const RE2 kBlock("^---[ \\t]*\\r?\\n((?s:.*?))(?m:^---[ \\t]*\\r?$)");
  std::string block;
  if (!RE2::PartialMatch(text, kBlock, &block)) return std::nullopt;
  return block;
}

}  // namespace

std::optional<Mismatch> front_matter(const json::Value& pattern, const json::Value* seen,
                                     const Walk& walk) {
  const auto block =
      seen != nullptr && seen->is_string() ? front_matter_in(seen->text) : std::nullopt;
  if (!block) return departure(walk, "text that begins with front matter", seen);
  const Result<json::Value> read = json::read_yaml(*block, "front matter");
  if (read) return compare(pattern, &*read, walk.same());
  if (block->find_first_of("!&*") != block->npos) return std::nullopt;
  return departure(walk, "front matter in YAML", seen);
}

}  // namespace harness::match
