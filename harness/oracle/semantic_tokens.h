// SPDX-License-Identifier: Apache-2.0
// Semantic tokens of language servers as numbers, five for each token, and read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/json/value.h"
#include "harness/oracle/text_places.h"

namespace harness::oracle {

using TokenNumbers = std::vector<std::int64_t>;

struct SemanticToken {
  Place at;
  std::int64_t length = 0, type = 0, modifiers = 0;
  bool operator==(const SemanticToken&) const = default;
};

// Nothing: not whole numbers, which the oracle `shapes` reports.
std::optional<TokenNumbers> token_numbers(const json::Value* data);
std::vector<SemanticToken> tokens_of(const TokenNumbers& numbers);  // of whole fives
// All edits refer to the original numbers. Nothing: one exceeds them, or overlaps another.
std::optional<TokenNumbers> edited_tokens(const TokenNumbers& before, const json::Value& edits);

}  // namespace harness::oracle
