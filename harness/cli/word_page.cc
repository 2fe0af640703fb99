// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/embed.h"
#include "harness/cli/inspection.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"

RPCSPEC_EMBEDDED(case_guide);

namespace harness::cli {
namespace {

// What the server must have: the second column of the table in cases/README.md.
std::string meaning_of(const std::string& affordance) {
  const std::string_view guide = case_guide();
  const std::string begin = "\n| `" + affordance + "` | ";
  const std::size_t at = guide.find(begin);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = guide.substr(at + begin.size());
  std::string out(rest.substr(0, rest.find(" | ")));
  std::erase(out, '`');
  return out;
}

// By the name of an affordance, the cases that ask for it and what they read of it.
struct Use {
  std::vector<std::string> cases;
  run::Missing members;
};

std::map<std::string, Use> affordances_in(const Library& library) {
  std::map<std::string, Use> out;
  out["known_method"].members = {"known_method", 0, {"method", "params"}};
  for (const suite::Case& scenario : library.suite.cases)
    for (const suite::Requires& gate : scenario.gates) {
      if (gate.kind != "affordance") continue;
      Use& use = out[gate.name];
      use.members.affordance = gate.name;
      use.cases.push_back(scenario.id);
      run::add_members(scenario, gate.name, use.members.members);
    }
  return out;
}

}  // namespace

std::string page_of_word(const std::string& word, const Library& library) {
  for (const json::Member& one : explain_table("words").members)
    if (word == one.name || word == one.name + "s")
      return fmt::format("{}\n\n{}", one.name, field("", one.value.text));
  const auto uses = affordances_in(library);
  const auto found = uses.find(word);
  if (found == uses.end()) return "";
  std::string out = fmt::format(
      "{}\n\n  {}\n  an affordance: the target description (rpcspec.yaml) says which of yours it "
      "is\n"
      "  affordances: {{{}: {}}}\n",
      word, meaning_of(word), word, sketch(found->second.members));
  if (word == "known_method") out += "  or --method 'add:[1, 2]': it is called before each case\n";
  for (const std::string& id : found->second.cases) out += field("case", id);
  return out;
}

std::vector<std::string> report_words(const Library& library) {
  std::vector<std::string> out;
  for (const json::Member& one : explain_table("words").members) out.push_back(one.name);
  for (const auto& [name, use] : affordances_in(library)) out.push_back(name);
  return out;
}

}  // namespace harness::cli
