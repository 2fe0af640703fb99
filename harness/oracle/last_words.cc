// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/last_words.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kMostLines = 12;
constexpr std::size_t kLongestLine = 300;  // bytes

bool is_name(char c) {
  return ascii::is_digit(c) || c == '_' || c == '.' || c == ':' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// "KeyError: 'name'", "json.decoder.JSONDecodeError: …", "java.lang.IllegalStateException: …".
bool names_an_exception(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_name(line[end])) ++end;
  while (end > 0 && line[end - 1] == ':') --end;
  const std::string_view name = line.substr(0, end);
  return end < line.size() && (name.ends_with("Error") || name.ends_with("Exception") ||
                               name.ends_with("error") || name.ends_with("Interrupt"));
}

// What runtimes begin the line with, or write in it, that says why they end.
bool says_why(std::string_view line) { return how_telling(line) > 0; }

bool names_the_reason(std::string_view line) {
  if (names_an_exception(line)) return true;
  // Ruby names it behind the message, Lua only the place: "tasks.lua:87: attempt to index …".
  const std::size_t lua = line.find(".lua:");
  if (line.ends_with("Error)") ||
      (lua != std::string_view::npos && line.find(": ", lua) != line.npos &&
       !line.starts_with("\\t") && !line.starts_with('\t')))
    return true;
  for (const char* begin : {"panic: ", "fatal error: ", "fatal: ", "FATAL"})
    if (line.starts_with(begin)) return true;
  for (const char* part : {" panicked at ", "Assertion ", "what():  ", "ERROR: AddressSanitizer",
                           "runtime error: ", "Uncaught ", "Segmentation fault"})
    if (line.find(part) != std::string_view::npos) return true;
  return false;
}

// "2026-11-30 22:31:11 [Info] one client left", "INFO: ready", "level=debug msg=…".
bool logs_progress(std::string_view line) {
  constexpr std::size_t kHead = 48;  // bytes in which loggers write the level
  const std::string head = ascii::lower(line.substr(0, kHead));
  for (const char* level : {"info", "debug", "notice", "trace"}) {
    const std::size_t size = std::string_view(level).size();
    for (std::size_t at = head.find(level); at != head.npos; at = head.find(level, at + 1)) {
      const char before = at == 0 ? ' ' : head[at - 1];
      const char after = at + size < head.size() ? head[at + size] : ' ';
      if ((before == '[' && after == ']') || (before == '=' && after == ' ') ||
          (before == ' ' && after == ':') || (before == '|' && after == '|') ||
          (before == ' ' && after == ' ' && line.substr(at, size) != level))
        return true;
    }
  }
  return false;
}

void keep(std::deque<std::string>& lines, std::string_view bytes) {
  std::string line = printable(bytes, kLongestLine);
  if (line.find_first_not_of(" \t") == std::string::npos) return;
  lines.push_back(std::move(line));
  if (lines.size() <= kMostLines) return;
  // The line that says why may stand above a long stack.
  const auto plain = std::find_if_not(lines.begin(), lines.end(), says_why);
  lines.erase(plain == lines.end() ? lines.begin() : plain);
}

std::vector<std::string> lines_of(std::string_view output) {
  std::deque<std::string> lines;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    keep(lines, output.substr(at, end - at));
    at = end + 1;
  }
  return {lines.begin(), lines.end()};
}

void fill(Finding& finding, Ended& end, std::vector<std::string> lines) {
  end.last_words = std::move(lines);
  end.why = telling_line(end.last_words);
  if (!end.why.empty()) finding.seen += "; stderr: " + end.why;
}

}  // namespace

int how_telling(std::string_view line) {
  if (names_the_reason(line)) return 2;
  return line.starts_with("terminate called") ? 1 : 0;  // C++; `what():` on another line says more
}

std::vector<std::string> last_lines(const wire::Transcript& transcript, std::uint64_t seq) {
  std::deque<std::string> lines;
  bool ended = false, reached = false;
  for (const wire::Frame& frame : transcript.frames) {
    const bool sent = frame.direction == wire::Direction::kSent;
    if (sent && ended) {  // to another process
      if (reached) break;
      lines.clear();
      ended = false;
    }
    reached |= frame.seq >= seq;
    ended |= frame.channel == wire::Channel::kExit;
    if (frame.channel == wire::Channel::kStderr && !sent) keep(lines, frame.bytes);
  }
  return {lines.begin(), lines.end()};
}

std::string telling_line(const std::vector<std::string>& lines) {
  const auto why = std::max_element(lines.rbegin(), lines.rend(), [](const auto& a, const auto& b) {
    return how_telling(a) < how_telling(b);
  });
  if (why != lines.rend() && says_why(*why)) {
    // Rust: "thread 'main' panicked at src/main.rs:7:5:", and the message on the next line.
    const std::size_t panic = why->find("panicked at ");
    const bool goes_on = panic != why->npos && why->ends_with(':') && why.base() != lines.end();
    return goes_on ? *why.base() + " (" + why->substr(panic, why->size() - 1 - panic) + ")" : *why;
  }
  // The last that is no line of a stack and no log of what goes well.
  const auto plain = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) {
    return !logs_progress(line) && !line.starts_with(' ') && !line.starts_with('\t') && !line.starts_with("\\t") &&
           !line.starts_with("Node.js v");
  });
  return plain == lines.rend() ? "" : *plain;
}

namespace {

// The exception, or the like, that it wrote while a reply was awaited; "" where it wrote none.
std::string why_silent(const wire::Transcript& transcript, std::uint64_t from, std::uint64_t to) {
  std::deque<std::string> lines;
  for (const wire::Frame& frame : transcript.frames) {
    const bool sent = frame.direction == wire::Direction::kSent;
    if (sent && frame.seq > to) break;
    if (frame.channel == wire::Channel::kStderr && !sent && frame.seq > from)
      keep(lines, frame.bytes);
  }
  const std::string why = telling_line({lines.begin(), lines.end()});
  return std::any_of(lines.begin(), lines.end(), says_why) ? why : "";
}

}  // namespace

void add_last_words(Finding& finding, const wire::Transcript& transcript) {
  const Symptom symptom = symptom_of(finding);
  if ((symptom == Symptom::kSilence || symptom == Symptom::kHang) && !finding.frames.empty()) {
    const std::string why = why_silent(transcript, finding.frames.front(), finding.frames.back());
    if (!why.empty()) finding.seen += "; stderr: " + why;
  }
  Ended* end = std::get_if<Ended>(&finding.came.came);
  if (!end || finding.frames.empty() || !end->last_words.empty()) return;
  fill(finding, *end, last_lines(transcript, finding.frames.back()));
}

void add_last_words(Finding& finding, std::string_view output) {
  if (Ended* end = std::get_if<Ended>(&finding.came.came)) fill(finding, *end, lines_of(output));
}

std::string telling_line_of(std::string_view output) { return telling_line(lines_of(output)); }

}  // namespace harness::oracle
