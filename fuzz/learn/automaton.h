// SPDX-License-Identifier: Apache-2.0
// Automaton: a Mealy machine, which answers each symbol by an output and goes to another state.
// Pure.
#pragma once

#include <cstddef>
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
  // The shortest word to each state, in the order of the alphabet. Every state must have one.
  std::vector<Word> ways() const;
  bool operator==(const Automaton&) const = default;
};

// The same with its states in the order in which they are reached; unreachable states are left out.
Automaton in_order(const Automaton& automaton);

// A shortest word that the two answer differently. Their alphabets are the same.
std::optional<Word> difference(const Automaton& a, const Automaton& b);

// What one state answers differently from the state that the same word reaches in another
// automaton.
struct Change {
  std::vector<std::string> way;  // a shortest
  std::string symbol;
  std::string before, after;  // outputs
};
struct Changes {
  std::vector<Change> changes;
  std::vector<std::string> gone, come;  // symbols that only one of the two has
  bool none() const { return changes.empty() && gone.empty() && come.empty(); }
};
// Compares only symbols that both alphabets have. After a change, what follows from it is not
// reported, unless another word leads there.
Changes changes(const Automaton& before, const Automaton& after);

}  // namespace fuzz
