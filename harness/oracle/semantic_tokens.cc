// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/semantic_tokens.h"

#include <algorithm>

namespace harness::oracle {

using json::Value;

std::optional<TokenNumbers> token_numbers(const Value* data) {
  if (data == nullptr || !data->is_array()) return std::nullopt;
  TokenNumbers out;
  for (const Value& one : data->items) {
    const auto number = json::as_integer(one);
    if (!number) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

std::vector<SemanticToken> tokens_of(const TokenNumbers& numbers) {
  std::vector<SemanticToken> out;
  Place at;
  for (std::size_t i = 0; i + 4 < numbers.size(); i += 5) {
    if (numbers[i] != 0) at.character = 0;
    at.line += numbers[i];
    at.character += numbers[i + 1];
    out.push_back({at, numbers[i + 2], numbers[i + 3], numbers[i + 4]});
  }
  return out;
}

std::optional<TokenNumbers> edited_tokens(const TokenNumbers& before, const Value& edits) {
  struct Edit {
    std::int64_t start, count;
    TokenNumbers data;
  };
  std::vector<Edit> all;
  for (const Value& one : edits.items) {
    const Value* start = one.is_object() ? one.find("start") : nullptr;
    const Value* count = one.is_object() ? one.find("deleteCount") : nullptr;
    const auto from = start ? json::as_integer(*start) : std::nullopt;
    const auto much = count ? json::as_integer(*count) : std::nullopt;
    if (!from || !much) return std::nullopt;
    all.push_back({*from, *much, token_numbers(one.find("data")).value_or(TokenNumbers())});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Edit& a, const Edit& b) { return a.start < b.start; });
  TokenNumbers out;
  std::int64_t done = 0;
  const auto size = static_cast<std::int64_t>(before.size());
  for (const Edit& one : all) {
    if (one.start < done || one.count < 0 || one.start + one.count > size) return std::nullopt;
    out.insert(out.end(), before.begin() + done, before.begin() + one.start);
    out.insert(out.end(), one.data.begin(), one.data.end());
    done = one.start + one.count;
  }
  out.insert(out.end(), before.begin() + done, before.end());
  return out;
}

}  // namespace harness::oracle
