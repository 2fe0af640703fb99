// SPDX-License-Identifier: Apache-2.0
// The document: its slots, its data, what it is trimmed to. How it looks and acts in a browser is
// tested by harness/cli/html_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "reports/formats.h"
#include "reports/html_page.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

namespace json = harness::json;
using ::testing::HasSubstr;
using ::testing::Not;

// The text of the data block.
std::string data_in(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

// Outside of the data and of what is ours.
std::string frame_of(const std::string& page) {
  std::string out = page;
  for (const std::string& part : {data_in(page), html_script(), std::string(html_style())})
    out.erase(out.find(part), part.size());
  return out;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

TEST(HtmlReport, FillsEverySlotOnce) {
  const std::string frame = frame_of(render_html(sample::every_kind(), sample::options()));
  EXPECT_THAT(frame, Not(HasSubstr("{{")));
  EXPECT_THAT(frame, HasSubstr("<title>rpcspec: failed, ./server --stdio</title>"));
  EXPECT_TRUE(std::regex_search(frame, std::regex("script-src 'sha256-[A-Za-z0-9+/]{43}=';")));
}

// What stands in the page but for its script and style: those are files of html/. Each member of
// the data, and each element of a list of them, has a line of its own.
std::string to_look_at(const std::string& page) {
  const auto line = [](const std::string& name, const json::Value& value) {
    return name.empty() ? json::write(value)
                        : json::write(json::string(name)) + ": " + json::write(value);
  };
  std::string data;
  for (const json::Member& member : json::parse(data_in(page)).members) {
    const bool list = member.value.is_array() && !member.value.items.empty();
    data += "\n" + line(member.name, list ? json::array() : member.value);
    if (list)
      for (const json::Value& item : member.value.items) data += "\n  " + line("", item);
  }
  std::string out = page;
  out.replace(out.find(data_in(page)), data_in(page).size(), data + "\n");
  const std::string style(html_style());
  out.replace(out.find(style), style.size(), "…");
  const std::string script = html_script();
  out.replace(out.find(script), script.size(), "…");
  return std::regex_replace(out, std::regex("sha256-[A-Za-z0-9+/]{43}="), "sha256-…");
}

TEST(HtmlReport, IsAsApproved) {
  const std::string page = to_look_at(render_html(sample::every_kind(), sample::options()));
  EXPECT_EQ(page, sample::golden("report.html", page));
}

TEST(HtmlReport, HoldsWhatTheJsonReportSaysAndTheClauses) {
  const std::string page = render_html(sample::every_kind(), sample::options());
  const json::Value data = json::parse(data_in(page));
  EXPECT_EQ(data.find("cases")->items.size(), sample::every_kind().cases.size());
  EXPECT_EQ(data.find("trimmed")->text, "");
  EXPECT_EQ(data.find("seed_text")->text, "42");
  const json::Value* clause = data.find("clauses")->find("jsonrpc.id.string-echo");
  ASSERT_NE(clause, nullptr);
  EXPECT_THAT(clause->find("statement")->text, HasSubstr("carries the same string"));
  EXPECT_EQ(json::at(*clause, "/links/0/url")->text,
            "https://www.jsonrpc.org/specification#response_object");
  EXPECT_EQ(json::at(data, "/causes/0/finding/expected")->text, "error -32700 with id null");
}

TEST(HtmlReport, LeavesNothingOfATargetThatCouldEndItsPlace) {
  Record record = sample::hostile();
  record.started.target += "</title><script>alert(1)</script>{{data}}";
  const std::string page = render_html(record, sample::options());
  const std::string data = data_in(page);
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(harness::printable(data, data.size()), data);
  ASSERT_TRUE(std::holds_alternative<json::Reading>(json::read(data, {64, 10'000'000})));
  const std::string frame = frame_of(page);
  EXPECT_EQ(times(frame, "<script"), 2u);
  EXPECT_EQ(times(frame, "</script"), 2u);
  EXPECT_THAT(frame, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(frame, HasSubstr("{{data}}")) << "what is filled in is not looked at again";
}

TEST(HtmlReport, SaysWhatToChangeAndWhoseBugItIs) {
  harness::spec::Advice advice;
  advice.cause = "The id is read as a number.";
  advice.lines[1] = {"reply['id'] = request['id']  # no int()"};
  ReportOptions options = sample::options();
  options.advice = [&](const std::string&) { return &advice; };
  options.sdk = [](const std::string& profile, const std::string&, const std::string&,
                   const std::string&) {
    EXPECT_EQ(profile, "jsonrpc-2.0");
    return "an-sdk 1.2";
  };
  const json::Value data = json::parse(data_in(render_html(sample::every_kind(), options)));
  const json::Value& cause = data.find("causes")->items.front();
  EXPECT_EQ(cause.find("sdk")->text, "an-sdk 1.2");
  const json::Value* clause = data.find("clauses")->find(cause.find("requirement")->text);
  ASSERT_NE(clause, nullptr);
  EXPECT_EQ(clause->find("usual_cause")->text, advice.cause);
  EXPECT_EQ(clause->find("advice")->find("Python")->text, advice.lines[1][0] + "\n");
}

TEST(HtmlReport, IsTrimmedToASizeThatABrowserBears) {
  Record record = sample::started();
  const std::string filler(1000, 'x');
  run::CaseResult one = sample::result("a/b/c", "t", run::Verdict::kFail);
  std::vector<wire::Frame> frames;
  for (std::uint64_t seq = 1; seq <= 100; ++seq)
    frames.push_back(sample::frame(seq, wire::Channel::kStdout, filler));
  one.transcript = sample::transcript(frames);
  for (std::uint64_t i = 0; i < 10; ++i) {
    std::vector<std::uint64_t> proof;
    for (std::uint64_t n = 1; n <= 10; ++n) proof.push_back(i * 10 + n);
    one.findings.push_back(sample::finding("r", "e", "s", proof));
  }
  for (int i = 0; i < 300; ++i) {
    one.id = "a/b/" + std::to_string(i);
    record.cases.push_back(one);
  }
  record.finished.causes = {sample::cause("t", "r", run::Verdict::kFail, {{"a/b/7", 9}})};
  const std::string page = render_html(record, sample::options());
  EXPECT_LT(page.size(), 1'000'000u);
  const json::Value data = json::parse(data_in(page));
  EXPECT_THAT(data.find("trimmed")->text, HasSubstr("This page was trimmed: at most"));
  EXPECT_EQ(json::at(data, "/causes/0/finding/frames")->items.size(), 10u) << "of a cause all stay";
  const json::Value* frame = json::at(data, "/cases/0/findings/0/frames/0");
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->find("size")->text, "1000");
  EXPECT_LT(frame->find("text")->text.size(), 1000u);
}

}  // namespace
}  // namespace reports
