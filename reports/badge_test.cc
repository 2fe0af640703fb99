// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <set>

#include "harness/json/read.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

namespace json = harness::json;

std::string message_of(const Record& record) {
  return json::parse(render_badge_json(record, sample::options())).find("message")->text;
}

Record run_of(std::vector<run::Verdict> verdicts, bool passed) {
  Record record = sample::started();
  for (const run::Verdict verdict : verdicts)
    add_case(record, sample::result("a/b/" + std::to_string(record.cases.size()), "t", verdict));
  record.finished.gate_passed = passed;
  return record;
}

TEST(Badge, IsThePictureThatWasApproved) {
  const std::string badge = render_badge(sample::every_kind(), sample::options());
  EXPECT_EQ(badge, sample::golden("badge.svg", badge));
  const std::string endpoint = render_badge_json(sample::every_kind(), sample::options());
  EXPECT_EQ(endpoint, sample::golden("badge.json", endpoint));
}

TEST(Badge, SaysHowItEnded) {
  using run::Verdict;
  EXPECT_EQ(message_of(run_of({Verdict::kPass, Verdict::kPass}, true)), "2 passed");
  EXPECT_EQ(message_of(run_of({Verdict::kPass, Verdict::kWarn}, true)), "1 passed, 1 warned");
  EXPECT_EQ(message_of(run_of({Verdict::kPass, Verdict::kFail}, false)), "1 of 2 failed");
  EXPECT_EQ(message_of(run_of({Verdict::kPass}, false)), "failed");
  EXPECT_EQ(message_of(run_of({}, true)), "0 passed");
}

// https://shields.io/badges/endpoint-badge
TEST(Badge, HasTheFieldsThatShieldsReads) {
  const std::set<std::string> known = {"schemaVersion", "label", "message", "color", "isError"};
  for (const Record& record : {sample::every_kind(), sample::hostile(), sample::started()}) {
    const json::Value badge = json::parse(render_badge_json(record, sample::options()));
    EXPECT_EQ(badge.find("schemaVersion")->text, "1");
    EXPECT_FALSE(badge.find("label")->text.empty());
    EXPECT_FALSE(badge.find("message")->text.empty());
    for (const json::Member& member : badge.members) EXPECT_TRUE(known.contains(member.name));
  }
}

TEST(Badge, IsXmlWithATitleForWhoDoesNotSeeIt) {
  Record hostile = sample::hostile();
  hostile.started.profile = sample::hostile_text();
  for (const Record& record : {sample::every_kind(), hostile}) {
    pugi::xml_document document;
    const std::string badge = render_badge(record, sample::options());
    ASSERT_TRUE(document.load_string(badge.c_str())) << badge;
    const pugi::xml_node svg = document.child("svg");
    EXPECT_STREQ(svg.attribute("role").value(), "img");
    EXPECT_STREQ(svg.child("title").text().get(), svg.attribute("aria-label").value());
    EXPECT_EQ(badge.find("<script"), std::string::npos);
  }
}

}  // namespace
}  // namespace reports
