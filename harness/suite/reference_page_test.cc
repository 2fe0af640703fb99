// SPDX-License-Identifier: Apache-2.0
// cases/GRAMMAR.md and cases/case.schema.json say what the table of actions says.
#include "harness/suite/reference_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "harness/base/file.h"
#include "harness/suite/check.h"
#include "harness/suite/testing.h"

namespace harness::suite {
namespace {

// The file with its section as the table has it. With RPCSPEC_BLESS=1 in the environment the file
// is rewritten first; review the diff.
void expect_section(const std::string& name, std::string_view begin, std::string_view end,
                    const std::string& section) {
  const std::string path = std::string(RPCSPEC_SOURCE_DIR) + "/cases/" + name;
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
  EXPECT_NE(page.find("Beside it: `reply`, `write`, `headers`, `auth`."), std::string::npos);
}

// Page one is what a newcomer copies.
TEST(Grammar, BeginsWithThreeWholeCases) {
  const Result<std::string> text = read_file(std::string(RPCSPEC_SOURCE_DIR) + "/cases/GRAMMAR.md");
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
