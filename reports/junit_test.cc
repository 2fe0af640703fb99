// SPDX-License-Identifier: Apache-2.0
// The dialect is checked by xmllint against junit.xsd when it is installed, the content by pugixml.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <pugixml.hpp>

#include "harness/base/test_folders.h"
#include "reports/formats.h"
#include "reports/layout.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;

pugi::xml_document parsed(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description();
  return document;
}

pugi::xml_node testcase(const pugi::xml_document& document, const std::string& folder,
                        const std::string& name) {
  for (pugi::xml_node suite : document.child("testsuites").children("testsuite"))
    for (pugi::xml_node node : suite.children("testcase"))
      if (node.attribute("classname").value() == folder && node.attribute("name").value() == name)
        return node;
  ADD_FAILURE() << "no testcase " << folder << " " << name;
  return {};
}

bool have_xmllint() { return std::system("xmllint --version >/dev/null 2>&1") == 0; }

// What xmllint has to say about `report`; "" when it is valid.
std::string complaints(const std::string& report) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("junit-" + std::to_string(::getpid()) + ".xml");
  std::ofstream(file, std::ios::binary) << report;
  const std::string command = "xmllint --huge --noout --nonet --schema '" + harness::source_dir() +
                              "/reports/junit.xsd' '" + file.string() + "' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  const bool valid = ::pclose(pipe) == 0;
  std::filesystem::remove(file);
  return valid ? "" : out;
}

TEST(JUnitReport, IsTheDocumentThatWasApproved) {
  const std::string report = render_junit(sample::every_kind(), sample::options());
  EXPECT_EQ(report, sample::golden("junit.xml", report));
}

TEST(JUnitReport, FollowsItsSchema) {
  if (!have_xmllint()) GTEST_SKIP() << "xmllint (package libxml2-utils) is not installed";
  EXPECT_EQ(complaints(render_junit(sample::every_kind(), sample::options())), "");
  EXPECT_EQ(complaints(render_junit(sample::hostile(), sample::options())), "");
  EXPECT_EQ(complaints(render_junit(sample::started(), sample::options())), "") << "no cases";
}

TEST(JUnitReport, SchemaRefusesWhatCiServersDisagreeAbout) {
  if (!have_xmllint()) GTEST_SKIP() << "xmllint (package libxml2-utils) is not installed";
  std::string report = render_junit(sample::every_kind(), sample::options());
  const std::size_t at = report.find("<failure");
  ASSERT_NE(at, std::string::npos);
  report.insert(at, "<failure message='m' type='t'/>");
  EXPECT_THAT(complaints(report), HasSubstr("failure"));
}

TEST(JUnitReport, NamesACaseByItsFolderAndSlug) {
  const auto document = parsed(render_junit(sample::every_kind(), sample::options()));
  EXPECT_STREQ(testcase(document, "jsonrpc.id", "string-echo").attribute("time").value(), "0.003");
}

TEST(JUnitReport, GivesAFailureItsEvidence) {
  const auto document = parsed(render_junit(sample::every_kind(), sample::options()));
  const pugi::xml_node failure = testcase(document, "jsonrpc.id", "string-echo").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "MUST");
  const std::string text = failure.text().get();
  for (const char* part :
       {"MUST jsonrpc.id.string-echo (JSON-RPC 2.0 §5)", "carries the same string",
        "expected: a reply with id \"abc\"", "seen: a reply with id \"ABC\"", "row: uuid",
        "→ stdin    #1  {\"jsonrpc\"", "← stdout   #2  {", "replay: rpcspec run --select"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(JUnitReport, TypesAFailureByTheLevelOfTheClauseItNames) {
  Record record = sample::every_kind();
  for (harness::run::CaseResult& result : record.cases) result.level = "SHOULD";
  const auto document = parsed(render_junit(record, sample::options()));
  const pugi::xml_node failure = testcase(document, "jsonrpc.id", "string-echo").child("failure");
  EXPECT_STREQ(failure.attribute("type").value(), "MUST");
}

TEST(JUnitReport, MapsEveryVerdict) {
  const auto document = parsed(render_junit(sample::every_kind(), sample::options()));
  const auto message = [&](const char* folder, const char* name, const char* child) {
    return std::string(testcase(document, folder, name).child(child).attribute("message").value());
  };
  EXPECT_THAT(message("mcp.tools", "list", "skipped"), HasSubstr("does not declare"));
  EXPECT_THAT(message("mcp.cancel", "slow", "skipped"), HasSubstr("tool.slow"));
  EXPECT_THAT(message("jsonrpc.batch", "empty", "skipped"), HasSubstr("known failure"));
  EXPECT_THAT(message("jsonrpc.order", "ours", "error"), HasSubstr("a row without steps"));
  const pugi::xml_node warn = testcase(document, "jsonrpc.error", "short");
  EXPECT_FALSE(warn.child("failure"));
  EXPECT_THAT(warn.child_value("system-out"), HasSubstr("twelve paragraphs"));
  const pugi::xml_node flaky = testcase(document, "jsonrpc.order", "many");
  EXPECT_FALSE(flaky.child("failure"));
  EXPECT_THAT(flaky.child_value("system-out"), HasSubstr("flaky"));
}

TEST(JUnitReport, CountsWhatItContains) {
  const auto document = parsed(render_junit(sample::every_kind(), sample::options()));
  const pugi::xml_node suites = document.child("testsuites");
  int all_tests = 0, all_failures = 0;
  for (pugi::xml_node suite : suites.children("testsuite")) {
    int tests = 0, failures = 0, errors = 0, skipped = 0;
    for (pugi::xml_node node : suite.children("testcase")) {
      ++tests;
      failures += !node.child("failure").empty();
      errors += !node.child("error").empty();
      skipped += !node.child("skipped").empty();
    }
    EXPECT_EQ(suite.attribute("tests").as_int(), tests);
    EXPECT_EQ(suite.attribute("failures").as_int(), failures);
    EXPECT_EQ(suite.attribute("errors").as_int(), errors);
    EXPECT_EQ(suite.attribute("skipped").as_int(), skipped);
    all_tests += tests;
    all_failures += failures;
  }
  EXPECT_EQ(suites.attribute("tests").as_int(), all_tests);
  EXPECT_EQ(suites.attribute("failures").as_int(), all_failures);
  EXPECT_EQ(all_failures, 4);
}

TEST(JUnitReport, HasASuiteForEachArea) {
  const auto document = parsed(render_junit(sample::every_kind(), sample::options()));
  std::vector<std::string> names;
  for (pugi::xml_node suite : document.child("testsuites").children("testsuite"))
    names.emplace_back(suite.attribute("name").value());
  EXPECT_EQ(names, (std::vector<std::string>{"jsonrpc/batch", "jsonrpc/error", "jsonrpc/id",
                                             "jsonrpc/order", "jsonrpc/parse", "mcp/cancel",
                                             "mcp/tools"}));
  EXPECT_STREQ(testcase(document, "mcp.cancel", "slow").parent().attribute("name").value(),
               "mcp/cancel");
}

TEST(JUnitReport, ShowsHostileTextVisiblyAndAsXml) {
  const std::string report = render_junit(sample::hostile(), sample::options());
  const auto document = parsed(report);
  EXPECT_LT(report.size(), 1u << 20);
  EXPECT_EQ(report.find("<script"), std::string::npos);
  EXPECT_EQ(report.find("CDATA"), std::string::npos);
  EXPECT_THAT(report, HasSubstr("]]&gt;"));
  EXPECT_THAT(report, HasSubstr("\\x1b[2J"));
  EXPECT_THAT(report, HasSubstr("\\x00"));
  EXPECT_THAT(report, HasSubstr("\\u{202e}"));
  EXPECT_THAT(report, HasSubstr("\\u{fffe}"));
  for (std::size_t i = 0; i < report.size();) {
    const CodePoint point = code_point_at(report, i);
    ASSERT_TRUE(point.valid) << "not UTF-8 at " << i;
    ASSERT_TRUE(point.value >= 0x20 || point.value == '\n') << "control at " << i;
    ASSERT_TRUE(point.value < 0xfffe || point.value > 0xffff);
    i = point.next;
  }
}

}  // namespace
}  // namespace reports
