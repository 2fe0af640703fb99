// SPDX-License-Identifier: Apache-2.0
// Advice: what usually makes a server break a clause, and what to change in four languages, read
// from cases/advice.yaml. An entry may serve several clauses.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/json/value.h"
#include "harness/spec/requirement.h"

namespace harness::spec {

struct Language {
  const char* key;    // in the file: "cpp"
  const char* title;  // for people: "C++"
};
constexpr std::array<Language, 4> kLanguages = {
    {{"typescript", "TypeScript"}, {"python", "Python"}, {"go", "Go"}, {"cpp", "C++"}}};

struct Advice {
  std::string cause;                                              // one paragraph, one line
  std::array<std::vector<std::string>, kLanguages.size()> lines;  // one to three each
};

using AdviceByClause = std::map<std::string, Advice>;

// `root` is the content of the file, which errors call `name`. Every clause must be in the registry
// and occur once; every entry must have a cause and all languages, at most three lines each.
Result<AdviceByClause> read_advice(const json::Value& root, const std::string& name,
                                   const Registry& registry);

}  // namespace harness::spec
