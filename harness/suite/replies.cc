// SPDX-License-Identifier: Apache-2.0
// The "Replies" half of the grammar: outcomes and their grades; and what the harness itself
// replies.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "harness/match/table.h"
#include "harness/suite/checker.h"

namespace harness::suite {
namespace {

constexpr const char* kGrades[] = {"pass", "note", "warn", "fail"};

const std::vector<std::string>& named_outcomes() {
  static const std::vector<std::string> kNames = {"silence", "normal",    "alive", "exited",
                                                  "closed",  "any-reply", "late"};
  return kNames;
}

const std::vector<Field>& outcome_fields() {
  static const std::vector<Field> kFields = {{"silence", Type::kFlag},
                                             {"normal", Type::kFlag},
                                             {"alive", Type::kFlag},
                                             {"exited", Type::kFlag},
                                             {"closed", Type::kFlag},
                                             {"any-reply", Type::kFlag},
                                             {"late", Type::kFlag},
                                             {"is", Type::kText},
                                             {"result", Type::kPattern},
                                             {"error", Type::kPattern},
                                             {"message", Type::kPattern},
                                             {"separate", Type::kList},
                                             {"http"},
                                             {"body", Type::kPattern},
                                             {"all", Type::kList},
                                             {"status", Type::kPattern},
                                             {"id"},
                                             {"headers", Type::kMapping},
                                             {"when", Type::kMapping},
                                             {"breaks", Type::kText},
                                             {"because", Type::kText},
                                             {"skip_rest", Type::kFlag}};
  return kFields;
}

// Members that only qualify an outcome: with nothing else, everything would fit.
bool only_qualifies(std::string_view key) {
  return key == "when" || key == "breaks" || key == "because" || key == "body" ||
         key == "skip_rest";
}

bool is_grade(std::string_view key) {
  return std::any_of(std::begin(kGrades), std::end(kGrades),
                     [&](const char* grade) { return key == grade; });
}

void check_outcome(Checker& checker, const json::Value& outcome);

void check_name(Checker& checker, const json::Value& name) {
  std::vector<std::string> valid = named_outcomes();
  const auto& sets = checker.known().outcomes;
  valid.insert(valid.end(), sets.begin(), sets.end());
  if (name.text == "later") {
    checker.complain(name.mark, "'later' is not an outcome",
                     "it can only be the whole of a step's 'reply'");
    return;
  }
  if (std::find(valid.begin(), valid.end(), name.text) != valid.end()) return;
  checker.unknown(name.mark, "outcome", name.text, valid);
}

void check_status(Checker& checker, const json::Value& status) {
  if (status.is_array() && !status.items.empty()) {
    for (const auto& item : status.items) check_status(checker, item);
    return;
  }
  const auto& text = status.text;
  const bool sound =
      text.size() == 3 && text[0] >= '1' && text[0] <= '5' &&
      (text.substr(1) == "xx" || (std::isdigit(static_cast<unsigned char>(text[1])) != 0 &&
                                  std::isdigit(static_cast<unsigned char>(text[2])) != 0));
  if (sound || text == "none" || match::is_reference(status)) return;
  checker.complain(status.mark, "'http' must be a status", "write 400, 4xx, [400, 404] or none");
}

// What is more than the type of a member. `outcome` has passed its table of fields.
void check_members(Checker& checker, const json::Value& outcome) {
  for (const auto& [name, value, mark] : outcome.members) {
    const auto& named = named_outcomes();
    const bool is_flag =
        name == "skip_rest" || std::find(named.begin(), named.end(), name) != named.end();
    if (is_flag && !value.boolean) {
      checker.complain(value.mark, "'" + name + "' takes no value but true", "write true");
    }
    if (name == "is") check_name(checker, value);
    if (name == "http") check_status(checker, value);
    if (name == "when") checker.when(value);
    if (name == "breaks") checker.requirement_or_column(value);
    if (name == "id" && !(value.is_string() && value.text == "own")) checker.pattern(value);
    if (name == "body" && outcome.find("http") == nullptr) {
      checker.complain(mark, "'body' stands beside 'http' only", "add the status");
    }
    if (name == "headers") {
      for (const auto& header : value.members) checker.pattern(header.value);
    }
    if (name == "separate") {
      for (const auto& item : value.items) checker.pattern(item);
    }
    if (name == "all") {
      for (const auto& item : value.items) check_outcome(checker, item);
    }
    if ((name == "all" || name == "separate") && value.items.empty()) {
      checker.complain(mark, "'" + name + "' is empty");
    }
  }
}

void check_outcome(Checker& checker, const json::Value& outcome) {
  if (outcome.is_string()) {
    const auto values = checker.column_values(outcome);
    for (const auto* value : values) check_outcome(checker, *value);
    if (values.empty()) check_name(checker, outcome);
    return;
  }
  if (!outcome.is_object()) {
    checker.complain(outcome.mark, "an outcome is a name or a mapping",
                     "write silence, or {error: {code: -32600}}");
    return;
  }
  if (!checker.fields(outcome, "the outcome", outcome_fields())) return;
  if (std::all_of(outcome.members.begin(), outcome.members.end(),
                  [](const json::Member& member) { return only_qualifies(member.name); })) {
    checker.complain(outcome.mark, "the outcome does not say what fits",
                     "add silence: true, result, error, message, separate, http or all");
  }
  check_members(checker, outcome);
}

void check_answer(Checker& checker, const json::Value& answer, const std::string& method) {
  if (answer.is_string() && !match::is_reference(answer)) {
    checker.word(answer, "answer", {"none", "usual", "twice", "wrong-id", "late", "garbage"});
    return;
  }
  const auto values = checker.column_values(answer);
  for (const auto* value : values) check_answer(checker, *value, method);
  if (!values.empty()) return;
  if (!answer.is_object()) {
    checker.complain(answer.mark, "the answer to '" + method + "' cannot be read",
                     "write {result: …}, {error: {code: …, message: …}}, {accept: valid}, "
                     "{raw: text} or none");
    return;
  }
  if (const auto* kind = answer.find("accept")) {
    if (!checker.fields(answer, "the answer", {{"accept", Type::kText}, {"of", Type::kTexts}}))
      return;
    checker.word(*kind, "kind of content", {"valid", "minimal", "boundary", "broken"});
    if (method != "elicitation/create")
      checker.complain(kind->mark, "only elicitation/create is accepted", "write {result: …}");
    return;
  }
  if (!checker.fields(answer, "the answer", {{"result"}, {"error"}, {"raw", Type::kText}})) return;
  const bool raw = answer.find("raw") != nullptr;
  if (answer.members.empty() || (raw && answer.members.size() > 1)) {
    checker.complain(answer.mark, "an answer has a result or an error, or is raw",
                     "write {result: …}, {error: …} or {raw: text}");
  }
}

}  // namespace

void check_reply(Checker& checker, const json::Value& reply) {
  if (reply.is_string()) {
    const auto values = checker.column_values(reply);
    for (const auto* value : values) check_reply(checker, *value);
    if (values.empty()) check_name(checker, reply);
    return;
  }
  if (reply.is_array()) {
    if (reply.items.empty()) checker.complain(reply.mark, "the reply lists no outcome");
    for (const auto& outcome : reply.items) check_outcome(checker, outcome);
    return;
  }
  if (!reply.is_object() || std::none_of(reply.members.begin(), reply.members.end(),
                                         [](const json::Member& m) { return is_grade(m.name); })) {
    check_outcome(checker, reply);
    return;
  }
  if (!checker.fields(reply, "the reply", {{"pass"}, {"note"}, {"warn"}, {"fail"}})) return;
  for (const auto& [grade, outcomes, mark] : reply.members) {
    if (!outcomes.is_array()) {
      check_outcome(checker, outcomes);
      continue;
    }
    for (const auto& outcome : outcomes.items) check_outcome(checker, outcome);
  }
}

void check_answers(Checker& checker, const json::Value& answers) {
  for (const auto& member : answers.members) check_answer(checker, member.value, member.name);
}

}  // namespace harness::suite
