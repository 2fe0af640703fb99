// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/advice.h"

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/yaml.h"

namespace harness::spec {
namespace {

constexpr std::size_t kMostLines = 3;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string without_line_end(std::string text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text;
}

Result<Advice> read_entry(const json::Value& entry, const std::string& name) {
  Advice advice;
  const json::Value* cause = entry.find("cause");
  if (cause == nullptr || !cause->is_string() || without_line_end(cause->text).empty())
    return json::wrong_at(name, entry, "the entry has no cause", "add `cause: >` and a sentence");
  advice.cause = without_line_end(cause->text);
  for (std::size_t i = 0; i < kLanguages.size(); ++i) {
    const json::Value* text = entry.find(kLanguages[i].key);
    if (text == nullptr || !text->is_string())
      return json::wrong_at(name, entry, std::string("the entry has no `") + kLanguages[i].key + "`",
                "all four languages are needed");
    advice.lines[i] = lines_of(text->text);
    if (advice.lines[i].empty() || advice.lines[i].size() > kMostLines)
      return json::wrong_at(name, *text, std::string("`") + kLanguages[i].key + "` has not one to three lines");
  }
  for (const json::Member& member : entry.members) {
    const bool known =
        member.name == "clauses" || member.name == "cause" ||
        std::any_of(kLanguages.begin(), kLanguages.end(),
                    [&](const Language& language) { return member.name == language.key; });
    if (!known) return json::wrong_at(name, entry, "unknown key `" + printable(member.name) + "`");
  }
  return advice;
}

}  // namespace

Result<AdviceByClause> read_advice(const json::Value& root, const std::string& name,
                                   const Registry& registry) {
  AdviceByClause all;
  if (!root.is_array()) return json::wrong_at(name, root, "advice is a list of entries");
  for (const json::Value& entry : root.items) {
    if (!entry.is_object()) return json::wrong_at(name, entry, "an entry is a mapping");
    const json::Value* clauses = entry.find("clauses");
    if (clauses == nullptr || !clauses->is_array() || clauses->items.empty())
      return json::wrong_at(name, entry, "the entry names no clause", "add `clauses: [ID]`");
    const Result<Advice> advice = read_entry(entry, name);
    if (!advice) return advice.error();
    for (const json::Value& clause : clauses->items) {
      if (!clause.is_string() || registry.find(clause.text) == nullptr)
        return json::wrong_at(name, clause, "there is no requirement `" + printable(clause.text) + "`");
      if (!all.emplace(clause.text, *advice).second)
        return json::wrong_at(name, clause, "`" + clause.text + "` has advice already");
    }
  }
  return all;
}

}  // namespace harness::spec
