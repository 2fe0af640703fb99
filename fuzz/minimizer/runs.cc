// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/runs.h"

namespace fuzz {
namespace {

constexpr std::size_t kLongestUnit = 16;

// What closes the brackets that a unit opens.
std::string closing_of(std::string_view unit) {
  std::string out;
  for (auto c = unit.rbegin(); c != unit.rend(); ++c) {
    if (*c == '[') out += ']';
    if (*c == '{') out += '}';
    if (*c == ']' || *c == '}') return "";  // closed in itself
  }
  return out;
}

// "77" is "7" twice.
std::string_view shortest(std::string_view unit) {
  for (std::size_t length = 1; length < unit.size(); ++length)
    if (unit.size() % length == 0 && unit.substr(length) == unit.substr(0, unit.size() - length))
      return unit.substr(0, length);
  return unit;
}

void find_closing(std::string_view text, Run& run) {
  run.closing_unit = closing_of(run.unit);
  if (run.closing_unit.empty()) return;
  std::string some;
  for (std::size_t i = 0; i < kLeastRun; ++i) some += run.closing_unit;
  const std::size_t at = text.find(some, run.begin + run.unit.size() * run.times);
  if (at == std::string_view::npos) return;
  std::size_t closed = 0;
  const std::size_t length = run.closing_unit.size();
  while (closed < run.times && text.substr(at + closed * length, length) == run.closing_unit)
    ++closed;
  // Those outside are closed elsewhere, each in its own way.
  run.begin += (run.times - closed) * run.unit.size();
  run.times = closed;
  run.closing = at;
}

}  // namespace

std::optional<Run> longest_run(std::string_view text, const std::set<std::string>& done) {
  Run best;
  for (std::size_t unit = 1; unit <= kLongestUnit; ++unit) {
    for (std::size_t at = 0; at + unit < text.size();) {
      std::size_t same = 0;
      while (at + unit + same < text.size() && text[at + same] == text[at + unit + same]) ++same;
      const std::size_t times = same / unit + 1;
      const std::string_view piece = text.substr(at, unit);
      const bool longer = times * unit > best.times * best.unit.size();
      if (times >= kLeastRun && longer && !done.contains(std::string(shortest(piece))))
        best = {at, std::string(piece), times, std::string::npos, ""};
      at += same + 1;
    }
  }
  if (best.times == 0) return std::nullopt;
  find_closing(text, best);
  return best;
}

std::string with_times(std::string_view text, const Run& run, std::size_t times) {
  std::string out(text.substr(0, run.begin));
  for (std::size_t i = 0; i < times; ++i) out += run.unit;
  std::size_t rest = run.begin + run.unit.size() * run.times;
  if (run.closing != std::string::npos) {
    out += text.substr(rest, run.closing - rest);
    for (std::size_t i = 0; i < times; ++i) out += run.closing_unit;
    rest = run.closing + run.closing_unit.size() * run.times;
  }
  return out + std::string(text.substr(rest));
}

}  // namespace fuzz
