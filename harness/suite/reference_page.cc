// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/reference_page.h"

#include <algorithm>

namespace harness::suite {
namespace {

// How a kind is told to people. Kinds of words have theirs made.
constexpr struct {
  FieldKind kind;
  const char* words;
} kKinds[] = {
    {FieldKind::kText, "text"},
    {FieldKind::kScalar, "text"},
    {FieldKind::kTexts, "a list of texts"},
    {FieldKind::kList, "a list"},
    {FieldKind::kFlag, "true or false"},
    {FieldKind::kSwitch, "true or false"},
    {FieldKind::kTrue, "true"},
    {FieldKind::kInteger, "a whole number"},
    {FieldKind::kNumber, "a number"},
    {FieldKind::kIntegers, "a list of whole numbers"},
    {FieldKind::kPattern, "a matcher"},
    {FieldKind::kPieces, "text or pieces"},
    {FieldKind::kHeaders, "headers"},
    {FieldKind::kPointer, "a JSON Pointer"},
    {FieldKind::kStepName, "the name of a step"},
    {FieldKind::kStepNames, "names of steps"},
    {FieldKind::kSteps, "steps"},
    {FieldKind::kCall, "a call"},
    {FieldKind::kUntil, "a matcher or end"},
    {FieldKind::kAwaits, "names and replies"},
    {FieldKind::kAnswers, "methods and answers"},
    {FieldKind::kRequirement, "a clause"},
    {FieldKind::kOutcomeName, "a name"},
    {FieldKind::kOutcomes, "a list of outcomes"},
    {FieldKind::kStatuses, "a status or a list"},
    {FieldKind::kBody, "empty or a matcher"},
    {FieldKind::kId, "own or a matcher"},
    {FieldKind::kPatterns, "a list of matchers"},
    {FieldKind::kPatternsByName, "names and matchers"},
};

}  // namespace

std::string words_of(const FieldRow& field) {
  std::string out;
  for (std::size_t i = 0; i < field.words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == field.words.size() ? " or " : ", ") + field.words[i];
  if (!field.words.empty()) return out;
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& row) { return row.kind == field.kind; });
  return found == std::end(kKinds) ? "" : found->words;
}

bool takes_members(const ActionRow& action) { return !action.mapping && action.fields.size() > 1; }

std::string form_of(const ActionRow& action) {
  const std::string name = std::string(action.name) + ": ";
  if (takes_members(action)) return name + "text, pieces or {jsonrpc, id, method, params}";
  if (!action.mapping) {
    const std::string words = words_of(action.fields.front());
    return name + (words.empty() ? "a value" : words);
  }
  std::string members;
  for (const FieldRow& field : action.fields)
    members += (members.empty() ? "" : ", ") + std::string(field.name);
  return name + "{" + members + "}";
}

std::string summary_of(const ActionRow& action) {
  std::string help = action.help;
  const auto end = help.find(". ");
  if (end != std::string::npos) help.resize(end + 1);
  help.erase(std::remove(help.begin(), help.end(), '`'), help.end());
  return help;
}

}  // namespace harness::suite
