// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/offered.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fuzz/mutate/random.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostArguments = 8;  // of a kind, for one tool
constexpr int kTimes = 3;                  // a method is asked, with other names and addresses
constexpr std::uint64_t kSeed = 1;

void add(Script& script, std::string text) {
  script.steps.emplace_back(Frame{std::move(text), {}});
  script.steps.emplace_back(Sync{});
}

}  // namespace

std::vector<Script> offered_scripts(const Vocabulary& vocabulary) {
  std::vector<Script> out;
  Random random(kSeed);
  for (const Method& method : vocabulary.methods()) {
    Script script;
    for (int i = 1; i <= kTimes; ++i)
      add(script, request_text(vocabulary, method, random, std::to_string(i)));
    out.push_back(std::move(script));
  }
  for (const Tool& tool : vocabulary.tools()) {
    Script script;
    int id = 0;
    for (const auto* kind : {&tool.valid, &tool.boundary, &tool.broken})
      for (std::size_t i = 0; i < std::min(kind->size(), kMostArguments); ++i)
        add(script, call_text(vocabulary, tool, (*kind)[i], std::to_string(++id)));
    if (!script.steps.empty()) out.push_back(std::move(script));
  }
  return out;
}

}  // namespace fuzz
