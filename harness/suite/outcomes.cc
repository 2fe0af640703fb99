// SPDX-License-Identifier: Apache-2.0
// The "Replies" half of the grammar: outcomes and their grades; and what the harness itself
// replies.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "harness/json/write.h"
#include "harness/match/table.h"
#include "harness/suite/step_reader.h"

namespace harness::suite {
namespace {

using K = FieldKind;

constexpr std::pair<const char*, OutcomeWord> kWords[] = {
    {"silence", OutcomeWord::kSilence}, {"normal", OutcomeWord::kNormal},
    {"alive", OutcomeWord::kAlive},     {"exited", OutcomeWord::kExited},
    {"closed", OutcomeWord::kClosed},   {"any-reply", OutcomeWord::kAnyReply},
    {"late", OutcomeWord::kLate},       {"late-unasked", OutcomeWord::kLateUnasked},
};

OutcomeName name_of(const std::string& text) {
  for (const auto& [name, word] : kWords)
    if (text == name) return word;
  return text;
}

Outcome& outcome_in(void* record) { return *static_cast<Outcome*>(record); }

void check_name(Checker& checker, const json::Value& name) {
  std::vector<std::string> valid;
  for (const auto& word : kWords) valid.emplace_back(word.first);
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

// --- the table

Outcome read_outcome(Checker& checker, const json::Value& value);

template <OutcomeWord kWord>
FieldRow word(const char* help) {
  const auto read = [](StepReader& reader, const FieldRow& row, const json::Value& value,
                       void* record) {
    reader.allows(row, value);
    outcome_in(record).names.push_back(kWord);
  };
  return {kWords[static_cast<int>(kWord)].first, K::kTrue, false, help, {}, read};
}

void read_name(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  if (!reader.checker().type(value, "'is'", Type::kText)) return;
  check_name(reader.checker(), value);
  outcome_in(record).names.push_back(name_of(value.text));
}

void read_separate(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  if (!reader.checker().type(value, "'separate'", Type::kList)) return;
  for (const json::Value& item : value.items) reader.checker().pattern(item);
  outcome_in(record).separate = value.items;
}

void read_statuses(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  check_status(reader.checker(), value);
  reader.store(value, outcome_in(record).http);
}

void read_body(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  reader.checker().pattern(value);
  auto& body = outcome_in(record).body;
  value.is_string() && value.text == "empty" ? body.emplace(NoBody{}) : body.emplace(value);
}

void read_id(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  auto& id = outcome_in(record).id;
  if (value.is_string() && value.text == "own") {
    id.emplace(OwnId{});
  } else {
    reader.checker().pattern(value);
    id.emplace(value);
  }
}

void read_headers(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  if (!reader.checker().type(value, "'headers'", Type::kMapping)) return;
  for (const json::Member& header : value.members) {
    reader.checker().pattern(header.value);
    outcome_in(record).headers.push_back({header.name, header.value});
  }
}

void read_all(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  if (!reader.checker().type(value, "'all'", Type::kList)) return;
  for (const json::Value& item : value.items)
    outcome_in(record).all.push_back(read_outcome(reader.checker(), item));
}

void read_when(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  reader.checker().when(value);
  outcome_in(record).when = when_of(value);
}

void read_breaks(StepReader& reader, const FieldRow&, const json::Value& value, void* record) {
  if (!reader.checker().type(value, "'breaks'", Type::kText)) return;
  reader.checker().requirement_or_column(value);
  outcome_in(record).breaks = value.text;
}

void read_skip_rest(StepReader& reader, const FieldRow& row, const json::Value& value,
                    void* record) {
  reader.allows(row, value);
  outcome_in(record).skip_rest = true;
}

// Members that only qualify an outcome: with nothing else, everything would fit.
bool only_qualifies(std::string_view key) {
  return key == "when" || key == "breaks" || key == "because" || key == "body" ||
         key == "skip_rest";
}

// What no row says. `outcome` is a mapping.
void settle(Checker& checker, const json::Value& outcome) {
  if (std::all_of(outcome.members.begin(), outcome.members.end(),
                  [](const json::Member& member) { return only_qualifies(member.name); })) {
    checker.complain(outcome.mark, "the outcome does not say what it matches",
                     "add silence: true, result, error, message, separate, http or all");
  }
  for (const auto& [name, value, mark] : outcome.members) {
    if (name == "body" && outcome.find("http") == nullptr)
      checker.complain(mark, "'body' needs 'http'", "add the status");
    if ((name == "all" || name == "separate") && value.is_array() && value.items.empty())
      checker.complain(mark, "'" + name + "' is empty");
  }
}

// What a column has in each row, read by `read`; null where it is no reference to a column.
template <class Rows = ByRow, class F>
std::shared_ptr<const Rows> by_row(Checker& checker, const json::Value& reference, F&& read) {
  const auto values = checker.column_values(reference);
  if (values.empty()) return nullptr;
  auto out = std::make_shared<Rows>();
  out->column = references_in(reference.text)->front().path.front();
  for (const json::Value* value : values) out->of.emplace(json::write(*value), read(*value));
  return out;
}

Outcome read_outcome(Checker& checker, const json::Value& value) {
  Outcome out;
  if (value.is_string()) {
    out.by_row = by_row(checker, value,
                        [&](const json::Value& one) { return only(read_outcome(checker, one)); });
    if (out.by_row) return out;
    check_name(checker, value);
    return outcome_of(name_of(value.text));
  }
  if (!value.is_object()) {
    checker.complain(value.mark, "an outcome must be a name or a mapping",
                     "write silence, or {error: {code: -32600}}");
    return out;
  }
  if (StepReader(checker, {}).mapping(value, "the outcome", outcome_fields(), &out))
    settle(checker, value);
  std::sort(out.names.begin(), out.names.end());
  return out;
}

std::vector<Outcome> read_list(Checker& checker, const json::Value& value) {
  std::vector<Outcome> out;
  if (!value.is_array()) out.push_back(read_outcome(checker, value));
  for (const json::Value& one : value.items) out.push_back(read_outcome(checker, one));
  return out;
}

// --- answers

Answer read_answer(Checker& checker, const json::Value& answer, const std::string& method) {
  if (answer.is_string() && !match::is_reference(answer)) {
    std::vector<std::string> words;
    for (const AnswerWordRow& one : answer_words()) {
      words.emplace_back(one.name);
      if (answer.text == one.name) return one.word;
    }
    checker.word(answer, "answer", words);
    return {};
  }
  auto rows = by_row<AnswerByRow>(
      checker, answer, [&](const json::Value& one) { return read_answer(checker, one, method); });
  if (rows) return rows;
  if (!answer.is_object()) {
    checker.complain(answer.mark, "the answer to '" + method + "' cannot be read",
                     "write {result: …}, {error: {code: …, message: …}}, {accept: valid}, "
                     "{raw: text} or none");
    return {};
  }
  if (const json::Value* accept = answer.find("accept")) {
    FormAnswer form;
    if (StepReader(checker, {}).mapping(answer, "the answer", accept_fields(), &form) &&
        method != "elicitation/create")
      checker.complain(accept->mark, "only elicitation/create is accepted", "write {result: …}");
    return form;
  }
  OwnAnswer own;
  if (!StepReader(checker, {}).mapping(answer, "the answer", answer_fields(), &own)) return own;
  if (answer.members.empty() || (own.raw && answer.members.size() > 1)) {
    checker.complain(answer.mark, "an answer must have a result or an error, or be raw",
                     "write {result: …}, {error: …} or {raw: text}");
  }
  return own;
}

}  // namespace

Outcomes read_outcomes(Checker& checker, const json::Value& reply) {
  Outcomes out;
  if (reply.is_string()) {
    out.by_row =
        by_row(checker, reply, [&](const json::Value& one) { return read_outcomes(checker, one); });
    if (out.by_row) return out;
    out.pass.push_back(read_outcome(checker, reply));
    if (const auto* set = std::get_if<std::string>(&out.pass.front().names.front())) out.set = *set;
    return out;
  }
  const std::pair<const char*, std::vector<Outcome>*> grades[] = {
      {"pass", &out.pass}, {"note", &out.note}, {"warn", &out.warn}, {"fail", &out.fail}};
  const bool graded = std::any_of(std::begin(grades), std::end(grades), [&](const auto& grade) {
    return reply.find(grade.first) != nullptr;
  });
  if (!graded) {
    if (reply.is_array() && reply.items.empty())
      checker.complain(reply.mark, "the reply lists no outcome");
    out.pass = read_list(checker, reply);
    return out;
  }
  checker.fields(reply, "the reply", {{"pass"}, {"note"}, {"warn"}, {"fail"}});
  for (const auto& [grade, list] : grades)
    if (const json::Value* outcomes = reply.find(grade)) *list = read_list(checker, *outcomes);
  return out;
}

const std::vector<FieldRow>& outcome_fields() {
  static const std::vector<FieldRow> kFields = {
      word<OutcomeWord::kSilence>(
          "no reply, although the canary was answered (HTTP: the exchange ended without a "
          "message)"),
      word<OutcomeWord::kNormal>("the reply the canary normally gets"),
      word<OutcomeWord::kAlive>("the process still runs"),
      word<OutcomeWord::kExited>("the process ended"),
      word<OutcomeWord::kClosed>("the connection was closed (HTTP: that of this exchange)"),
      word<OutcomeWord::kAnyReply>("any one response object"),
      word<OutcomeWord::kLate>(
          "no reply before the timeout, while the target still runs. Only where rpcspec waits that "
          "long: for a tool, a resource or a prompt whose result passes, for replies that are "
          "awaited together or later, beside `within` in a valid request, and over HTTP. Of "
          "anything else a missing reply is `silence`"),
      word<OutcomeWord::kLateUnasked>(
          "`late`, and the server sent no request of its own meanwhile"),
      {"is",
       K::kOutcomeName,
       false,
       "one of the words above, or a set of `cases/outcomes.yaml`",
       {},
       read_name},
      field<&Outcome::result>("result", K::kPattern, "a result that matches"),
      field<&Outcome::error>("error", K::kPattern, "an error that matches"),
      field<&Outcome::message>("message", K::kPattern,
                               "the whole message matches (for batches: an array)"),
      {"separate",
       K::kPatterns,
       false,
       "several messages, matching these in any order",
       {},
       read_separate},
      {"http",
       K::kStatuses,
       false,
       "HTTP status: `400`, `4xx`, `none` (nothing came); alone, with any body. HTTP+SSE: the "
       "POST of a message was refused; for an accepted one the stream has the reply",
       {},
       read_statuses},
      {"body",
       K::kBody,
       false,
       "with `http`: nothing but the head came, or the body matches",
       {},
       read_body},
      {"all", K::kOutcomes, false, "all of these fit", {}, read_all},
      field<&Outcome::status>(
          "status", K::kPattern,
          "beside `exited`: how it ended (`exit 0`, `signal 9`); beside `closed`: `close 1007`, "
          "`eof`, `reset`. If rpcspec did not start the process, a step that passes in this way "
          "ends the row, and a new connection must be served"),
      {"id",
       K::kId,
       false,
       "the id of the reply; `own`: the readable id of the frame. Without it, a reply to a frame "
       "with a readable id must carry that id; an error for something that is not a valid "
       "request may carry null or no id",
       {},
       read_id},
      {"headers",
       K::kPatternsByName,
       false,
       "of the HTTP response; `:version` is 1.0 where HTTP/1.0 ends the connection",
       {},
       read_headers},
      {"when",
       K::kWhenOfOutcome,
       false,
       "`{profiles: […], transports: […]}`: matches nowhere else",
       {},
       read_when},
      {"breaks", K::kRequirement, false, "cited if this is the outcome", {}, read_breaks},
      field<&Outcome::because>("because", K::kText, "why, for the report"),
      {"skip_rest",
       K::kTrue,
       false,
       "the row ends here; a case of which no row was completed is not_applicable",
       {},
       read_skip_rest},
  };
  return kFields;
}

const std::vector<AnswerWordRow>& answer_words() {
  static const std::vector<AnswerWordRow> kWords = {
      {"usual", AnswerWord::kUsual, "the default answer"},
      {"none", AnswerWord::kNone, "no answer"},
      {"twice", AnswerWord::kTwice, "the default answer, twice"},
      {"wrong-id", AnswerWord::kWrongId, "the default answer with an id that was not requested"},
      {"late", AnswerWord::kLate, "the default answer, after the next message of the server"},
      {"garbage", AnswerWord::kGarbage, "text that is not JSON instead of it"},
  };
  return kWords;
}

const std::vector<FieldRow>& answer_fields() {
  static const std::vector<FieldRow> kFields = {
      field<&OwnAnswer::result>("result", K::kAny, "the result of the answer"),
      field<&OwnAnswer::error>("error", K::kAny, "its error; an answer may have both"),
      field<&OwnAnswer::raw>("raw", K::kText, "alone: this text instead of a message"),
  };
  return kFields;
}

const std::vector<FieldRow>& accept_fields() {
  static const std::vector<FieldRow> kFields = {
      field<&FormAnswer::accept>(
          "accept", K::kWord,
          "of `elicitation/create`: fills in a form as `for_each` makes arguments, and accepts a "
          "page; the row ends if the form allows no such content",
          true, {"valid", "minimal", "boundary", "broken"}),
      field<&FormAnswer::of>("of", K::kTexts, "with `accept`: for these keywords"),
  };
  return kFields;
}

Answers read_answers(Checker& checker, const json::Value& answers) {
  Answers out;
  for (const auto& [method, answer, mark] : answers.members)
    out.insert_or_assign(method, read_answer(checker, answer, method));
  return out;
}

}  // namespace harness::suite
