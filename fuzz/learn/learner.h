// SPDX-License-Identifier: Apache-2.0
// Learner: the automaton of something that answers words, by active learning. A discrimination tree
// (Kearns and Vazirani) holds what distinguishes states; if a hypothesis is wrong, bisection cuts
// the counterexample to one suffix (Rivest and Schapire).
//
//   ask(word) ──► leaves of the tree are states ──► hypothesis ──► words that might refute it
//        ▲                                                                │ one does
//        └──────────────── a leaf is split by a suffix ◄───────────────────┘
//
// It knows nothing about targets: words may go to a machine in memory.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/learn/automaton.h"
#include "fuzz/mutate/random.h"

namespace fuzz {

// The outputs for a word from the first state on; nothing: no more may be asked.
using Ask = std::function<boost::asio::awaitable<std::optional<Outputs>>(const Word& word)>;

struct Learnt {
  Automaton automaton;
  // No word that was tried after the last change refutes it; false: learning stopped early.
  bool whole = false;
  std::size_t rounds = 0;  // hypotheses
  std::size_t tests = 0;   // words tried against the last hypothesis
};

struct LearnLimits {
  std::size_t tests = 40;    // random words that a hypothesis must survive, after the walks
  std::size_t longest = 12;  // symbols of one, after the word that leads to the state
  std::size_t states = 64;
};

class Learner {
 public:
  Learner(std::vector<std::string> alphabet, Ask ask, LearnLimits limits, std::uint64_t seed);
  ~Learner();

  // Nothing only if not even the first state could be asked.
  boost::asio::awaitable<std::optional<Learnt>> learn();

 private:
  template <class Value>
  using awaitable = boost::asio::awaitable<Value>;
  struct Node;
  struct State {
    Word way;
    Node* leaf = nullptr;
  };

  awaitable<std::optional<Outputs>> after(const Word& way, const Word& suffix);
  awaitable<std::optional<std::size_t>> sift(const Word& word);
  awaitable<bool> build();
  awaitable<std::optional<Word>> refutation();
  awaitable<bool> split(const Word& counterexample);
  Word walk();
  std::optional<Symbol> towards_new(
      std::size_t from, const std::function<bool(std::size_t, Symbol)>& begins_new) const;
  Word drawn();

  std::vector<std::string> alphabet_;
  Ask ask_;
  LearnLimits limits_;
  Random random_;
  std::unique_ptr<Node> root_;
  std::vector<State> states_;
  Automaton hypothesis_;
  std::set<std::tuple<std::size_t, Symbol, Symbol>> taken_;  // state, and two symbols in a row
  std::size_t tests_ = 0, rounds_ = 0;
  bool stopped_ = false;
};

}  // namespace fuzz
