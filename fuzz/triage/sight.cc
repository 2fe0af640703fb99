// SPDX-License-Identifier: Apache-2.0
#include "fuzz/triage/sight.h"

#include <algorithm>

#include "fuzz/judge/squeeze.h"
#include "harness/base/text.h"

namespace fuzz {
namespace {

constexpr std::string_view kMark = "==rpcspec== ";
constexpr std::string_view kSignature = "==rpcspec== signature ";
constexpr std::size_t kMostReport = 60000;
constexpr std::size_t kMostLine = 2000;

// The line that begins at `at`, without its end, fit for a terminal.
std::string line_at(std::string_view text, std::size_t at) {
  return harness::printable(text.substr(at, text.find('\n', at) - at), kMostLine);
}

// What the program wrote, as lines that a terminal can show: from `at` on, where there is more.
std::string shown(std::string_view text, std::size_t at) {
  std::string out;
  text = text.substr(std::min(at, text.size()), kMostReport);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out += harness::printable(line, kMostLine) + "\n";
  }
  return out;
}

}  // namespace

std::string signature_line(const Sight& sight) {
  return std::string(kSignature) + sight.kind + " " + sight.signature + "\n";
}

Sight wrong_answer(std::string_view clause, std::string signature, std::string report) {
  return {kWrongAnswer, std::move(signature), "a wrong answer: " + std::string(clause),
          std::move(report)};
}

// "[json.exception.type_error.316] invalid …" says by its brackets which it is.
Sight thrown(std::string_view type, std::string_view what, std::string report) {
  const std::string name = harness::printable(type, 200);
  const std::size_t end = what.starts_with('[') ? what.find(']') + 1 : 0;
  const std::string tag(what.substr(0, end));
  return {kCrash, name + " " + harness::printable(tag) + squeezed(what.substr(end)),
          "the handler threw " + name + ": " + harness::printable(what, 300), std::move(report)};
}

std::optional<Sight> sight_of(const Ending& ending) {
  if (!ending.late && ending.signal == 0 && ending.code == 0) return std::nullopt;
  const std::string_view said = ending.said;
  if (const std::size_t at = said.find(kSignature); at != said.npos) {
    const std::string line = line_at(said, at + kSignature.size());
    const std::size_t blank = line.find(' ');
    const std::size_t begin = said.find(kMark);
    return Sight{line.substr(0, blank), blank == line.npos ? "" : line.substr(blank + 1),
                 line_at(said, begin + kMark.size()), shown(said, begin)};
  }
  if (ending.late || said.find("libFuzzer: timeout") != said.npos)
    return Sight{kHang, "timeout", "it does not end", shown(said, 0), true, true};
  if (said.find("libFuzzer: out-of-memory") != said.npos)
    return Sight{kCrash, "out-of-memory", "it uses too much memory", shown(said, 0), true, true};
  if (std::string kind = crash_class(said); !kind.empty()) {
    const std::size_t begin = said.find("==ERROR:");
    // Which functions are the innermost ones is chance where they call each other.
    if (kind.find("stack-overflow") != kind.npos) kind = "stack-overflow";
    return Sight{kCrash, kind, kind, shown(said, begin == said.npos ? 0 : begin), false, true};
  }
  // libFuzzer ends by exit after a signal that it caught.
  const std::size_t deadly = said.find("libFuzzer: deadly signal");
  if (ending.signal == 0 && deadly == said.npos) {
    const std::string how = "exit code " + std::to_string(ending.code);
    return Sight{kCrash, how, "it ends with " + how, shown(said, 0), true, true};
  }
  const char* name = ending.signal != 0 ? ::sigabbrev_np(ending.signal) : nullptr;
  const std::string how = name ? std::string("SIG") + name : "deadly signal";
  return Sight{kCrash, how, "it ends by " + how, shown(said, deadly == said.npos ? 0 : deadly),
               true,   true};
}

}  // namespace fuzz
