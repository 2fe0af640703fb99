// SPDX-License-Identifier: Apache-2.0
// What each report says of the methods of a contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "reports/formats.h"
#include "reports/read_json.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

namespace json = harness::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kCounts = "1 of 2 methods of shop.json may be called, 1 change state";

Record with_methods() {
  Record out = sample::started();
  out.finished.contract = kCounts;
  out.finished.methods = {
      {"book.get",
       true,
       "example",
       2,
       {"its result: an open | reference"},
       {{"openrpc.method.served", "tried"}, {"openrpc.params.wrong-type", "warn"}}},
      {"<b>reset", false, "its name says that it changes something", 0, {}, {}}};
  return out;
}

TEST(DescribedMethods, StandInTheJsonReportAndAreReadFromIt) {
  const std::string text = render_json(with_methods(), sample::options());
  const json::Value report = json::parse(text);
  EXPECT_EQ(report.find("contract")->text, kCounts);
  const json::Value* first = json::at(report, "/methods/0");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->find("name")->text, "book.get");
  EXPECT_TRUE(first->find("called")->boolean);
  EXPECT_EQ(first->find("why")->text, "example");
  EXPECT_EQ(first->find("examples")->text, "2");
  EXPECT_EQ(first->find("clauses")->find("openrpc.params.wrong-type")->text, "warn");
  EXPECT_EQ(json::at(*first, "/not_judged/0")->text, "its result: an open | reference");
  EXPECT_FALSE(json::at(report, "/methods/1/called")->boolean);
  const auto back = read_json(text, "report.json");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(render_json(*back, sample::options()), text);
}

TEST(DescribedMethods, AreATableInMarkdown) {
  const std::string text = render_markdown(with_methods(), sample::options());
  EXPECT_THAT(text, HasSubstr("<details><summary>" + std::string(kCounts) + "</summary>"));
  EXPECT_THAT(text,
              HasSubstr("| method | called | examples | clauses tried | broken | not judged |"));
  EXPECT_THAT(text, HasSubstr("| `book.get` | example | 2 | 2 | `openrpc.params.wrong-type` | its "
                              "result: an open \\| reference |"));
  EXPECT_THAT(text, HasSubstr("| no: its name says that it changes something | 0 | 0 |  |  |"));
}

TEST(DescribedMethods, AreInTheDataOfThePage) {
  const std::string page = render_html(with_methods(), sample::options());
  EXPECT_THAT(page, HasSubstr(R"("why":"its name says that it changes something")"));
  EXPECT_THAT(page, HasSubstr(R"("openrpc.params.wrong-type":"warn")"));
  EXPECT_THAT(page, Not(HasSubstr("<b>reset")));
}

TEST(DescribedMethods, AreLeftOutWhereThereIsNoContract) {
  const Record none = sample::started();
  EXPECT_EQ(json::parse(render_json(none, sample::options())).find("methods"), nullptr);
  EXPECT_THAT(render_markdown(none, sample::options()), Not(HasSubstr("clauses tried")));
}

}  // namespace
}  // namespace reports
