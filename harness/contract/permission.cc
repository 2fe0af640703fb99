// SPDX-License-Identifier: Apache-2.0
#include "harness/contract/permission.h"

#include <algorithm>
#include <set>

#include "harness/base/ascii.h"
#include "harness/base/embed.h"
#include "harness/base/text.h"
#include "harness/json/yaml.h"

RPCSPEC_EMBEDDED(method_words);

namespace harness::contract {
namespace {

struct Words {
  std::set<std::string, std::less<>> reads, changes;
};

const Words& known_words() {
  static const Words kWords = [] {
    Words out;
    const Result<json::Value> read =
        json::read_yaml(method_words(), "cases/contracts/method_words.yaml");
    if (!read) throw Bug(read.error().text());
    for (const json::Value& word : read->find("reads")->items) out.reads.insert(word.text);
    for (const json::Value& word : read->find("changes")->items) out.changes.insert(word.text);
    return out;
  }();
  return kWords;
}

// "eth_getBlockByNumber" → eth, get, block, by, number. Only what stands behind the last dot or
// slash: before it is the namespace.
std::vector<std::string> words_in(std::string_view name) {
  const auto cut = name.find_last_of("./:");
  if (cut != name.npos) name.remove_prefix(cut + 1);
  std::vector<std::string> out{""};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool word = ascii::is_alphanumeric(c);
    const bool begins = ascii::is_upper(c) && i > 0 && !ascii::is_upper(name[i - 1]);
    if ((!word || begins) && !out.back().empty()) out.emplace_back();
    if (word) out.back() += ascii::lower(std::string_view(&c, 1));
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

}  // namespace

Effect effect_of(std::string_view method) {
  const Words& known = known_words();
  const std::vector<std::string> words = words_in(method);
  const auto changes = [&](const std::string& word) { return known.changes.contains(word); };
  // With underscores the first word may be the namespace.
  for (std::size_t i = 0; i < words.size() && i < 2; ++i) {
    if (changes(words[i])) return Effect::kChanges;
    if (known.reads.contains(words[i])) return Effect::kReads;
  }
  return std::any_of(words.begin(), words.end(), changes) ? Effect::kChanges : Effect::kUnknown;
}

Permission permission_of(const Method& method, const std::vector<std::string>& allowed) {
  const Effect effect = effect_of(method.name);
  if (std::find(allowed.begin(), allowed.end(), method.name) != allowed.end())
    return {true, "the operator named it"};
  if (effect == Effect::kChanges) return {false, "its name says that it changes state"};
  if (std::find(allowed.begin(), allowed.end(), "any") != allowed.end())
    return {true, "the operator allows any"};
  const bool example = std::any_of(method.examples.begin(), method.examples.end(),
                                   [](const Pairing& one) { return one.sound(); });
  if (example) return {true, "it has an example"};
  if (effect == Effect::kUnknown)
    return {false, "it has no sound example, and its name does not say that it only reads"};
  for (const std::string& pattern : allowed)
    if (matches_glob(pattern, method.name)) return {true, "the operator allows " + pattern};
  return {false, "it has no sound example"};
}

}  // namespace harness::contract
