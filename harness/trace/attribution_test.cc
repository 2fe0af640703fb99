// SPDX-License-Identifier: Apache-2.0
// Small traces, and whose reply each of their messages is (story.h says how they are written).
#include "harness/trace/attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "harness/trace/stories_testing.h"
#include "harness/trace/story_testing.h"

namespace harness::trace {
namespace {

const char* name_of(Change change) {
  switch (change) {
    case Change::kNone:
      return "";
    case Change::kType:
      return " type";
    case Change::kText:
      return " text";
    case Change::kRecoded:
      return " recoded";
    case Change::kCut:
      return " cut";
    case Change::kFraction:
      return " fraction";
    case Change::kRounded:
      return " rounded";
    case Change::kBits:
      return " bits";
    case Change::kLost:
      return " lost";
    case Change::kConstant:
      return " constant";
    case Change::kPrevious:
      return " previous";
  }
  return "?";
}

std::string said(const Answer& answer) {
  std::string out = std::string(whose_name(answer.whose)) + name_of(answer.change);
  if (answer.candidates.empty() && answer.to != nullptr && answer.whose != Whose::kOtherSession)
    out += " @" + std::to_string(answer.to->seq);
  for (const Item* one : answer.candidates) out += " @" + std::to_string(one->seq);
  return out;
}

TEST(Attribution, SaysWhoseReplyEachMessageIs) {
  EXPECT_GE(std::size(kStories), 40u);
  for (const Told& told : kStories) {
    const Story story(told.text);
    Trace trace(story.slice, story.spoken());
    const Story other("> call " + story.elsewhere);
    const Trace elsewhere(other.slice, other.spoken());
    if (!story.elsewhere.empty()) trace.others.push_back(&elsewhere);
    for (const Item& item : trace.items) {
      if (item.sent || item.array != 0) continue;
      EXPECT_EQ(said(attribution_of(trace).of(item)), story.expected[item.frame])
          << told.what << "\n"
          << item.text << "\n"
          << told.text;
    }
  }
}

}  // namespace
}  // namespace harness::trace
