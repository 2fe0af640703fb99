// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/base/embed.h"
#include "harness/cli/inspection.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"

RPCSPEC_EMBEDDED(case_guide);

namespace harness::cli {
namespace {

struct Word {
  const char* word;
  const char* meaning;
};

constexpr Word kWords[] = {
    {"pass", "A case that found no broken clause."},
    {"fail",
     "A case that found a broken MUST, and found it again when it was played alone on a fresh "
     "session. It fails the gate."},
    {"warn",
     "A case that found a broken SHOULD, or a MUST broken in a tolerated way. It fails the gate "
     "only with --level should; --warnings lists what it found."},
    {"inconclusive",
     "A case that could not be completed, usually because the target description does not say "
     "how to provoke the behaviour. The report says what to add. It fails the gate only with "
     "--strict."},
    {"not applicable",
     "A case about something that the server does not declare or that its revision does not have."},
    {"flaky",
     "A case that failed once, and passed when it was played again. It does not fail the "
     "gate."},
    {"error", "A case in which rpcspec itself went wrong."},
    {"not confirmed",
     "A failure that could not be played again because time ran out (--max-time). It fails the "
     "gate."},
    {"partial",
     "A run that called none of the server's own methods, because a plain JSON-RPC server has "
     "none that rpcspec knows. Name some: --method 'add:[1, 2]'."},
    {"stale", "A baseline entry that no longer fails, or was not played. It fails the gate."},
    {"known", "A failure that the baseline lists. It does not fail the gate."},
    {"remark", "Something that breaks no clause but is worth mentioning; --verbose shows notes."},
    {"cause", "The one defect behind several findings. A cause that fails the gate is a problem."},
    {"finding",
     "One breach of one clause: what was sent, what was seen, what the clause requires."},
    {"clause", "One rule of a specification, with an id, a level and a source."},
    {"area", "The cases of one folder of the suite, such as mcp/tools."},
    {"oracle",
     "A check of every session, whatever the case is about; `rpcspec list oracles` names them."},
    {"gate", "The final decision of a run: exit code 0 or 1."},
    {"survey",
     "The short list of cases, played first, that shows how a server treats each kind of "
     "message; --quick plays only these."},
    {"affordance",
     "A behaviour of the server, with how to provoke it, in the target description: affordances: "
     "{tool.slow: {name: sleep, arguments: {seconds: 2}}}. `rpcspec inspect` lists those that "
     "are missing."},
};

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
  for (const Word& one : kWords)
    if (word == one.word || word == std::string(one.word) + "s")
      return fmt::format("{}\n\n{}", one.word, field("", one.meaning));
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
  for (const Word& one : kWords) out.emplace_back(one.word);
  for (const auto& [name, use] : affordances_in(library)) out.push_back(name);
  return out;
}

}  // namespace harness::cli
