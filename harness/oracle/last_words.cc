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
bool says_why(std::string_view line) {
  if (names_an_exception(line)) return true;
  // Ruby names it behind the message, Lua only the place: "tasks.lua:87: attempt to index …".
  const std::size_t lua = line.find(".lua:");
  if (line.ends_with("Error)") ||
      (lua != std::string_view::npos && line.find(": ", lua) != line.npos &&
       !line.starts_with("\\t") && !line.starts_with('\t')))
    return true;
  for (const char* begin : {"panic: ", "fatal error: ", "terminate called", "fatal: ", "FATAL"})
    if (line.starts_with(begin)) return true;
  for (const char* part : {" panicked at ", "Assertion ", "what():  ", "ERROR: AddressSanitizer",
                           "runtime error: ", "Uncaught ", "Segmentation fault"})
    if (line.find(part) != std::string_view::npos) return true;
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

void fill(Finding& finding, Ended& end, std::vector<std::string> lines) {
  end.last_words = std::move(lines);
  end.why = telling_line(end.last_words);
  if (!end.why.empty()) finding.seen += "; stderr: " + end.why;
}

}  // namespace

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
  const auto why = std::find_if(lines.rbegin(), lines.rend(), says_why);
  if (why != lines.rend()) return *why;
  // The last that is no line of a stack.
  const auto plain = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) {
    return !line.starts_with(' ') && !line.starts_with('\t') && !line.starts_with("\\t") &&
           !line.starts_with("Node.js v");
  });
  return plain == lines.rend() ? "" : *plain;
}

void add_last_words(Finding& finding, const wire::Transcript& transcript) {
  Ended* end = std::get_if<Ended>(&finding.came.came);
  if (!end || finding.frames.empty() || !end->last_words.empty()) return;
  fill(finding, *end, last_lines(transcript, finding.frames.back()));
}

void add_last_words(Finding& finding, std::string_view output) {
  std::deque<std::string> lines;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    keep(lines, output.substr(at, end - at));
    at = end + 1;
  }
  if (Ended* end = std::get_if<Ended>(&finding.came.came))
    fill(finding, *end, {lines.begin(), lines.end()});
}

}  // namespace harness::oracle
