// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/learner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace fuzz {

// An inner node has a suffix, and a child for each answer to it; a leaf has a state.
struct Learner::Node {
  Word suffix;
  std::map<Outputs, std::unique_ptr<Node>> children;
  std::optional<std::size_t> state;
};

namespace {

constexpr std::size_t kLongestWalk = 60;  // symbols

Word joined(const Word& one, const Word& other) {
  Word out = one;
  out.insert(out.end(), other.begin(), other.end());
  return out;
}

Word part(const Word& word, std::size_t begin, std::size_t end) {
  return Word(word.begin() + static_cast<std::ptrdiff_t>(begin),
              word.begin() + static_cast<std::ptrdiff_t>(end));
}

}  // namespace

Learner::Learner(std::vector<std::string> alphabet, Ask ask, LearnLimits limits, std::uint64_t seed)
    : alphabet_(std::move(alphabet)), ask_(std::move(ask)), limits_(limits), random_(seed),
      root_(std::make_unique<Node>()) {}
Learner::~Learner() = default;

// What comes of the suffix behind the way.
Learner::awaitable<std::optional<Outputs>> Learner::after(const Word& way, const Word& suffix) {
  const Word word = joined(way, suffix);
  std::optional<Outputs> all = co_await ask_(word);
  if (!all) {
    stopped_ = true;
    co_return std::nullopt;
  }
  all->erase(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(way.size()));
  co_return std::move(all);
}

// The state that the word leads to. One that no leaf stands for is new.
Learner::awaitable<std::optional<std::size_t>> Learner::sift(const Word& word) {
  Node* at = root_.get();
  while (!at->state) {
    const Word suffix = at->suffix;
    const std::optional<Outputs> answer = co_await after(word, suffix);
    if (!answer) co_return std::nullopt;
    std::unique_ptr<Node>& child = at->children[*answer];
    if (!child) {
      child = std::make_unique<Node>();
      child->state = states_.size();
      states_.push_back({word, child.get()});
    }
    at = child.get();
  }
  co_return at->state;
}

// The hypothesis of the tree. False: no more could be asked; what is not known loops then.
Learner::awaitable<bool> Learner::build() {
  hypothesis_ = {alphabet_, {}};
  for (std::size_t state = 0; state < states_.size(); ++state) {
    hypothesis_.states.emplace_back(alphabet_.size(), Automaton::Edge{state, "?"});
    for (Symbol symbol = 0; symbol < alphabet_.size(); ++symbol) {
      Automaton::Edge edge{state, "?"};
      const Word way = states_[state].way;
      const Word one(1, symbol);
      const std::optional<Outputs> output = co_await after(way, one);
      if (!output) co_return false;
      edge.output = output->front();
      const Word longer = joined(way, one);
      const std::optional<std::size_t> to = co_await sift(longer);
      if (!to) co_return false;
      edge.to = *to;
      hypothesis_.states[state][symbol] = std::move(edge);
      if (states_.size() > limits_.states) stopped_ = true;
      if (stopped_) co_return false;
    }
  }
  co_return true;
}

// A walk on the hypothesis that takes pairs of symbols which no walk took in that state before: a
// session is dear, a message is not. Empty where there are none left.
Word Learner::walk() {
  const std::size_t symbols = alphabet_.size();
  const auto is_new = [&](std::size_t state, Symbol first, Symbol second) {
    return !taken_.contains({state, first, second});
  };
  const auto begins_new = [&](std::size_t state, Symbol first) {
    for (Symbol second = 0; second < symbols; ++second)
      if (is_new(state, first, second)) return true;
    return false;
  };
  Word out;
  std::size_t at = 0;
  std::optional<std::pair<std::size_t, Symbol>> before;
  bool any = false;
  while (out.size() < kLongestWalk) {
    std::optional<Symbol> next;
    for (Symbol symbol = 0; before && symbol < symbols; ++symbol) {
      if (!is_new(before->first, before->second, symbol)) continue;
      if (!next || (!begins_new(at, *next) && begins_new(at, symbol))) next = symbol;
    }
    if (!next) next = towards_new(at, begins_new);
    if (!next) break;
    if (before) any |= taken_.insert({before->first, before->second, *next}).second;
    before = {at, *next};
    out.push_back(*next);
    at = hypothesis_.states[at][*next].to;
  }
  return any ? out : Word{};
}

// The first step of a shortest way from a state to one where something new begins.
std::optional<Symbol> Learner::towards_new(
    std::size_t from, const std::function<bool(std::size_t, Symbol)>& begins_new) const {
  std::vector<bool> seen(hypothesis_.states.size(), false);
  std::deque<std::pair<std::size_t, std::optional<Symbol>>> open = {{from, std::nullopt}};
  seen[from] = true;
  while (!open.empty()) {
    const auto [at, first] = open.front();
    open.pop_front();
    for (Symbol symbol = 0; symbol < alphabet_.size(); ++symbol)
      if (begins_new(at, symbol)) return first ? first : symbol;
    for (Symbol symbol = 0; symbol < alphabet_.size(); ++symbol) {
      const std::size_t to = hypothesis_.states[at][symbol].to;
      if (seen[to]) continue;
      seen[to] = true;
      open.push_back({to, first ? first : symbol});
    }
  }
  return std::nullopt;
}

Word Learner::drawn() {
  const std::size_t symbols = alphabet_.size();
  Word out = states_[random_.below(states_.size())].way;
  for (std::size_t i = random_.between(1, limits_.longest); i > 0; --i)
    out.push_back(random_.below(symbols));
  return out;
}

// A word that the hypothesis has other outputs for.
Learner::awaitable<std::optional<Word>> Learner::refutation() {
  taken_.clear();
  tests_ = 0;
  for (std::size_t draws = 0; draws < limits_.tests; ++tests_) {
    Word word = walk();
    if (word.empty()) {
      word = drawn();
      ++draws;
    }
    const std::optional<Outputs> outputs = co_await ask_(word);
    if (!outputs) {
      stopped_ = true;
      break;
    }
    const Outputs expected = hypothesis_.outputs(word);
    const auto [wrong, ignored] = std::mismatch(outputs->begin(), outputs->end(), expected.begin());
    if (wrong == outputs->end()) continue;
    co_return part(word, 0, static_cast<std::size_t>(wrong - outputs->begin()) + 1);
  }
  co_return std::nullopt;
}

// Finds the place where the way that the hypothesis takes and the real one part, and tells the two
// states there apart by what is left of the word. False: no more could be asked, or the answers do
// not agree with themselves.
Learner::awaitable<bool> Learner::split(const Word& counterexample) {
  const auto agrees = [this, &counterexample](std::size_t at) -> awaitable<std::optional<bool>> {
    const std::size_t state = hypothesis_.state_after(part(counterexample, 0, at));
    const Word way = states_[state].way;
    const Word rest = part(counterexample, at, counterexample.size());
    const std::optional<Outputs> real = co_await after(way, rest);
    if (!real) co_return std::nullopt;
    const Outputs all = hypothesis_.outputs(counterexample);
    co_return real->empty() || real->back() == all.back();
  };
  // It disagrees at 0 and agrees at the end.
  std::size_t low = 0, high = counterexample.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    const std::optional<bool> same = co_await agrees(middle);
    if (!same) co_return false;
    (*same ? high : low) = middle;
  }
  const std::size_t from = hypothesis_.state_after(part(counterexample, 0, low));
  const Word way = joined(states_[from].way, part(counterexample, low, high));
  const std::size_t taken_for = hypothesis_.state_after(part(counterexample, 0, high));
  const Word suffix = part(counterexample, high, counterexample.size());
  if (suffix.empty()) co_return false;
  const Word old_way = states_[taken_for].way;
  const std::optional<Outputs> old_answer = co_await after(old_way, suffix);
  if (!old_answer) co_return false;
  const std::optional<Outputs> new_answer = co_await after(way, suffix);
  if (!new_answer || *new_answer == *old_answer) co_return false;
  Node* leaf = states_[taken_for].leaf;
  leaf->state.reset();
  leaf->suffix = suffix;
  auto old_child = std::make_unique<Node>(), new_child = std::make_unique<Node>();
  old_child->state = taken_for;
  new_child->state = states_.size();
  states_[taken_for].leaf = old_child.get();
  states_.push_back({way, new_child.get()});
  leaf->children.emplace(*old_answer, std::move(old_child));
  leaf->children.emplace(*new_answer, std::move(new_child));
  co_return true;
}

boost::asio::awaitable<std::optional<Learnt>> Learner::learn() {
  // The first state is the only leaf until two of one symbol are told apart.
  root_->state = 0;
  states_.push_back({{}, root_.get()});
  Learnt out;
  while (true) {
    const bool built = co_await build();
    ++rounds_;
    if (!built) break;
    const std::optional<Word> wrong = co_await refutation();
    if (!wrong) {
      out.whole = !stopped_;
      break;
    }
    const bool told_apart = co_await split(*wrong);
    if (!told_apart) break;
  }
  if (hypothesis_.states.empty() || hypothesis_.states[0].empty() ||
      hypothesis_.states[0][0].output == "?")
    co_return std::nullopt;
  // States that were met when no more could be asked.
  while (hypothesis_.states.size() < states_.size())
    hypothesis_.states.emplace_back(alphabet_.size(),
                                    Automaton::Edge{hypothesis_.states.size(), "?"});
  out.automaton = in_order(hypothesis_);
  out.rounds = rounds_;
  out.tests = tests_;
  co_return std::move(out);
}

}  // namespace fuzz
