// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/suite/check.h"
#include "harness/suite/own_clauses.h"
#include "harness/suite/testing.h"

namespace harness::suite {
namespace {

const std::string kSound = "title: t\ncovers: [jsonrpc.id.string-echo]\nsteps: [{canary: true}]\n";

Result<Suite> load_file(const std::string& text) {
  return load({{"suite/a/x.yaml", text}}, own_registry(), "");
}

TEST(CaseFiles, HoldSeveralCases) {
  const std::string two = "case: one\n" + kSound + "---\ncase: two\n" + kSound;
  const auto suite = load_file(two);
  ASSERT_TRUE(suite) << suite.error().text();
  ASSERT_EQ(suite->cases.size(), 2u);
  EXPECT_EQ(suite->cases[0].id, "a/one");
  EXPECT_EQ(suite->cases[1].id, "a/two");
  EXPECT_EQ(suite->cases[1].file, "suite/a/x.yaml");
  EXPECT_EQ(suite->cases[1].steps.front().mark.line, 9);
  // Those of the user.
  const auto own = load_user_cases({{"n/x.yaml", two}}, *suite, own_registry(), "my/");
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_EQ(own->back().id, "n/two");
  EXPECT_EQ(own->back().file, "my/n/x.yaml");
}

TEST(CaseFiles, SayWhereANameIsMissingOrThereTwice) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"case: one\n" + kSound + "---\n" + kSound, "6:1: the case has no 'case'"},
      {"case: a/b\n" + kSound, "1:7: 'case' is not a name"},
      {"case: ''\n" + kSound, "1:7: 'case' is not a name"},
      {"case: one\n" + kSound + "---\ncase: one\n" + kSound, "6:7: there is another case 'a/one'"},
      {"case: one\n" + kSound + "---\ncase: two\n" + kSound + "stps: []\n", "10:1: unknown key"},
      {"case: one\n" + kSound + "---\ncase: [\n", "7:"}};
  for (const auto& [text, told] : mistakes) {
    const auto suite = load_file(text);
    ASSERT_FALSE(suite) << text;
    EXPECT_TRUE(suite.error().text().starts_with("suite/a/x.yaml:" + told)) << suite.error().text();
  }
}

TEST(CaseFiles, NameRulesOfTheUserByTheirCases) {
  const std::string rule =
      "title: t\nclause: {level: MAY, statement: s}\nsteps: [{canary: true}]\n";
  const std::vector<SourceFile> files = {
      {"n/x.yaml", "case: r\n" + rule + "---\ncase: s\n" + rule}};
  spec::Registry with_own = own_registry();
  ASSERT_TRUE(add_own_clauses(files, with_own));
  const Checked checked = check_cases(files, own_suite(), with_own);
  ASSERT_EQ(checked.cases.size(), 2u);
  EXPECT_EQ(checked.cases.back().covers, std::vector<std::string>{"own.n.s"});
}

}  // namespace
}  // namespace harness::suite
