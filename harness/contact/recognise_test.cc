// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/file.h"
#include "harness/base/test_folders.h"
#include "harness/oracle/document_marks.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/oracle/text_places.h"
#include "harness/suite/loader.h"

namespace harness::run {
namespace {

constexpr const char* kFixtures = R"({"document":[{"server":["clangd"],"language":"c"},
    {"server":["pyright","pyright-langserver"],"language":"python"}]})";

std::string language_for(const std::vector<std::string>& command,
                         const std::optional<std::string>& server) {
  target::Target target;
  target.command = command;
  Offer offer;
  recognise(json::parse(kFixtures), target, server, offer);
  const json::Value* language = json::at(offer.affordances, "/document/language");
  return language == nullptr ? "" : language->text;
}

TEST(Recognise, ALanguageServerByItsNameOrCommand) {
  EXPECT_EQ(language_for({"my-build"}, "clangd"), "c");
  EXPECT_EQ(language_for({"/usr/bin/clangd", "--log=error"}, ""), "c");
  EXPECT_EQ(language_for({"node", "x/node_modules/pyright/langserver.index.js"}, ""), "python");
  EXPECT_EQ(language_for({"my-clangd"}, ""), "");
  EXPECT_EQ(language_for({"clangd"}, std::nullopt), "") << "no language server";
}

TEST(Recognise, ATaskToolByItsTaskSupport) {
  const json::Value fixtures = json::parse(
      R"({"tool.task":[{"tool":"slow","arguments":{}},{"task_support":["optional","required"]}]})");
  const auto recognised = [&](const char* tools) {
    Offer offer;
    offer.tools = json::parse(tools);
    recognise(fixtures, target::Target(), std::nullopt, offer);
    const json::Value* task = offer.affordances.find("tool.task");
    return task ? json::write(*task) : "";
  };
  EXPECT_EQ(recognised(R"([{"name":"plain","inputSchema":{"type":"object"}},
      {"name":"never","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}}])"),
            "");
  EXPECT_EQ(recognised(R"([{"name":"writes","inputSchema":{"type":"object"},
       "execution":{"taskSupport":"required"}},
      {"name":"reads","annotations":{"readOnlyHint":true},"execution":{"taskSupport":"optional"},
       "inputSchema":{"type":"object","properties":{"of":{"const":"it"}},"required":["of"]}}])"),
            R"({"tool":"reads","arguments":{"of":"it"},"name":"reads"})")
      << "one that may be called comes first";
}

TEST(Languages, MarksThatFollowFromTheTextNeedNotBeWritten) {
  namespace fs = std::filesystem;
  for (const auto& file : fs::directory_iterator(harness::source_dir() + "/cases/languages")) {
    if (file.path().extension() != ".yaml") continue;
    SCOPED_TRACE(file.path());
    const json::Value whole = *suite::root_of({file.path(), *read_file(file.path())});
    json::Value less = whole;
    std::erase_if(less.members, [](const json::Member& one) {
      for (const char* mark :
           {"wide", "wide_end", "wide_utf8", "wide_utf32", "emoji", "inside", "end", "blank"})
        if (one.name == mark) return true;
      return false;
    });
    const Status done = oracle::complete_document("t.yaml", less);
    ASSERT_TRUE(done) << done.error().text();
    for (const json::Member& one : whole.members)
      EXPECT_TRUE(json::equal(*less.find(one.name), one.value)) << one.name;
  }
}

TEST(Languages, WhatIsWrongInADocumentOfAnOperatorIsTold) {
  const auto told = [](const std::string& more) {
    json::Value document = *json::read_yaml(
        "language: w\nuri: file:///a/b.w\nbefore: \"fun f\\n\\n\"\nafter: \" f(1) g\"\nerror: "
        "no\n" +
            more,
        "t.yaml");
    const Status done = oracle::complete_document("t.yaml", document);
    return done ? json::write(document) : done.error().text();
  };
  EXPECT_THAT(told("word: f\nkeyword: fun\n"),
              testing::AllOf(testing::HasSubstr(R"("other":"file:///a/other-b.w")"),
                             testing::HasSubstr(R"("wide_word":"f")"),
                             testing::HasSubstr(R"("keyword":{"line":0,"character":0})"),
                             testing::HasSubstr(R"("call":{"line":2,"character":5})"),
                             testing::HasSubstr(R"("blank":{"line":1,"character":0})"),
                             testing::HasSubstr(R"("wide_utf8":{"line":2,"character":5})")));
  EXPECT_THAT(
      told("wort: f\n"),
      testing::StartsWith(
          "t.yaml:6:7: the affordance `document` has no member `wort`; did you mean `word`?"));
  EXPECT_THAT(told("keyword: fun\n"), testing::HasSubstr("needs the text `word`"));
  EXPECT_THAT(told("word: f\n"),
              testing::HasSubstr("the mark `keyword` does not follow from the text"));
  EXPECT_THAT(told("word: nowhere\nkeyword: fun\n"),
              testing::HasSubstr("the mark `declared` does not follow"));
  EXPECT_THAT(told("word: f\nkeyword: fun\nused: {line: 9, character: 0}\n"),
              testing::StartsWith("t.yaml:8:7: the mark `used` is not in the text"));
  EXPECT_THAT(told("word: f\nkeyword: fun\nused: {line: 0, character: 1}\n"),
              testing::HasSubstr("at the mark `used` the text has no `f`"));
}

TEST(Languages, HaveTheirMarksWhereTheySay) {
  namespace fs = std::filesystem;
  int files = 0;
  for (const auto& file : fs::directory_iterator(harness::source_dir() + "/cases/languages")) {
    if (file.path().extension() != ".yaml") continue;
    ++files;
    SCOPED_TRACE(file.path());
    const auto text = suite::root_of({file.path(), *read_file(file.path())});
    ASSERT_TRUE(text);
    const auto word = [&](const char* name) { return text->find(name)->text; };
    const std::string whole = word("before") + "\xf0\x9f\x98\x80" + word("after");
    const struct {
      oracle::Unit unit;
      const char* mark;
      const char* word;
    } kMarks[] = {{oracle::Unit::kUtf16, "declared", "word"},
                  {oracle::Unit::kUtf16, "used", "word"},
                  {oracle::Unit::kUtf16, "wide", "wide_word"},
                  {oracle::Unit::kUtf8, "wide_utf8", "wide_word"},
                  {oracle::Unit::kUtf32, "wide_utf32", "wide_word"}};
    for (const auto& one : kMarks) {
      const oracle::PlacedText placed(whole, one.unit);
      const auto at = oracle::place_of(text->find(one.mark));
      ASSERT_TRUE(at) << one.mark;
      const auto length = static_cast<std::int64_t>(word(one.word).size());
      EXPECT_EQ(placed.between({*at, {at->line, at->character + length}}), word(one.word))
          << one.mark;
    }
    const oracle::PlacedText placed(whole, oracle::Unit::kUtf16);
    EXPECT_EQ(placed.between(*oracle::span_of(text->find("emoji"))), "\xf0\x9f\x98\x80");
    EXPECT_EQ(placed.length(oracle::place_of(text->find("blank"))->line), 0);
    const auto end = *oracle::place_of(text->find("end"));
    EXPECT_EQ(end.line, placed.lines() - 1);
    EXPECT_EQ(placed.length(end.line), 0);
  }
  EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace harness::run
