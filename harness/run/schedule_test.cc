// SPDX-License-Identifier: Apache-2.0
#include "harness/run/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "harness/contact/testing.h"
#include "harness/json/read.h"

namespace harness::run {
namespace {

using suite::Need;
using testing::ElementsAre;
using testing::IsEmpty;

// Entries of cases whose only trait is what they need and do.
class Entries {
 public:
  Entry* add(const std::string& id, Need need, const std::string& steps = "[]",
             const std::string& client_capabilities = "null") {
    suite::Case& scenario = cases_.emplace_back();
    scenario.id = id;
    scenario.need = need;
    if (steps != "[]") scenario.steps = suite::steps_of(steps);
    if (id == "slow") scenario.references = {"target.tool.slow.name"};
    scenario.client_capabilities = json::parse(client_capabilities);
    Entry& entry = entries_.emplace_back();
    entry.scenario = &scenario;
    all_.push_back(&entry);
    return &entry;
  }
  Schedule schedule(bool restart_each_case = false, bool bounded = false) const {
    return {all_, restart_each_case, bounded};
  }

 private:
  std::deque<suite::Case> cases_;
  std::deque<Entry> entries_;
  std::vector<Entry*> all_;
};

bool anything(const suite::Case&, const suite::Demand&) { return true; }

std::vector<std::string> order(Schedule schedule, SessionUse use) {
  std::vector<std::string> ids;
  while (schedule.left(use) > 0) ids.push_back(schedule.take(use, anything).scenario->id);
  return ids;
}

constexpr const char* kCloses = R"([{"close":"stdin"}])";
constexpr const char* kSignals = R"([{"signal":"TERM"}])";
constexpr const char* kShakesHands = R"([{"handshake":{}}])";
constexpr const char* kSaysInitialize = R"([{"send":{"method":"initialize"}}])";

TEST(Schedule, GivesEachCaseTheKindOfSessionItNeeds) {
  struct Row {
    Need need;
    const char* client_capabilities;
    bool restart_each_case;
    SessionUse use;
  };
  for (const Row& row : {
           Row{Need::kReady, "null", false, SessionUse::kShared},
           Row{Need::kReady, "null", true, SessionUse::kOwn},
           Row{Need::kReady, R"({"roots":{}})", false, SessionUse::kOwn},
           Row{Need::kReady, "{}", false, SessionUse::kOwn},
           Row{Need::kOwn, "null", false, SessionUse::kShared},
           Row{Need::kOwn, R"({"roots":{}})", false, SessionUse::kOwn},
           Row{Need::kBare, "null", false, SessionUse::kOwn},
           Row{Need::kFresh, "null", false, SessionUse::kOwn},
           Row{Need::kDisposable, "null", false, SessionUse::kDisposable},
           Row{Need::kDisposable, "null", true, SessionUse::kDisposable},
       }) {
    suite::Case scenario;
    scenario.need = row.need;
    scenario.client_capabilities = json::parse(row.client_capabilities);
    EXPECT_EQ(session_use(scenario, row.restart_each_case), row.use)
        << static_cast<int>(row.need) << " " << row.client_capabilities;
  }
}

TEST(Schedule, PlaysFirstWhatLeavesAConnectionWithoutHandshakeToTheNext) {
  Entries entries;
  entries.add("fresh", Need::kFresh);
  entries.add("shakes-hands", Need::kBare, kShakesHands);
  entries.add("perhaps", Need::kBare, kSaysInitialize);
  entries.add("leaves-it", Need::kBare);
  entries.add("leaves-it-too", Need::kBare);
  EXPECT_THAT(order(entries.schedule(), SessionUse::kOwn),
              ElementsAre("leaves-it", "leaves-it-too", "perhaps", "shakes-hands", "fresh"));
}

TEST(Schedule, PlaysLastWhatEndsAConnectionNobodyNeeds) {
  Entries entries;
  entries.add("closes", Need::kDisposable, kCloses);
  entries.add("signals", Need::kDisposable, kSignals);
  entries.add("leaves-it", Need::kDisposable);
  EXPECT_THAT(order(entries.schedule(), SessionUse::kDisposable),
              ElementsAre("leaves-it", "closes", "signals"));
}

TEST(Schedule, KeepsTheOrderOfTheSuiteOnSharedSessionsAndEndsWithWhatChangesThem) {
  Entries entries;
  entries.add("changes-it", Need::kOwn);
  entries.add("b", Need::kReady);
  entries.add("a", Need::kReady);
  EXPECT_THAT(order(entries.schedule(), SessionUse::kShared), ElementsAre("b", "a", "changes-it"));
}

// Which case a worker is given, by what is left and what is at hand.
TEST(Schedule, GivesAWorkerWhatItsStateAllows) {
  constexpr auto kShared = SessionUse::kShared, kOwn = SessionUse::kOwn,
                 kDisposable = SessionUse::kDisposable;
  struct Row {
    const char* what;
    std::vector<Need> left;
    WorkerState state;
    std::optional<SessionUse> use;
  };
  const WorkerState first;
  WorkerState helper;
  helper.prefers_own = true;
  const auto with = [](WorkerState state, auto change) {
    change(state);
    return state;
  };
  const auto leftover = [](WorkerState& state) { state.has_leftover = true; };
  const auto left_soon = [](WorkerState& state) { state.soon_leftover = true; };
  const auto dear = [](WorkerState& state) { state.worth_opening = false; };
  const auto has_ready = [](WorkerState& state) {
    state.worth_opening = false;
    state.has_ready = true;
  };
  const auto again = [](WorkerState& state) { state.again_waiting = true; };
  const auto no_room_for_own = [](WorkerState& state) { state.own_fits = false; };
  const auto no_room_to_share = [](WorkerState& state) { state.shared_fits = false; };
  const std::vector<Need> all{Need::kReady, Need::kFresh, Need::kDisposable};
  const std::vector<Need> no_own{Need::kReady, Need::kDisposable};
  for (const Row& row : {
           Row{"nothing is left", {}, first, std::nullopt},
           Row{"shared cases come first", all, first, kShared},
           Row{"then own ones", {Need::kFresh, Need::kDisposable}, first, kOwn},
           Row{"then disposable ones", {Need::kDisposable}, first, kDisposable},
           Row{"but after those to be judged again",
               {Need::kDisposable},
               with(first, again),
               std::nullopt},
           Row{"a helper begins with own ones", all, helper, kOwn},
           Row{"also where a session is left over", all, with(helper, leftover), kOwn},
           Row{"it takes what is left over before it shares", no_own, with(helper, leftover),
               kDisposable},
           Row{"it shares where that is worth a session", no_own, helper, kShared},
           Row{"it does not where it is not", {Need::kReady}, with(helper, dear), std::nullopt},
           Row{"unless it has one", {Need::kReady}, with(helper, has_ready), kShared},
           Row{"it shares where own ones have no room", all, with(helper, no_room_for_own),
               kShared},
           Row{"another takes an own one likewise", all, with(first, no_room_to_share), kOwn},
           Row{"who finds room for none waits for its own", all,
               with(with(helper, no_room_for_own), no_room_to_share), kOwn},
           Row{"it opens for a disposable case rather", no_own, with(helper, dear), kDisposable},
           Row{"but waits for what others are going to leave",
               {Need::kDisposable},
               with(helper, left_soon),
               std::nullopt},
       }) {
    Entries entries;
    for (const Need need : row.left) entries.add("x", need);
    EXPECT_EQ(entries.schedule().next(row.state), row.use) << row.what;
  }
}

constexpr const char* kOneLater = R"([{"send":{"method":"ping"},"reply":"later","as":"one"}])";
constexpr const char* kMany = R"([{"send":{"method":"ping"},"reply":"later","as":"one"},
  {"send":{"method":"ping"},"reply":"later","as":"two"},{"send":{"method":"ping"},"reply":"later","as":"three"}])";

TEST(Schedule, GivesTheFirstThatFitsElseTheFirst) {
  Entries entries;
  entries.add("a", Need::kReady, kOneLater);
  entries.add("b", Need::kReady);
  entries.add("c", Need::kReady, kOneLater);
  Schedule schedule = entries.schedule();
  const auto little = [](const suite::Case&, const suite::Demand& wanted) {
    return wanted.connections == 1;
  };
  EXPECT_TRUE(schedule.any(SessionUse::kShared, little));
  EXPECT_EQ(schedule.take(SessionUse::kShared, little).scenario->id, "b");
  EXPECT_FALSE(schedule.any(SessionUse::kShared, little));
  EXPECT_EQ(schedule.take(SessionUse::kShared, little).scenario->id, "a");
}

TEST(Schedule, PlaysWhatWantsMuchFirstWhereWhatIsOpenIsBounded) {
  Entries entries;
  entries.add("little", Need::kReady);
  entries.add("much", Need::kReady, kMany);
  entries.add("two", Need::kFresh, kOneLater);
  entries.add("own", Need::kFresh);
  entries.add("much-of-its-own", Need::kFresh, kMany);
  EXPECT_EQ(entries.schedule().exclusive(), std::nullopt) << "nothing bounds it";
  Schedule schedule = entries.schedule(false, true);
  ASSERT_EQ(schedule.exclusive(), SessionUse::kShared);
  EXPECT_EQ(schedule.wanted(SessionUse::kShared), (suite::Demand{1, 4}));
  // Nothing passes by what waits for room, or that never finds any.
  const auto little = [](const suite::Case&, const suite::Demand& wanted) {
    return wanted.connections == 1;
  };
  EXPECT_FALSE(schedule.any(SessionUse::kShared, little));
  EXPECT_EQ(schedule.take(SessionUse::kShared, anything).scenario->id, "much");
  EXPECT_TRUE(schedule.any(SessionUse::kShared, little));
  ASSERT_EQ(schedule.exclusive(), SessionUse::kOwn);
  EXPECT_EQ(schedule.take(SessionUse::kOwn, anything).scenario->id, "much-of-its-own");
  EXPECT_EQ(schedule.exclusive(), std::nullopt);
  EXPECT_THAT(order(schedule, SessionUse::kOwn), ElementsAre("two", "own"));
}

TEST(Schedule, SpreadsWhatWaitsLongAndEndsWithWhatDoesNot) {
  Entries entries;
  for (const char* id : {"one", "two", "three", "four", "slow", "slow"})
    entries.add(id, Need::kReady);
  for (const bool bounded : {false, true})
    EXPECT_THAT(order(entries.schedule(false, bounded), SessionUse::kShared),
                ElementsAre("slow", "one", "slow", "two", "three", "four"));
}

TEST(Schedule, LeavesTheLastConnectionToWhatDoesNotWait) {
  Entries entries;
  entries.add("quick", Need::kReady);
  entries.add("slow", Need::kReady);
  Schedule schedule = entries.schedule(false, true);
  const auto last = [](const suite::Case&, const suite::Demand& wanted) {
    return wanted.connections <= 1;
  };
  EXPECT_EQ(schedule.take(SessionUse::kShared, last).scenario->id, "quick");
  EXPECT_FALSE(schedule.any(SessionUse::kShared, last));
}

TEST(Schedule, PlaysTogetherWhatDeclaresTheSame) {
  Entries entries;
  entries.add("roots-1", Need::kReady, "[]", R"({"roots":{}})");
  entries.add("sampling-1", Need::kReady, "[]", R"({"sampling":{}})");
  entries.add("bare", Need::kBare, kShakesHands);
  entries.add("sampling-2", Need::kOwn, "[]", R"({"sampling":{}})");
  entries.add("roots-2", Need::kOwn, "[]", R"({"roots":{}})");
  EXPECT_THAT(order(entries.schedule(), SessionUse::kOwn),
              ElementsAre("bare", "roots-1", "roots-2", "sampling-1", "sampling-2"));
}

TEST(Schedule, GivesEveryCaseOnce) {
  Entries entries;
  entries.add("a", Need::kReady);
  entries.add("b", Need::kFresh);
  Schedule schedule = entries.schedule();
  EXPECT_EQ(schedule.first(SessionUse::kShared)->scenario->id, "a");
  EXPECT_EQ(schedule.take(SessionUse::kShared, anything).scenario->id, "a");
  EXPECT_EQ(schedule.first(SessionUse::kShared), nullptr);
  EXPECT_EQ(schedule.left(SessionUse::kOwn), 1u);
  EXPECT_THROW(schedule.take(SessionUse::kShared, anything), Bug);
}

// --- selection

suite::Suite small_suite() {
  const std::string steps = "steps:\n  - canary: true\n";
  const std::string plain = "title: T\ncovers: [jsonrpc.request.reply-exactly-one]\n";
  return suite_of({{"plain/any", plain + steps},
                   {"plain/http", plain + "transports: [http]\n" + steps},
                   {"plain/mcp", plain + "profiles: [mcp]\n" + steps},
                   {"sse", "title: T\ncovers: [mcp.ping.result]\n" + steps}});
}

std::vector<std::string> ids(const Selected& selected) {
  std::vector<std::string> out;
  for (const suite::Case* scenario : selected.cases) out.push_back(scenario->id);
  return out;
}

Selected selected(const suite::Suite& suite, const char* profile, wire::TransportKind transport,
                  const suite::Selection& selection = {}) {
  return select_cases(suite, selection, suite::own_registry(), *spec::find_profile(profile),
                      transport);
}

TEST(SelectCases, LeavesOutWhatDoesNotApply) {
  const suite::Suite suite = small_suite();
  EXPECT_THAT(ids(selected(suite, "jsonrpc-2.0", wire::TransportKind::kStdio)),
              ElementsAre("plain/any"));
  EXPECT_THAT(ids(selected(suite, "jsonrpc-2.0", wire::TransportKind::kHttp)),
              ElementsAre("plain/any", "plain/http"));
  EXPECT_THAT(ids(selected(suite, "mcp-2025-06-18", wire::TransportKind::kStdio)),
              ElementsAre("plain/any", "plain/mcp", "sse"));
}

TEST(SelectCases, TellsWhatWasDeselected) {
  const suite::Suite suite = small_suite();
  suite::Selection selection;
  selection.exclude = {"plain/any"};
  const Selected some = selected(suite, "jsonrpc-2.0", wire::TransportKind::kHttp, selection);
  EXPECT_THAT(ids(some), ElementsAre("plain/http"));
  EXPECT_THAT(some.deselected, ElementsAre("plain/any"));
}

TEST(SelectCases, GivesEveryCaseToOneShard) {
  const suite::Suite suite = small_suite();
  std::vector<std::string> all;
  for (unsigned index = 1; index <= 3; ++index) {
    suite::Selection selection;
    selection.shard = {index, 3};
    const Selected part = selected(suite, "mcp-2025-06-18", wire::TransportKind::kStdio, selection);
    for (const std::string& id : ids(part)) all.push_back(id);
  }
  EXPECT_THAT(all, testing::UnorderedElementsAre("plain/any", "plain/mcp", "sse"));
}

}  // namespace
}  // namespace harness::run
