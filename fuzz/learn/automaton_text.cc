// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/automaton_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "harness/base/text.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostStates = 4096;
constexpr std::size_t kShown = 200;

// Symbols and outputs are one line without quotes and what separates them.
std::string plain(const std::string& text) {
  std::string out = harness::printable(text, kShown);
  std::replace(out.begin(), out.end(), '"', '\'');
  std::replace(out.begin(), out.end(), '\\', '/');
  std::replace(out.begin(), out.end(), ';', ',');
  return out;
}

const Mark* mark_of(const std::vector<Mark>& marks, std::size_t state, Symbol symbol) {
  for (const Mark& mark : marks)
    if (mark.state == state && mark.symbol == symbol) return &mark;
  return nullptr;
}

std::string way_words(const Automaton& automaton, const Word& way) {
  if (way.empty()) return "at the beginning";
  std::string out = "after ";
  for (std::size_t i = 0; i < way.size(); ++i)
    out += (i == 0 ? "" : ", ") + plain(automaton.alphabet[way[i]]);
  return out;
}

// Symbols of one edge, by what they are answered.
using Answers = std::map<std::string, std::vector<Symbol>>;
std::map<std::size_t, Answers> by_target(const Automaton& automaton, std::size_t state) {
  std::map<std::size_t, Answers> out;
  for (Symbol symbol = 0; symbol < automaton.alphabet.size(); ++symbol) {
    const Automaton::Edge& edge = automaton.states[state][symbol];
    out[edge.to][edge.output].push_back(symbol);
  }
  return out;
}

std::string names_of(const Automaton& automaton, const std::vector<Symbol>& symbols) {
  std::string out;
  for (const Symbol symbol : symbols)
    out += (out.empty() ? "" : ", ") + plain(automaton.alphabet[symbol]);
  return out;
}

// Takes the text in quotes behind `before` in the line.
std::optional<std::string_view> quoted_behind(std::string_view line, std::string_view before) {
  const std::size_t at = line.find(before);
  if (at == line.npos) return std::nullopt;
  const std::size_t begin = at + before.size();
  const std::size_t end = line.find('"', begin);
  if (end == line.npos) return std::nullopt;
  return line.substr(begin, end - begin);
}

std::optional<std::size_t> number_behind(std::string_view line, std::size_t at) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(line.data() + at, line.data() + line.size(), value);
  if (error != std::errc() || value >= kMostStates) return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(const Automaton& automaton, const std::vector<Mark>& marks) {
  std::string out;
  std::size_t width = 0;
  for (const std::string& name : automaton.alphabet) width = std::max(width, plain(name).size());
  const std::vector<Word> ways = automaton.ways();
  for (std::size_t state = 0; state < automaton.states.size(); ++state) {
    out += fmt::format("{}s{}, {}\n", state == 0 ? "" : "\n", state,
                       way_words(automaton, ways[state]));
    for (Symbol symbol = 0; symbol < automaton.alphabet.size(); ++symbol) {
      const Automaton::Edge& edge = automaton.states[state][symbol];
      const Mark* mark = mark_of(marks, state, symbol);
      out += fmt::format("{} {:<{}}  {} s{}  {}{}\n", mark ? "!" : " ",
                         plain(automaton.alphabet[symbol]), width, edge.to == state ? "=" : ">",
                         edge.to, plain(edge.output), mark ? "   (" + mark->text + ")" : "");
    }
  }
  return out;
}

std::string to_dot(const Automaton& automaton, const std::vector<Mark>& marks,
                   const std::string& title) {
  std::string out = "digraph life_cycle {\n  label=\"" + plain(title) + "\"\n";
  out += "  rankdir=LR\n  node [shape=circle]\n  start [shape=point]\n  start -> s0\n";
  const std::vector<Word> ways = automaton.ways();
  for (std::size_t state = 0; state < automaton.states.size(); ++state)
    out += fmt::format("  s{} [tooltip=\"{}\"]\n", state, way_words(automaton, ways[state]));
  for (std::size_t state = 0; state < automaton.states.size(); ++state)
    for (Symbol symbol = 0; symbol < automaton.alphabet.size(); ++symbol) {
      const Automaton::Edge& edge = automaton.states[state][symbol];
      const Mark* mark = mark_of(marks, state, symbol);
      out += fmt::format("  s{} -> s{} [label=\"{} / {}\"{}]\n", state, edge.to,
                         plain(automaton.alphabet[symbol]), plain(edge.output),
                         mark ? " color=red tooltip=\"" + plain(mark->text) + "\"" : "");
    }
  return out + "}\n";
}

std::string to_mermaid(const Automaton& automaton, const std::vector<Mark>& marks) {
  // A colon begins the label, and only one may.
  const auto label = [](std::string text) {
    std::replace(text.begin(), text.end(), ':', '.');
    return text;
  };
  std::string out = "stateDiagram-v2\n  [*] --> s0\n";
  for (std::size_t state = 0; state < automaton.states.size(); ++state)
    for (const auto& [to, answers] : by_target(automaton, state))
      for (const auto& [output, symbols] : answers) {
        const bool marked = std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
          return mark_of(marks, state, symbol) != nullptr;
        });
        out += fmt::format(
            "  s{} --> s{}: {}\n", state, to,
            label((marked ? "(!) " : "") + names_of(automaton, symbols) + " / " + plain(output)));
      }
  return out;
}

harness::Result<Automaton> read_dot(std::string_view text, const std::string& name) {
  Automaton out;
  std::map<std::string, Symbol, std::less<>> symbols;
  struct Read {
    std::size_t from;
    Symbol symbol;
    Automaton::Edge edge;
  };
  std::vector<Read> edges;
  std::size_t line_number = 0, states = 0;
  const auto wrong = [&](const std::string& what) {
    return harness::Error{fmt::format("{}:{}", name, std::max<std::size_t>(line_number, 1)), what,
                          "give a file that `rpcspec learn --to dot=FILE` wrote"};
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    const std::size_t arrow = line.find(" -> s");
    if (arrow == line.npos || !line.starts_with("  s") || line.starts_with("  start")) continue;
    const std::optional<std::size_t> from = number_behind(line, 3);
    const std::optional<std::size_t> to = number_behind(line, arrow + 5);
    const std::optional<std::string_view> label = quoted_behind(line, "[label=\"");
    const std::size_t slash = label ? label->find(" / ") : std::string_view::npos;
    if (!from || !to || slash == std::string_view::npos)
      return wrong("the line is not an edge `sN -> sM [label=\"SYMBOL / OUTPUT\"]`");
    const std::string symbol(label->substr(0, slash));
    const auto known = symbols.emplace(symbol, out.alphabet.size());
    if (known.second) out.alphabet.push_back(symbol);
    edges.push_back({*from, known.first->second, {*to, std::string(label->substr(slash + 3))}});
    states = std::max({states, *from + 1, *to + 1});
  }
  if (edges.empty()) return wrong("it contains no edge of an automaton");
  out.states.assign(states, std::vector<Automaton::Edge>(out.alphabet.size(), {0, ""}));
  for (Read& one : edges) out.states[one.from][one.symbol] = std::move(one.edge);
  if (edges.size() != states * out.alphabet.size())
    return wrong(fmt::format("it has {} edges, and {} states with {} symbols need {}", edges.size(),
                             states, out.alphabet.size(), states * out.alphabet.size()));
  return out;
}

}  // namespace fuzz
