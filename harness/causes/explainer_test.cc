// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/explainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/causes/causes_testing.h"

namespace harness::run {
namespace {

using testing::SizeIs;

// In one case `first` looks broken because of `second`, and that because of `third`.
class BrokenBelow : public Causes {
 protected:
  void chain(const char* first, const char* second, const char* third) {
    for (const char* clause : {first, second, third}) clue(clause).ref.case_id = "a/1";
    clues_.all[0].below = second;
    clues_.all[1].below = third;
  }
};

TEST_F(BrokenBelow, LaysWhatLooksBrokenToTheLowestClause) {
  chain("jsonrpc.request.params-omitted", "mcp.content.text-string", "mcp.base.utf8");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].requirement, "mcp.base.utf8");
  EXPECT_THAT(causes[0].findings, SizeIs(3));
}

TEST_F(BrokenBelow, EndsWhereTwoClausesLookBrokenBecauseOfEachOther) {
  chain("mcp.base.utf8", "mcp.content.text-string", "mcp.base.utf8");
  std::size_t findings = 0;
  for (const Cause& cause : found()) findings += cause.findings.size();
  EXPECT_EQ(findings, 3u);
}

TEST_F(Causes, CallNothingRefusedThatWasRead) {
  Clue& odd = about("ping", "json.invalid.comments");
  odd.trigger.is_json = odd.trigger.valid = false;
  odd.came.message = true;
  odd.came.code = "-32602";
  EXPECT_EQ(found()[0].title, "Comments are not refused")
      << "the error has the id that stands there";
  results_.back().findings.front().came.unnamed = true;
  EXPECT_EQ(found()[0].title, "Comments are refused with the wrong error");
}

// A case that fails says why an id in it is wrong, but not why another message is answered.
TEST_F(Causes, TellOfANotificationThatIsAnsweredBesideACaseThatFails) {
  about("tools/call", "mcp.content.text-string").answered = true;
  Clue& answered = about("notifications/initialized", "mcp.base.notification-no-response");
  answered.oracle = "replies";
  answered.row = clues_.all.front().ref.case_id;
  answered.answered = answered.came.message = true;
  EXPECT_THAT(found(), SizeIs(1));
  answered.trigger.kind = wire::MessageKind::kNotification;
  EXPECT_THAT(found(), SizeIs(2));
}

}  // namespace
}  // namespace harness::run
