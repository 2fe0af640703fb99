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

struct Lists {
  std::set<std::string, std::less<>> reads, changes;
};

const Lists& lists() {
  static const Lists kLists = [] {
    const Result<json::Value> read = json::read_yaml(method_words(), "method_words.yaml");
    check(static_cast<bool>(read), "cases/method_words.yaml is not YAML");
    Lists out;
    for (const json::Value& word : read->find("reads")->items) out.reads.insert(word.text);
    for (const json::Value& word : read->find("changes")->items) out.changes.insert(word.text);
    return out;
  }();
  return kLists;
}

Effect effect_of_word(std::string_view word) {
  const std::string lower = ascii::lower(word);
  if (lists().changes.contains(lower)) return Effect::kChanges;
  return lists().reads.contains(lower) ? Effect::kReads : Effect::kUnsaid;
}

// "get" of "getBlockByNumber" and of "get_account".
std::string_view first_word(std::string_view name) {
  std::size_t end = 0;
  while (end < name.size() && ascii::is_alphanumeric(name[end]) &&
         !(end > 0 && ascii::is_upper(name[end]) && !ascii::is_upper(name[end - 1])))
    ++end;
  return name.substr(0, end);
}

// Behind the last dot, slash or colon; behind the first _ where what stands before it is no word of
// ours.
std::string_view without_namespace(std::string_view name) {
  const std::size_t mark = name.find_last_of("./:");
  if (mark != std::string_view::npos && mark + 1 < name.size()) name.remove_prefix(mark + 1);
  const std::size_t underscore = name.find('_');
  if (underscore != std::string_view::npos && underscore + 1 < name.size() &&
      effect_of_word(first_word(name)) == Effect::kUnsaid &&
      effect_of_word(first_word(name.substr(underscore + 1))) != Effect::kUnsaid)
    name.remove_prefix(underscore + 1);
  return name;
}

}  // namespace

Effect effect_of(std::string_view method) {
  return effect_of_word(first_word(without_namespace(method)));
}

Standing standing_of(std::string_view method, bool has_example, const Words& words) {
  Standing out;
  out.effect = effect_of(method);
  const auto given = [&](std::string why) {
    out.called = true;
    out.why = std::move(why);
    return out;
  };
  if (std::find(words.begin(), words.end(), method) != words.end()) return given("name");
  if (out.effect == Effect::kChanges) {
    out.why = "its name says that it changes something";
    return out;
  }
  if (has_example) return given("example");
  if (std::find(words.begin(), words.end(), "any") != words.end()) return given("any");
  const bool matches = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.find('*') != std::string::npos &&
           (matches_glob(word, method) || matches_glob(word, without_namespace(method)));
  });
  if (matches && out.effect == Effect::kReads) return given("pattern");
  out.why = "the document has no sound example of it";
  return out;
}

}  // namespace harness::contract
