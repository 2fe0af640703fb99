// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/oracle/document_marks.h"
#include "harness/json/yaml.h"
#include "harness/spec/profile.h"

namespace harness::cli {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  constexpr std::size_t kShortest = 3;  // of a word that says something as a part of a name
  constexpr std::size_t kMost = 6;
  const bool begins = word.size() >= kShortest && word.find_first_of("./") != std::string::npos &&
                      std::any_of(known.begin(), known.end(), [&](const std::string& name) {
                        return name.starts_with(word);
                      });
  if (const std::string near = nearest(word, known); !near.empty() && !begins)
    return "did you mean `" + near + "`?";
  if (word.size() < kShortest) return otherwise;
  std::vector<std::string> parts;
  for (const std::string& name : known)
    if (parts.size() < kMost && name.find(word) != std::string::npos) parts.push_back(name);
  if (parts.empty()) return otherwise;
  if (parts.size() == 1) return "did you mean `" + parts.front() + "`?";
  return fmt::format("names that contain it: `{}`", fmt::join(parts, "`, `"));
}

std::string profile_remedy(const std::string& word) {
  std::vector<std::string> names{"auto"};
  for (const spec::Profile& profile : spec::profiles()) names.push_back(profile.name);
  const std::string remedy = did_you_mean(word, names, "");
  return remedy.empty() ? did_you_mean("mcp-" + word, names, "`rpcspec list profiles` names them")
                        : remedy;
}

std::string check_profile(std::string& word) {
  if (spec::find_profile("mcp-" + word) != nullptr) word = "mcp-" + word;
  if (word == "auto" || spec::find_profile(word) != nullptr) return "";
  return "there is no profile `" + printable(word, 60) + "`; " + profile_remedy(word);
}

Result<std::vector<std::string>> profiles_in(const std::string& words, const std::string& where) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from <= words.size();) {
    const std::size_t comma = std::min(words.find(',', from), words.size());
    std::string word = words.substr(from, comma - from);
    from = comma + 1;
    if (spec::find_profile("mcp-" + word) != nullptr) word = "mcp-" + word;
    const bool alone = word == "auto" || word == "all";
    if (!alone && spec::find_profile(word) == nullptr)
      return Error{where, "there is no profile `" + printable(word, 60) + "`",
                   profile_remedy(word)};
    if (alone && word != words)
      return Error{where, "`" + word + "` stands alone", "name the profiles, or write all"};
    if (std::find(out.begin(), out.end(), word) != out.end())
      return Error{where, "`" + word + "` is named twice", "name it once"};
    out.push_back(word);
  }
  return out;
}

std::string check_profiles(std::string& words) {
  const std::size_t at = std::min(words.find('@'), words.size());
  const Result<std::vector<std::string>> named = profiles_in(words.substr(0, at), "");
  if (!named) return named.error().text();
  words = fmt::format("{}", fmt::join(*named, ",")) + words.substr(at);
  return "";
}

Status check_affordances(const target::Target& target, const Library& library) {
  std::set<std::string> known = {"opening", "known_method"};
  for (const json::Member& fixture : library.suite.fixtures.members) known.insert(fixture.name);
  for (const suite::Case& scenario : library.suite.cases)
    for (const suite::Requires& gate : scenario.gates)
      if (gate.kind == "affordance") known.insert(gate.name);
  for (const json::Member& own : target.affordances.members) {
    if (known.contains(own.name)) continue;
    const std::string near = nearest(own.name, {known.begin(), known.end()});
    if (!near.empty())
      return Error{json::place(target.file, own.mark),
                   "no case uses the affordance `" + printable(own.name) + "`",
                   "did you mean `" + near + "`?"};
  }
  if (const json::Value* document = target.affordances.find("document")) {
    json::Value copy = *document;
    if (const Status complete = oracle::complete_document(target.file, copy); !complete)
      return complete.error();
  }
  return Nothing{};
}

}  // namespace harness::cli
