// SPDX-License-Identifier: Apache-2.0
#include "harness/run/replays.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/transport/testing.h"

namespace harness::run {
namespace {

// Two cases that fail, of which the first has two rows, and what an oracle saw in a third.
struct Failed {
  Failed() {
    const auto result = [&](const std::string& id, std::size_t findings) {
      CaseResult made;
      made.id = id;
      made.verdict = Verdict::kFail;
      made.replay = "play " + id;
      made.findings.resize(findings);
      for (oracle::Finding& one : made.findings) one.requirement = "a.clause";
      results.push_back(made);
    };
    result("a/one", 2);
    result("a/two", 1);
    result("a/third", 0);
    result("oracle/replies", 1);
    results.back().findings[0].oracle = "replies";
    results.back().findings[0].row = "a/third";
    for (const CaseResult& one : results)
      for (std::size_t i = 0; i < one.findings.size(); ++i) {
        Clue clue;
        clue.ref = {one.id, i};
        clue.requirement = "a.clause";
        clue.oracle = one.findings[i].oracle;
        clues.all.push_back(clue);
      }
  }

  void find(std::vector<FindingRef> findings) {
    Cause cause;
    cause.requirement = "a.clause";
    cause.findings = std::move(findings);
    causes = {cause};
    show_plainest(causes, clues, results);
  }

  // With what a case shows when it is played; nullopt where there is no time.
  void tried(std::optional<std::set<std::string>> show) {
    boost::asio::io_context loop;
    transport::told<bool>(loop, [&]() -> awaitable<bool> {
      co_await try_replays(
          causes, clues, results,
          [&](std::string id) -> awaitable<std::optional<std::vector<oracle::Finding>>> {
            played.push_back(id);
            if (!show) co_return std::nullopt;
            std::vector<oracle::Finding> found;
            if (show->contains(id)) found = {results.front().findings.front()};
            co_return found;
          });
      co_return true;
    });
  }

  std::vector<CaseResult> results;
  Clues clues;
  std::vector<Cause> causes;
  std::vector<std::string> played;
};

TEST(Replays, ShowThePlainestOfThoseThatAreAlike) {
  Failed failed;
  failed.clues.all[0].trigger.odd = true;
  failed.find({{"a/one", 0}, {"a/one", 1}, {"a/two", 0}});
  EXPECT_EQ(failed.causes[0].findings.front().finding, 1u);
  EXPECT_EQ(failed.causes[0].findings.size(), 3u);
  failed.clues.all[1].came.code = "-32000";
  failed.find({{"a/one", 0}, {"a/one", 1}, {"a/two", 0}});
  EXPECT_EQ(failed.causes[0].findings.front().case_id, "a/two") << "another answer is not alike";
  EXPECT_EQ(failed.causes[0].replay, "play a/two");
}

TEST(Replays, PlayTheCaseInWhichAnOracleSawIt) {
  Failed failed;
  failed.find({{"oracle/replies", 0}});
  EXPECT_EQ(failed.causes[0].replay, "play a/third");
  failed.tried({{"a/third"}});
  EXPECT_EQ(failed.played, std::vector<std::string>{"a/third"});
  EXPECT_EQ(failed.causes[0].replay, "play a/third");
  EXPECT_EQ(failed.causes[0].replay_note, "");
}

TEST(Replays, OfAListNeedNoTrialBecauseEachRunAsksForIt) {
  Failed list;
  Clue& seen = list.clues.all.back();
  seen.trigger.valid = true;
  seen.trigger.method = "prompts/list";
  list.find({{"oracle/replies", 0}});
  list.tried(std::set<std::string>{});
  EXPECT_TRUE(list.played.empty());
  EXPECT_EQ(list.causes[0].replay, "play a/third");
  seen.trigger.members["params.cursor"] = "\"2\"";
  list.tried(std::set<std::string>{});
  EXPECT_EQ(list.causes[0].replay, "");
}

TEST(Replays, OfACaseThatFailedTwiceAreNotPlayedOnceMore) {
  Failed failed;
  failed.find({{"a/two", 0}});
  failed.tried({{}});
  EXPECT_TRUE(failed.played.empty());
  EXPECT_EQ(failed.causes[0].replay, "play a/two");
}

TEST(Replays, AreThoseOfAnotherFindingWhereTheFirstShowsNothing) {
  Failed failed;
  failed.find({{"oracle/replies", 0}, {"a/two", 0}});
  failed.tried({{}});
  EXPECT_EQ(failed.causes[0].findings.front().case_id, "a/two");
  EXPECT_EQ(failed.causes[0].replay, "play a/two");
}

TEST(Replays, AreThoseOfTheCaseThatIsShown) {
  Failed failed;
  failed.results[0].findings[0].severity = oracle::Severity::kWarn;
  failed.results[0].findings[0].requirement = "another.clause";
  failed.find({{"a/one", 0}, {"a/two", 0}, {"a/one", 1}});
  failed.tried({{}});
  EXPECT_EQ(failed.causes[0].findings.front().case_id, "a/one");
  EXPECT_EQ(failed.causes[0].findings.front().finding, 1u) << "which fails";
}

TEST(Replays, AreTakenAwayWhereNothingShowsIt) {
  Failed failed;
  failed.results[1].findings[0].sure = false;
  failed.find({{"a/two", 0}, {"oracle/replies", 0}});
  failed.tried({{}});
  EXPECT_EQ(failed.causes[0].replay, "");
  EXPECT_NE(failed.causes[0].replay_note, "");
  EXPECT_EQ(failed.played.size(), 2u);
}

TEST(Replays, AreKeptWithAWordWhereThereIsNoTime) {
  Failed failed;
  failed.find({{"oracle/replies", 0}});
  failed.tried(std::nullopt);
  EXPECT_EQ(failed.causes[0].replay, "play a/third");
  EXPECT_NE(failed.causes[0].replay_note, "");
}

}  // namespace
}  // namespace harness::run
