// SPDX-License-Identifier: Apache-2.0
// cases/GRAMMAR.md and cases/case.schema.json say what the table of actions says.
#include "harness/suite/reference_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/file.h"
#include "harness/base/result.h"
#include "harness/base/test_folders.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/suite/check.h"
#include "harness/suite/testing.h"

namespace harness::suite {
namespace {

constexpr std::size_t kColumns = 100;

// The JSON schema of a kind. Kinds of words have theirs made.
constexpr struct {
  FieldKind kind;
  const char* schema;
} kSchemas[] = {
    {FieldKind::kAny, "{}"},
    {FieldKind::kText, R"({"type":"string"})"},
    {FieldKind::kScalar, R"({"$ref":"#/$defs/scalar"})"},
    {FieldKind::kTexts, R"({"type":"array","items":{"type":"string"}})"},
    {FieldKind::kList, R"({"type":"array"})"},
    {FieldKind::kFlag, R"({"$ref":"#/$defs/flag"})"},
    {FieldKind::kSwitch, R"({"type":"boolean"})"},
    {FieldKind::kTrue, R"({"const":true})"},
    {FieldKind::kInteger, R"({"$ref":"#/$defs/number"})"},
    {FieldKind::kNumber, R"({"$ref":"#/$defs/number"})"},
    {FieldKind::kIntegers, R"({"type":"array","items":{"$ref":"#/$defs/number"}})"},
    {FieldKind::kPattern, R"({"$ref":"#/$defs/pattern"})"},
    {FieldKind::kPieces, R"({"$ref":"#/$defs/pieces"})"},
    {FieldKind::kHeaders, R"({"$ref":"#/$defs/headers"})"},
    {FieldKind::kMeta, R"({"$ref":"#/$defs/meta"})"},
    {FieldKind::kPointer, R"({"anyOf":[{"$ref":"#/$defs/pointer"},{"$ref":"#/$defs/reference"}]})"},
    {FieldKind::kStepName, R"({"type":"string"})"},
    {FieldKind::kStepNames,
     R"({"anyOf":[{"type":"string"},{"type":"array","minItems":1,"items":{"type":"string"}}]})"},
    {FieldKind::kSteps, R"({"type":"array","minItems":1,"items":{"$ref":"#/$defs/step"}})"},
    {FieldKind::kCall, R"({"$ref":"#/$defs/step/properties/call"})"},
    {FieldKind::kUntil, R"({"anyOf":[{"const":"end"},{"$ref":"#/$defs/pattern"}]})"},
    {FieldKind::kAwaits,
     R"({"type":"object","minProperties":1,"additionalProperties":{"$ref":"#/$defs/reply"}})"},
    {FieldKind::kReply, R"({"$ref":"#/$defs/reply"})"},
    {FieldKind::kWrite, R"({"$ref":"#/$defs/write"})"},
    {FieldKind::kCaptures,
     R"({"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/pointer"},)"
     R"({"type":"object","required":["header"],"additionalProperties":false,)"
     R"("properties":{"header":{"type":"string"}}}]}})"},
    {FieldKind::kAnswers, R"({"$ref":"#/properties/answers"})"},
    {FieldKind::kWhen, R"({"$ref":"#/$defs/when_of_step"})"},
    {FieldKind::kEach,
     R"({"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":)"
     R"({"anyOf":[{"type":"array"},{"$ref":"#/$defs/reference"}]}})"},
    {FieldKind::kRequirement, R"({"$ref":"#/$defs/requirement"})"},
    {FieldKind::kOutcomeName, R"({"type":"string"})"},
    {FieldKind::kOutcomes, R"({"type":"array","minItems":1,"items":{"$ref":"#/$defs/outcome"}})"},
    {FieldKind::kStatuses, R"({"anyOf":[{"$ref":"#/$defs/status"},)"
                           R"({"type":"array","minItems":1,"items":{"$ref":"#/$defs/status"}}]})"},
    {FieldKind::kBody, R"({"$ref":"#/$defs/pattern"})"},
    {FieldKind::kId, R"({"$ref":"#/$defs/pattern"})"},
    {FieldKind::kPatterns, R"({"type":"array","minItems":1,"items":{"$ref":"#/$defs/pattern"}})"},
    {FieldKind::kPatternsByName, R"({"type":"object"})"},
    {FieldKind::kWhenOfOutcome, R"({"$ref":"#/$defs/when"})"},
};

const char* schema_of(FieldKind kind) {
  const auto* found = std::find_if(std::begin(kSchemas), std::end(kSchemas),
                                   [&](const auto& row) { return row.kind == kind; });
  check(found != std::end(kSchemas), "each kind has a schema");
  return found->schema;
}

// --- Markdown

// Words, where what stands between backticks is one word.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words(1);
  bool code = false;
  for (const char c : text) {
    code ^= c == '`';
    if (c == ' ' && !code)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

// Lines of at most kColumns; those behind the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent = "") {
  std::string out, line;
  for (const std::string& word : split(text)) {
    if (!line.empty() && line != indent && line.size() + 1 + word.size() > kColumns) {
      out += line + '\n';
      line = indent;
    }
    line += (line.empty() || line == indent ? "" : " ") + word;
  }
  return out + line + '\n';
}

std::string field_line(const FieldRow& field) {
  std::string aside = words_of(field);
  if (field.required) aside += aside.empty() ? "required" : ", required";
  std::string line = "- `" + std::string(field.name) + '`';
  if (!aside.empty()) line += " (" + aside + ")";
  if (*field.help) line += std::string(": ") + field.help;
  return wrapped(line, "  ");
}

const char* place_of(On on) {
  switch (on) {
    case On::kAll:
    case On::kConnections: return "";
    case On::kStdio: return " (stdio)";
    case On::kHttp: return " (HTTP)";
    case On::kWebsocket: return " (WebSocket)";
  }
  return "";
}

const char* title_of(Topic topic) {
  switch (topic) {
    case Topic::kMessage: return "What is sent";
    case Topic::kConnection: return "Connections and processes";
    case Topic::kObservation: return "What is looked at";
  }
  return "";
}

std::string action_section(const ActionRow& action) {
  std::string out = fmt::format("#### `{}`{}\n\n", form_of(action), place_of(action.on));
  out += wrapped(action.help) + '\n';
  if (action.mapping || takes_members(action)) {
    for (const FieldRow& field : action.fields) out += field_line(field);
    out += '\n';
  }
  std::string beside;
  for (const ExtraRow& extra : extras())
    if (extra.beside & action.beside)
      beside += fmt::format("{}`{}`", beside.empty() ? "" : ", ", extra.field.name);
  if (!beside.empty()) out += wrapped("Beside it: " + beside + ".") + '\n';
  return out + "```yaml\n" + action.example + "```\n\n";
}

// --- JSON schema

std::string schema_of(const FieldRow& field) {
  if (field.words.empty()) return schema_of(field.kind);
  json::Value words = json::array();
  for (const std::string& word : field.words) words.items.push_back(json::string(word));
  const std::string one_of = "{\"enum\":" + json::write(words) + "}";
  return field.kind == FieldKind::kWord
             ? one_of
             : "{\"anyOf\":[" + one_of + R"(,{"$ref":"#/$defs/reference"}]})";
}

json::Value schema_of(const std::vector<FieldRow>& fields) {
  json::Value properties = json::object();
  json::Value required = json::array();
  for (const FieldRow& field : fields) {
    properties.set(field.name, json::parse(schema_of(field)));
    if (field.required) required.items.push_back(json::string(field.name));
  }
  json::Value schema = json::object({{"type", json::string("object")}});
  // What has a shorter spelling requires one of the two.
  const bool has_tool = properties.find("tool") != nullptr;
  if (has_tool)
    schema.set("oneOf", json::parse(R"([{"required":["method"]},{"required":["tool"]}])"));
  else if (!required.items.empty())
    schema.set("required", std::move(required));
  schema.set("additionalProperties", json::boolean(false));
  schema.set("properties", std::move(properties));
  return schema;
}

// Text, pieces, or a mapping of the members that are not the usual ones; null leaves one out.
json::Value schema_of_frame() {
  const json::Value pieces = json::parse(schema_of(FieldKind::kPieces));
  const json::Value none = json::parse(R"({"type":"null"})");
  json::Value members = schema_of(frame_fields());
  json::Value properties = json::object();
  for (const FieldRow& field : frame_fields())
    properties.set(field.name, json::object({{"anyOf", json::array({none, pieces})}}));
  members.set("properties", std::move(properties));
  return json::object({{"anyOf", json::array({pieces, std::move(members)})}});
}

json::Value schema_of(const ActionRow& action) {
  json::Value schema = takes_members(action) ? schema_of_frame()
                       : action.mapping      ? schema_of(action.fields)
                                             : json::parse(schema_of(action.fields.front()));
  schema.set("description", json::string(summary_of(action)));
  return schema;
}

// A member a line, so many levels deep: short enough to read in a diff.
std::string members_of(const json::Value& object, int indent, int levels) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  std::string out;
  for (std::size_t i = 0; i < object.members.size(); ++i) {
    const auto& [name, value, mark] = object.members[i];
    const bool deeper = levels > 0 && value.is_object() && json::write(value).size() > kColumns;
    out += space + json::write(json::string(name)) + ": ";
    if (deeper)
      out += "{\n" + members_of(value, indent + 2, levels - 1) + space + "}";
    else
      out += json::write(value);
    out += i + 1 < object.members.size() ? ",\n" : "\n";
  }
  return out;
}

std::string actions_page() {
  std::string out;
  for (const Topic topic : {Topic::kMessage, Topic::kConnection, Topic::kObservation}) {
    out += fmt::format("### {}\n\n", title_of(topic));
    for (const ActionRow& action : actions())
      if (action.topic == topic) out += action_section(action);
  }
  out += "### Beside an action\n\n";
  for (const ExtraRow& extra : extras()) out += field_line(extra.field);
  out += "\n#### `write`\n\n";
  for (const FieldRow& field : write_fields()) out += field_line(field);
  out += "\n#### A piece `{ws: …}`: one WebSocket frame, lawful or not\n\n";
  for (const FieldRow& field : websocket_fields()) out += field_line(field);
  return out;
}

std::string outcomes_page() {
  std::string words, members;
  bool is_word = true;  // they come first
  for (const FieldRow& field : outcome_fields()) {
    is_word &= field.kind == FieldKind::kTrue;
    if (is_word)
      words += wrapped(fmt::format("- `{}`: {}", field.name, field.help), "  ");
    else
      members += field_line(field);
  }
  return "An outcome is a word, or the name of a set of `cases/outcomes.yaml` such as "
         "`parse-error`:\n\n" +
         words + "\n" +
         wrapped(
             "Or it is a mapping, all of which must match (`{http: 400, error: {code: -32600}}`). "
             "In it, a word is written as `{silence: true}`:") +
         "\n" + members;
}

std::string answers_page() {
  std::string out = "What `answers` sends in reply to a request is a word:\n\n";
  for (const AnswerWordRow& word : answer_words())
    out += wrapped(fmt::format("- `{}`: {}", word.name, word.help), "  ");
  out += "\nOr it is a mapping, in which `${request.id}` is the id to answer:\n\n";
  for (const auto* fields : {&answer_fields(), &accept_fields()})
    for (const FieldRow& field : *fields) out += field_line(field);
  return out;
}

// A word, a reference, or one of the two kinds of mappings.
json::Value schema_of_answer() {
  json::Value words = json::array();
  for (const AnswerWordRow& word : answer_words()) words.items.push_back(json::string(word.name));
  json::Value answer = schema_of(answer_fields());
  answer.set("minProperties", json::number(1));
  return json::object({{"anyOf", json::array({json::object({{"enum", std::move(words)}}),
                                              json::parse(R"({"$ref":"#/$defs/reference"})"),
                                              std::move(answer), schema_of(accept_fields())})}});
}

std::string steps_schema() {
  json::Value step = json::object({{"type", json::string("object")}});
  step.set("additionalProperties", json::boolean(false));
  json::Value one_of = json::array();
  json::Value properties = json::object();
  for (const ActionRow& action : actions()) {
    one_of.items.push_back(json::object({{"required", json::array({json::string(action.name)})}}));
    properties.set(action.name, schema_of(action));
  }
  for (const ExtraRow& extra : extras())
    properties.set(extra.field.name, json::parse(schema_of(extra.field)));
  step.set("oneOf", std::move(one_of));
  step.set("properties", std::move(properties));
  json::Value members_of_outcome = schema_of(outcome_fields());
  members_of_outcome.set("minProperties", json::number(1));
  const std::string members =
      members_of(json::object({{"answer", schema_of_answer()},
                               {"outcome_members", std::move(members_of_outcome)},
                               {"write", schema_of(write_fields())},
                               {"websocket", schema_of(websocket_fields())},
                               {"step", std::move(step)}}),
                 4, 2);
  return members.substr(0, members.size() - 1) + ",\n";  // others follow
}

// `text` with the lines between the line `begin` and the next line `end` replaced; an Error when
// one of the two is not there.
Result<std::string> with_section(std::string_view text, std::string_view begin,
                                 std::string_view end, std::string_view section) {
  const auto line_at = [&](std::string_view line, std::size_t from) {
    const std::string whole = '\n' + std::string(line) + '\n';
    return text.find(whole, from);
  };
  const std::size_t first = line_at(begin, 0);
  if (first == std::string_view::npos)
    return Error{"", fmt::format("the line '{}' is missing", begin), ""};
  const std::size_t start = first + begin.size() + 2;
  const std::size_t last = line_at(end, start - 1);
  if (last == std::string_view::npos)
    return Error{"", fmt::format("the line '{}' is missing", end), ""};
  return std::string(text.substr(0, start)) + std::string(section) +
         std::string(text.substr(last + 1));
}

// The file with its section as the table has it. With RPCSPEC_BLESS=1 in the environment the file
// is rewritten first; review the diff.
void expect_section(const std::string& name, std::string_view begin, std::string_view end,
                    const std::string& section) {
  const std::string path = harness::source_dir() + "/cases/" + name;
  Result<std::string> text = read_file(path);
  ASSERT_TRUE(text) << text.error().text();
  const Result<std::string> wanted = with_section(*text, begin, end, section);
  ASSERT_TRUE(wanted) << name << ": " << wanted.error().text();
  const char* bless = std::getenv("RPCSPEC_BLESS");
  if (bless != nullptr && std::string(bless) == "1")
    std::ofstream(path, std::ios::binary) << (*text = *wanted);
  EXPECT_EQ(*text, *wanted) << "RPCSPEC_BLESS=1 writes cases/" << name << " anew";
}

TEST(Grammar, HasTheReferencePartThatTheTableGives) {
  expect_section("GRAMMAR.md", "<!-- actions: written by rpcspec_suite_test, do not edit -->",
                 "<!-- end of actions -->", '\n' + actions_page() + '\n');
}

TEST(Grammar, HasTheOutcomesThatTheTableGives) {
  expect_section("GRAMMAR.md", "<!-- outcomes: written by rpcspec_suite_test, do not edit -->",
                 "<!-- end of outcomes -->", '\n' + outcomes_page() + '\n');
}

TEST(Grammar, HasTheAnswersThatTheTableGives) {
  expect_section("GRAMMAR.md", "<!-- answers: written by rpcspec_suite_test, do not edit -->",
                 "<!-- end of answers -->", '\n' + answers_page() + '\n');
}

TEST(Schema, HasTheStepsThatTheTableGives) {
  expect_section("case.schema.json",
                 R"(    "begin": {"$comment": "to end: written by rpcspec_suite_test"},)",
                 R"(    "end": {})", steps_schema());
}

TEST(ActionsPage, KeepsTo100Columns) {
  std::istringstream page(actions_page() + outcomes_page() + answers_page());
  for (std::string line; std::getline(page, line);) {
    const auto characters =
        std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
    EXPECT_LE(characters, 100) << line;
  }
}

TEST(ActionsPage, TellsEveryActionItsFieldsAndWhatStandsBesideIt) {
  const std::string page = actions_page();
  for (const ActionRow& action : actions()) {
    EXPECT_NE(page.find("#### `" + form_of(action)), std::string::npos) << action.name;
    if (!action.mapping) continue;
    for (const FieldRow& field : action.fields)
      EXPECT_NE(page.find("- `" + std::string(field.name) + '`'), std::string::npos) << field.name;
  }
  EXPECT_NE(page.find("Beside it: `reply`, `write`, `headers`, `auth`, `proof`."),
            std::string::npos);
}

// Page one is what a newcomer copies.
TEST(Grammar, BeginsWithThreeWholeCases) {
  const Result<std::string> text = read_file(harness::source_dir() + "/cases/GRAMMAR.md");
  ASSERT_TRUE(text);
  std::vector<SourceFile> cases;
  const std::string fence = "```yaml\ntitle: ";
  for (auto at = text->find(fence); at != std::string::npos; at = text->find(fence, at + 1)) {
    const std::size_t begin = at + 8;
    cases.push_back({fmt::format("page one, case {}", cases.size() + 1),
                     text->substr(begin, text->find("```", begin) - begin)});
  }
  EXPECT_EQ(cases.size(), 3u);
  const Checked checked = check_cases(cases, own_suite(), own_registry());
  for (const Error& error : checked.errors) ADD_FAILURE() << error.text();
}

TEST(FormOf, SaysWhatIsWrittenBehindTheName) {
  EXPECT_EQ(form_of(*find_action("call")), "call: {method, params, id, meta, tool, arguments}");
  EXPECT_EQ(form_of(*find_action("close")), "close: stdin or stdout");
  EXPECT_EQ(form_of(*find_action("reconnect")), "reconnect: bare, ready or fresh");
  EXPECT_EQ(form_of(*find_action("canary")), "canary: true");
}

TEST(WithSection, ReplacesWhatStandsBetweenTwoLines) {
  const auto replaced = with_section("a\nBEGIN\nold\nold\nEND\nb\n", "BEGIN", "END", "new\n");
  ASSERT_TRUE(replaced);
  EXPECT_EQ(*replaced, "a\nBEGIN\nnew\nEND\nb\n");
  EXPECT_EQ(*with_section(*replaced, "BEGIN", "END", "new\n"), *replaced);
  const auto empty = with_section("a\nBEGIN\nEND\n", "BEGIN", "END", "x\n");
  ASSERT_TRUE(empty);
  EXPECT_EQ(*empty, "a\nBEGIN\nx\nEND\n");
  EXPECT_FALSE(with_section("a\nBEGIN\nb\n", "BEGIN", "END", ""));
  EXPECT_FALSE(with_section("a\nEND\nBEGIN\n", "BEGIN", "END", ""));
}

}  // namespace
}  // namespace harness::suite
