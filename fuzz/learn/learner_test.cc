// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/learner.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <set>

namespace fuzz {
namespace {

using boost::asio::awaitable;

// A machine of so many states, all of them reached, some of them alike.
Automaton random_machine(std::size_t states, std::size_t symbols, std::size_t outputs,
                         std::uint64_t seed) {
  Random random(seed);
  Automaton out;
  for (std::size_t i = 0; i < symbols; ++i) out.alphabet.push_back("s" + std::to_string(i));
  for (std::size_t state = 0; state < states; ++state) {
    out.states.emplace_back();
    for (std::size_t i = 0; i < symbols; ++i)
      out.states.back().push_back(
          {random.below(states), "o" + std::to_string(random.below(outputs))});
  }
  // A chain through all of them.
  for (std::size_t state = 0; state + 1 < states; ++state)
    out.states[state][random.below(symbols)].to = state + 1;
  return in_order(out);
}

struct Lesson {
  std::optional<Learnt> learnt;
  std::size_t asked = 0;
};

// Learns a machine in memory; no more than so many words may be asked.
Lesson learn(const Automaton& machine, LearnLimits limits, std::size_t most = 1000000) {
  Lesson out;
  const Ask ask = [&](const Word& word) -> awaitable<std::optional<Outputs>> {
    if (out.asked++ >= most) co_return std::nullopt;
    co_return machine.outputs(word);
  };
  Learner learner(machine.alphabet, ask, limits, 1);
  boost::asio::io_context io(1);
  const auto whole = [&]() -> awaitable<void> { out.learnt = co_await learner.learn(); };
  std::exception_ptr failure;
  boost::asio::co_spawn(io, whole, [&](std::exception_ptr thrown) { failure = thrown; });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return out;
}

// States that no word tells apart are one.
std::size_t different_states(const Automaton& machine) {
  std::vector<std::size_t> first;
  for (std::size_t state = 0; state < machine.states.size(); ++state) {
    const bool known = std::any_of(first.begin(), first.end(), [&](std::size_t other) {
      Automaton one = machine, two = machine;
      std::swap(one.states[0], one.states[state]);
      std::swap(two.states[0], two.states[other]);
      for (auto& edges : one.states)
        for (auto& edge : edges)
          edge.to = edge.to == 0 ? state : edge.to == state ? 0 : edge.to;
      for (auto& edges : two.states)
        for (auto& edge : edges)
          edge.to = edge.to == 0 ? other : edge.to == other ? 0 : edge.to;
      return !difference(one, two);
    });
    if (!known) first.push_back(state);
  }
  return first.size();
}

TEST(Learner, LearnsRandomMachinesExactly) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::size_t states = 1 + seed % 20;
    const Automaton machine = random_machine(states, 2 + seed % 4, 2 + seed % 2, seed);
    const Lesson lesson = learn(machine, {3000, 12, 64});
    ASSERT_TRUE(lesson.learnt) << seed;
    EXPECT_TRUE(lesson.learnt->whole) << seed;
    EXPECT_FALSE(difference(machine, lesson.learnt->automaton)) << seed;
    EXPECT_EQ(lesson.learnt->automaton.states.size(), different_states(machine)) << seed;
  }
}

TEST(Learner, AsksFewWordsForALifeCycle) {
  // start, initialized, ready, and the end: what a server mostly is.
  Automaton server{{"initialize", "initialized", "ping", "list", "exit"}, {}};
  server.states = {
      {{1, "result"}, {0, "-"}, {0, "result"}, {0, "error"}, {3, "closed"}},
      {{1, "error"}, {2, "-"}, {1, "result"}, {1, "error"}, {3, "closed"}},
      {{2, "error"}, {2, "-"}, {2, "result"}, {2, "result"}, {3, "closed"}},
      {{3, "closed"}, {3, "closed"}, {3, "closed"}, {3, "closed"}, {3, "closed"}}};
  const Lesson lesson = learn(server, {});
  ASSERT_TRUE(lesson.learnt);
  EXPECT_EQ(lesson.learnt->automaton, in_order(server));
  EXPECT_LT(lesson.asked, 250u);
}

TEST(Learner, SaysWhatItHasWhenItMayAskNoMore) {
  const Automaton machine = random_machine(12, 3, 2, 5);
  for (const std::size_t most : {1, 5, 40, 80}) {
    const Lesson lesson = learn(machine, {3000, 12, 64}, most);
    if (!lesson.learnt) continue;
    EXPECT_FALSE(lesson.learnt->whole) << most;
    for (const auto& edges : lesson.learnt->automaton.states)
      for (const auto& edge : edges)
        EXPECT_LT(edge.to, lesson.learnt->automaton.states.size());
  }
  EXPECT_FALSE(learn(machine, {}, 0).learnt);
}

TEST(Learner, StopsAtSoManyStates) {
  const Lesson lesson = learn(random_machine(20, 3, 3, 9), {3000, 12, 4});
  ASSERT_TRUE(lesson.learnt);
  EXPECT_FALSE(lesson.learnt->whole);
}

}  // namespace
}  // namespace fuzz
