// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/reopening.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace fuzz {
namespace {

using Facts = Reopening::Facts;

// What is done from the start to the end, where these are the outcomes of the attempts: "no",
// "silent" (a session, but no answer), "closed" (likewise, and it ended), "yes".
std::vector<std::string> story(const Facts& facts, const std::vector<std::string>& outcomes) {
  std::vector<std::string> out;
  Reopening reopening(facts);
  for (const std::string& outcome : outcomes) {
    if (reopening.restarts()) out.emplace_back("restart");
    const Reopening::Next next = outcome == "no"
                                     ? reopening.failed()
                                     : reopening.opened(outcome == "yes", outcome == "closed");
    switch (next) {
      case Reopening::Next::kUse:
        out.emplace_back("use");
        return out;
      case Reopening::Next::kTryAgain:
        out.emplace_back("again");
        break;
      case Reopening::Next::kAskFirst:
        out.emplace_back("ask");
        break;
      case Reopening::Next::kGiveUp:
        out.emplace_back("give up");
        return out;
    }
  }
  return out;
}

TEST(Reopening, KnowsWhenASessionIsNotEnough) {
  const Facts own;  // a process for each session
  const Facts ahead{.starts_ahead = true};
  const Facts served{.served = true, .ours = true};
  const Facts silent{.served = true, .ours = true, .fell_silent = true};
  const Facts elsewhere{.served = true};
  struct Row {
    const char* what;
    Facts facts;
    std::vector<std::string> outcomes, wanted;
  };
  const Row table[] = {
      {"a new process each time", own, {"yes"}, {"use"}},
      {"one that has not answered yet", own, {"silent"}, {"use"}},
      {"one that cannot be started", own, {"no"}, {"give up"}},
      {"started ahead, and ended since", ahead, {"closed", "yes"}, {"again", "use"}},
      {"likewise, found out sooner", ahead, {"no", "yes"}, {"again", "use"}},
      {"only once", ahead, {"no", "no"}, {"again", "give up"}},
      {"and no second time", ahead, {"closed", "closed"}, {"again", "use"}},
      {"a sound service", served, {"yes"}, {"use"}},
      {"that is gone", served, {"no"}, {"give up"}},
      {"that fell silent and answers again", silent, {"yes"}, {"use"}},
      {"and does not", silent, {"silent", "yes"}, {"again", "restart", "use"}},
      {"nor after a restart", silent, {"silent", "silent"}, {"again", "restart", "use"}},
      {"with a handshake it is not asked",
       {.served = true, .ours = true, .shakes_hands = true, .fell_silent = true},
       {"yes"},
       {"restart", "use"}},
      {"a silent process of the session's own is gone with it",
       {.shakes_hands = true, .fell_silent = true},
       {"yes"},
       {"use"}},
      {"a new process is wanted",
       {.served = true, .ours = true, .wants_process = true},
       {"silent"},
       {"restart", "use"}},
      {"each session has one anyhow", {.wants_process = true}, {"yes"}, {"use"}},
      {"somebody else's, which may be back", elsewhere, {"no", "yes"}, {"ask", "use"}},
      {"is asked about once", elsewhere, {"no", "no"}, {"ask", "give up"}},
      {"and not when it is known to have ended",
       {.served = true, .died = true},
       {"no"},
       {"give up"}},
  };
  for (const Row& row : table) EXPECT_EQ(story(row.facts, row.outcomes), row.wanted) << row.what;
}

TEST(Reopening, GivesANewProcessTimeToStart) {
  EXPECT_TRUE(Reopening({}).has_new_process());
  EXPECT_FALSE(Reopening({.served = true}).has_new_process());
  EXPECT_TRUE(Reopening({.served = true, .wants_process = true}).has_new_process());
}

TEST(Session, IsLeftWhenItEndedOrIsWorn) {
  ExecutorOptions limits;
  limits.scripts_per_session = 10;
  limits.frames_per_session = 100;
  struct Row {
    SessionState state;
    bool usable;
  };
  const Row table[] = {
      {{}, true},
      {{.scripts = 9, .frames = 99}, true},
      {{.scripts = 10}, false},
      {{.frames = 100}, false},
      {{.closed = true}, false},
      {{.unusable = true}, false},
      {{.other_process = true}, false},
  };
  for (const Row& row : table) EXPECT_EQ(is_usable(row.state, limits), row.usable);
}

}  // namespace
}  // namespace fuzz
