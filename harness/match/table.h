// SPDX-License-Identifier: Apache-2.0
// The rows behind matchers(): what each matcher is called, checks, compares and says. Evaluation
// and `list matchers` use the same rows, so no matcher can be missing in one of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/match/matcher.h"

namespace harness::match {

// The depth of a comparison in the value; `depth` stops shapes that only name themselves.
struct Walk {
  const MatchContext& context;
  std::string path;
  int depth = 0;

  Walk into(std::string_view member) const;
  Walk into(std::size_t element) const;
  Walk same() const;
};

std::optional<Mismatch> compare(const json::Value& pattern, const json::Value* seen,
                                const Walk& walk);

struct Matcher {
  const char* name;
  const char* form;
  const char* help;
  Argument argument;
  // The argument is null for matchers that take none.
  std::optional<Mismatch> (*compare)(const json::Value& argument, const json::Value* seen,
                                     const Walk& walk);
  // Rejects a malformed argument; null: only the patterns in it are checked.
  Status (*check)(const json::Value& argument, const std::string& file, const Shapes* shapes);
  std::string (*describe)(const json::Value& argument);
};

const std::vector<Matcher>& matcher_table();
const Matcher* find_matcher(std::string_view name);

// True for a string that begins with `${`: it is filled in when the case is played.
bool is_reference(const json::Value& value);

Mismatch departure(const Walk& walk, std::string expected, const json::Value* seen);

}  // namespace harness::match
