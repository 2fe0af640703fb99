// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/falsify/claims.h"
#include "harness/falsify/said.h"
#include "harness/suite/testing.h"

namespace harness::falsify {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kProfile = "mcp-2025-11-25";

Trial trial(const std::vector<std::string>& faults) {
  return Trial(suite::own_suite(), suite::own_registry(), kProfile, kProfile, faults);
}

const suite::Case& scenario(const std::string& id) {
  const auto& cases = suite::own_suite().cases;
  const auto found = std::find_if(cases.begin(), cases.end(),
                                  [&](const suite::Case& one) { return one.id == id; });
  if (found == cases.end()) throw std::runtime_error("no case " + id);
  return *found;
}

TEST(Trial, FindsNothingOnTheSoundServer) {
  Trial sound = trial({});
  ASSERT_TRUE(sound.meet());
  for (const char* id :
       {"mcp/tools/list", "mcp/tools/result-content", "mcp/progress/concurrent-tokens"}) {
    SCOPED_TRACE(id);
    ASSERT_TRUE(sound.can_play(scenario(id)));
    const Caught caught = sound.play(scenario(id));
    EXPECT_EQ(caught.verdict, run::Verdict::kPass);
    EXPECT_THAT(caught.watchers, IsEmpty());
  }
  EXPECT_FALSE(sound.can_play(scenario("mcp/listen/cancelled")));  // of another revision
}

TEST(Trial, ACaseCatchesItsFault) {
  Trial broken = trial({"tools-null"});
  ASSERT_TRUE(broken.meet());
  const Caught caught = broken.play(scenario("mcp/tools/list"));
  EXPECT_EQ(caught.verdict, run::Verdict::kFail);
  EXPECT_THAT(caught.watchers, Contains("mcp/tools/list"));
  EXPECT_THAT(caught.clauses, Contains("mcp.tools.list-result-tools-array"));
}

TEST(Trial, AnOracleCatchesItsFaultInAnyCase) {
  Trial broken = trial({"icon-without-src"});
  ASSERT_TRUE(broken.meet());
  const Caught caught = broken.play(scenario("mcp/tools/list"));
  EXPECT_EQ(caught.verdict, run::Verdict::kPass);
  EXPECT_THAT(caught.watchers, Not(IsEmpty()));
  EXPECT_THAT(caught.watchers, Not(Contains("mcp/tools/list")));
}

TEST(Trial, WhatIsSlowOrMissingTakesNoTime) {
  Trial silent = trial({"unknown-method-silent"});
  ASSERT_TRUE(silent.meet());
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(silent.play(scenario("jsonrpc/error/method-not-found-code")).verdict,
            run::Verdict::kFail);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(Trial, ToldWhichShapesAConversationShows) {
  Trial sound = trial({});
  ASSERT_TRUE(sound.meet());
  const Caught listed = sound.play(scenario("mcp/tools/list"));
  const auto shapes = shapes_in(*listed.transcript, sound.profile());
  EXPECT_THAT(shapes, Contains("tool-name-number"));
  EXPECT_THAT(shapes, Not(Contains("image-data-spoilt")));
}

TEST(Claims, HoldFaultsToThoseWhoNameThem) {
  const Claims all = claims_of(suite::own_suite(), {});
  ASSERT_TRUE(all.by_fault.contains("tools-null"));
  EXPECT_THAT(all.by_fault.at("tools-null"), Contains("mcp/tools/list"));
  EXPECT_THAT(all.by_fault.at("tools-null"), Contains("clause/mcp.tools.list-result-tools-array"));
  const Claims some = claims_of(suite::own_suite(), {"tools-nul?"});
  EXPECT_EQ(some.by_fault.size(), 1u);
  EXPECT_THAT(some.unclaimed, IsEmpty());
}

}  // namespace
}  // namespace harness::falsify
