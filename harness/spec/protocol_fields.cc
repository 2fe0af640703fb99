// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/protocol_fields.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/json/yaml.h"

namespace harness::spec {

using json::Value;

void RowFields::refuse(const json::Mark& mark, std::string what, std::string remedy) const {
  throw ProtocolMistake{{json::place(file_, mark), std::move(what), std::move(remedy)}};
}
void RowFields::unknown_field(const json::Member& field,
                              const std::vector<std::string>& known) const {
  refuse(field.mark, "there is no field '" + field.name + "' here", suggestion(field.name, known));
}

std::string RowFields::text(const json::Member& field) const {
  if (!field.value.is_string() || field.value.text.empty())
    refuse(field.mark, "'" + field.name + "' is a word", "write it without brackets");
  return field.value.text;
}

Clauses RowFields::clauses(const json::Member& field) const {
  Clauses out;
  if (field.value.is_string()) return {field.value.text};
  if (!field.value.is_array()) {
    refuse(field.mark, "'" + field.name + "' is a clause or a list of clauses",
           "write \"" + field.name + ": [mcp.tools.name-string]\"");
  }
  for (const Value& one : field.value.items) {
    if (!one.is_string()) refuse(one, "a clause is a word", "write the id of a requirement");
    out.push_back(one.text);
  }
  return out;
}

std::string RowFields::revision(const json::Member& field) const {
  const std::string date = text(field);
  if (date.size() != 10 || date[4] != '-' || date[7] != '-')
    refuse(field.value, "'" + date + "' is no revision", "write a date like 2025-06-18");
  return date;
}

bool RowFields::reach(const json::Member& field, Reach& out) const {
  if (field.name == "since")
    out.since = revision(field);
  else if (field.name == "until")
    out.until = revision(field);
  else if (field.name == "dialect")
    dialect(field, out);
  else
    return false;
  return true;
}

void RowFields::dialect(const json::Member& field, Reach& out) const {
  const std::string word = text(field);
  constexpr std::pair<std::string_view, Reach::Dialect> kDialects[] = {
      {"mcp", Reach::Dialect::kMcp},
      {"tutorial", Reach::Dialect::kTutorial},
      {"lsp", Reach::Dialect::kLsp},
      {"acp", Reach::Dialect::kAcp},
      {"contract", Reach::Dialect::kContract}};
  const auto* found = std::find_if(std::begin(kDialects), std::end(kDialects),
                                   [&](const auto& one) { return one.first == word; });
  if (found == std::end(kDialects))
    refuse(field.value, "there is no dialect '" + word + "'",
           "write mcp, tutorial, lsp, acp or contract");
  out.dialect = found->second;
}

bool RowFields::flag(const json::Member& field) const {
  if (!field.value.is_boolean())
    refuse(field.value, "'" + field.name + "' is true or false", "write true, or leave it out");
  return field.value.boolean;
}

std::vector<Named> RowFields::named(const json::Member& field) const {
  std::vector<Named> out;
  const auto one = [&](const Value& value) {
    Named word;
    if (value.is_string()) word.text = value.text;
    for (const json::Member& part : value.members)
      if (part.name == "is")
        word.text = text(part);
      else if (!reach(part, word.reach))
        unknown_field(part, {"is", "since", "until", "dialect"});
    if (word.text.empty()) refuse(value, "a word is missing", "write \"{is: WORD, since: …}\"");
    out.push_back(std::move(word));
  };
  if (field.value.is_array())
    for (const Value& value : field.value.items) one(value);
  else
    one(field.value);
  return out;
}

AtMost RowFields::at_most(const json::Member& field) const {
  const std::string word = text(field);
  if (word == "warn") return AtMost::kWarn;
  if (word == "info") return AtMost::kInfo;
  refuse(field.value, "'at_most' is warn or info", "leave it out where a breach may fail");
}

}  // namespace harness::spec
