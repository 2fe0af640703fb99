// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/own_clauses.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/write.h"

namespace harness::suite {

std::string own_clause_id(const json::Value& clause, const std::string& path) {
  const json::Value* id = clause.find("id");
  if (id && id->is_string() && !id->text.empty()) return id->text;
  std::string name = path;
  for (char& c : name)
    if (!ascii::is_alphanumeric(c) && c != '-' && c != '_') c = '.';
  name.erase(0, std::min(name.find_first_not_of('.'), name.size()));
  return "own." + name;
}

Status add_own_clauses(const std::vector<SourceFile>& files, spec::Registry& registry) {
  const auto text = [](const json::Value& clause, const char* name) {
    const json::Value* member = clause.find(name);
    return member && member->is_string() ? member->text : std::string();
  };
  for (const SourceFile& file : files) {
    const Result<std::vector<CaseText>> cases = cases_of(file);
    if (!cases) continue;
    for (const CaseText& one : *cases) {
      const json::Value* clause = one.said.is_object() ? one.said.find("clause") : nullptr;
      if (clause == nullptr || !clause->is_object()) continue;
      const std::string level = text(*clause, "level"), statement = text(*clause, "statement");
      const std::string source = text(*clause, "source");
      const Status added = registry.add(
          fmt::format("- id: {}\n  level: {}\n  revisions: [\"jsonrpc-2.0\"]\n  transports: [all]\n"
                      "  requires: []\n  statement: {}\n  source: {}\n  observable: \"yes\"\n"
                      "  probe: \"\"\n",
                      own_clause_id(*clause, one.path), level.empty() ? "MUST" : level,
                      json::quoted(statement), json::quoted(source.empty() ? file.name : source)),
          file.name);
      // A level that is none is told with its place when the case is read.
      if (!added && registry.find(own_clause_id(*clause, one.path)) != nullptr) return added;
    }
  }
  return Nothing{};
}

}  // namespace harness::suite
