// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/automaton.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace fuzz {

Outputs Automaton::outputs(const Word& word) const {
  Outputs out;
  std::size_t at = 0;
  for (const Symbol symbol : word) {
    const Edge& edge = states[at][symbol];
    out.push_back(edge.output);
    at = edge.to;
  }
  return out;
}

std::size_t Automaton::state_after(const Word& word) const {
  std::size_t at = 0;
  for (const Symbol symbol : word) at = states[at][symbol].to;
  return at;
}

std::vector<Word> Automaton::ways() const {
  std::vector<std::optional<Word>> found(states.size());
  std::deque<std::size_t> open = {0};
  found[0] = Word{};
  while (!open.empty()) {
    const std::size_t at = open.front();
    open.pop_front();
    for (Symbol symbol = 0; symbol < alphabet.size(); ++symbol) {
      const std::size_t to = states[at][symbol].to;
      if (found[to]) continue;
      found[to] = *found[at];
      found[to]->push_back(symbol);
      open.push_back(to);
    }
  }
  std::vector<Word> out;
  for (std::optional<Word>& one : found) out.push_back(one.value_or(Word{}));
  return out;
}

Automaton in_order(const Automaton& automaton) {
  std::map<std::size_t, std::size_t> number = {{0, 0}};
  std::vector<std::size_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Automaton::Edge& edge : automaton.states[order[i]])
      if (number.emplace(edge.to, order.size()).second) order.push_back(edge.to);
  Automaton out{automaton.alphabet, {}};
  for (const std::size_t state : order) {
    out.states.push_back(automaton.states[state]);
    for (Automaton::Edge& edge : out.states.back()) edge.to = number.at(edge.to);
  }
  return out;
}

std::optional<Word> difference(const Automaton& a, const Automaton& b) {
  using Pair = std::pair<std::size_t, std::size_t>;
  std::set<Pair> seen = {{0, 0}};
  std::deque<std::pair<Pair, Word>> open = {{{0, 0}, {}}};
  while (!open.empty()) {
    const auto [at, word] = std::move(open.front());
    open.pop_front();
    for (Symbol symbol = 0; symbol < a.alphabet.size(); ++symbol) {
      const Automaton::Edge& one = a.states[at.first][symbol];
      const Automaton::Edge& other = b.states[at.second][symbol];
      Word longer = word;
      longer.push_back(symbol);
      if (one.output != other.output) return longer;
      if (seen.insert({one.to, other.to}).second)
        open.push_back({{one.to, other.to}, std::move(longer)});
    }
  }
  return std::nullopt;
}

Changes changes(const Automaton& before, const Automaton& after) {
  Changes out;
  std::vector<std::pair<Symbol, Symbol>> both;
  for (Symbol i = 0; i < before.alphabet.size(); ++i) {
    const auto same = std::find(after.alphabet.begin(), after.alphabet.end(), before.alphabet[i]);
    if (same == after.alphabet.end())
      out.gone.push_back(before.alphabet[i]);
    else
      both.emplace_back(i, static_cast<Symbol>(same - after.alphabet.begin()));
  }
  for (const std::string& name : after.alphabet)
    if (std::find(before.alphabet.begin(), before.alphabet.end(), name) == before.alphabet.end())
      out.come.push_back(name);
  using Pair = std::pair<std::size_t, std::size_t>;
  std::set<Pair> seen = {{0, 0}};
  std::deque<std::pair<Pair, std::vector<std::string>>> open = {{{0, 0}, {}}};
  while (!open.empty()) {
    const auto [at, way] = std::move(open.front());
    open.pop_front();
    for (const auto& [old_symbol, new_symbol] : both) {
      const Automaton::Edge& one = before.states[at.first][old_symbol];
      const Automaton::Edge& other = after.states[at.second][new_symbol];
      const std::string& name = before.alphabet[old_symbol];
      if (one.output != other.output) {
        out.changes.push_back({way, name, one.output, other.output});
        continue;
      }
      if (!seen.insert({one.to, other.to}).second) continue;
      std::vector<std::string> longer = way;
      longer.push_back(name);
      open.push_back({{one.to, other.to}, std::move(longer)});
    }
  }
  return out;
}

}  // namespace fuzz
