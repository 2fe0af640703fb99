// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/base/file.h"
#include "harness/json/read.h"
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

TEST(Languages, HaveTheirMarksWhereTheySay) {
  namespace fs = std::filesystem;
  int files = 0;
  for (const auto& file : fs::directory_iterator(RPCSPEC_SOURCE_DIR "/cases/languages")) {
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
