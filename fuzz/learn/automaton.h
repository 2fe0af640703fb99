// SPDX-License-Identifier: Apache-2.0
// Automaton: a Mealy machine, which answers each symbol by an output and goes to another state.
// Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

using Symbol = std::size_t;  // index into an alphabet
using Word = std::vector<Symbol>;
using Outputs = std::vector<std::string>;  // one for each symbol of a word

struct Automaton {
  struct Edge {
    std::size_t to = 0;
    std::string output;
    bool operator==(const Edge&) const = default;
  };
  std::vector<std::string> alphabet;
  std::vector<std::vector<Edge>> states;  // by state, then by symbol; 0 is the first state

  Outputs outputs(const Word& word) const;
  std::size_t state_after(const Word& word) const;
  // The shortest way to each state, in the order of the alphabet. Every state has to have one.
  std::vector<Word> ways() const;
  bool operator==(const Automaton&) const = default;
};

// The same with its states in the order in which they are reached; what is not reached is left out.
Automaton in_order(const Automaton& automaton);

// A shortest word that the two answer differently. Their alphabets are the same.
std::optional<Word> difference(const Automaton& a, const Automaton& b);

// What one state answers otherwise than the state of another automaton that the same word leads to.
struct Change {
  std::vector<std::string> way;  // a shortest
  std::string symbol;
  std::string before, after;  // outputs
};
struct Changes {
  std::vector<Change> changes;
  std::vector<std::string> gone, come;  // symbols that only the one, only the other has
  bool none() const { return changes.empty() && gone.empty() && come.empty(); }
};
// Only what both have in their alphabets is compared. Behind a change nothing is said of what
// follows from it, where another way does not lead there.
Changes changes(const Automaton& before, const Automaton& after);

}  // namespace fuzz
