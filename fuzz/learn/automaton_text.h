// SPDX-License-Identifier: Apache-2.0
// An automaton as text: for people, for Graphviz (DOT) and for Mermaid. The DOT text can be read
// back. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/learn/automaton.h"
#include "harness/base/result.h"

namespace fuzz {

// A mark on an edge: it breaks a clause.
struct Mark {
  std::size_t state = 0;
  Symbol symbol = 0;
  std::string text;
};

std::string to_text(const Automaton& automaton, const std::vector<Mark>& marks);
std::string to_dot(const Automaton& automaton, const std::vector<Mark>& marks,
                   const std::string& title);
std::string to_mermaid(const Automaton& automaton, const std::vector<Mark>& marks);

// The text that to_dot() wrote, without its marks. The Error names the invalid line; `name` is that
// of the file.
harness::Result<Automaton> read_dot(std::string_view text, const std::string& name);

}  // namespace fuzz
