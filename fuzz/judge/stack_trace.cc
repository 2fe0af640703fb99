// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/stack_trace.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "harness/base/text.h"
#include "harness/base/words.h"

namespace fuzz {
namespace {

using harness::oracle::Evidence;
using harness::oracle::Finding;
namespace json = harness::json;
namespace wire = harness::wire;

constexpr std::size_t kMostText = 256 * 1024;  // of one message that is looked at
constexpr int kStatements = 2;                 // lines of a trace that make it one
constexpr std::string_view kPythonHead = "Traceback (most recent call last)";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_digit(text[at]);
}

// ":12" behind `mark`, as in ".go:12".
bool numbered(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  return at != std::string_view::npos && digit_at(line, at + mark.size());
}

// `File "x.py", line 3`. What was given as text to be run has no file.
bool of_python(std::string_view line) {
  return line.starts_with("File \"") && !line.starts_with("File \"<") && numbered(line, ", line ");
}

// "at f (/x.js:3:7)", "at file:///x.js:3:7", "at node:internal/x:3:7".
bool of_node(std::string_view line) {
  if (!line.starts_with("at ")) return false;
  if (line.ends_with(')')) line.remove_suffix(1);
  int numbers = 0;
  while (!line.empty() && is_digit(line.back())) {
    while (!line.empty() && is_digit(line.back())) line.remove_suffix(1);
    if (!line.ends_with(':')) return false;
    line.remove_suffix(1);
    ++numbers;
  }
  return numbers == 2;
}

bool of_java(std::string_view line) {
  if (!line.starts_with("at ") || !line.ends_with(')')) return false;
  return numbered(line, ".java:") || numbered(line, ".kt:") || numbered(line, ".scala:") ||
         has(line, "(Native Method)") || has(line, "(Unknown Source)");
}

// "at A.B(C d) in /x.cs:line 3"; without debug information nothing stands behind the parenthesis.
bool of_dotnet(std::string_view line) {
  if (!line.starts_with("at ")) return false;
  if (numbered(line, ":line ")) return true;
  const std::size_t open = line.find('(');
  return line.ends_with(')') && open != std::string_view::npos &&
         line.substr(3, open - 3).find_first_of(" :/") == std::string_view::npos &&
         std::count(line.begin() + 3, line.begin() + static_cast<std::ptrdiff_t>(open), '.') >= 2;
}

// "#1 0x4c2 in f x.cc:3", "#1  0x00007f in f ()".
bool of_native(std::string_view line) {
  if (!line.starts_with('#') || !digit_at(line, 1)) return false;
  const std::size_t space = line.find_first_not_of("0123456789", 1);
  if (space == std::string_view::npos) return false;
  return harness::trimmed(line.substr(space)).starts_with("0x") && has(line, " in ");
}

bool of_go(std::string_view line) {
  return numbered(line, ".go:") && (has(line, " +0x") || line.starts_with('/'));
}

// "at src/main.rs:3:5" below the name of a function.
bool of_rust(std::string_view line) { return line.starts_with("at ") && numbered(line, ".rs:"); }

// "from server.rb:27:in `one'".
bool of_ruby(std::string_view line) { return numbered(line, ".rb:") && has(line, ":in "); }
// "#0 /srv/server.php(24): call()".
bool of_php(std::string_view line) { return digit_at(line, 1) && numbered(line, ".php("); }
// "server.lua:52: in main chunk".
bool of_lua(std::string_view line) { return numbered(line, ".lua:") && has(line, ": in "); }

struct Language {
  std::string_view name;
  std::string_view head;  // has to stand somewhere before; "" when the lines speak for themselves
  bool (*line)(std::string_view);
  int least;  // lines
};

constexpr Language kLanguages[] = {
    {"Python", kPythonHead, of_python, 1},    {"Go", "goroutine ", of_go, 1},
    {"Rust", "stack backtrace:", of_rust, 1}, {"Java", "", of_java, kStatements},
    {"Node", "", of_node, kStatements},       {".NET", "", of_dotnet, kStatements},
    {"C or C++", "", of_native, kStatements}, {"Ruby", "", of_ruby, kStatements},
    {"PHP", "Stack trace:", of_php, 1},       {"Lua", "stack traceback:", of_lua, 1},
};

// Texts below a value, one a line.
void gather(const json::Value& value, std::string& out) {
  if (out.size() > kMostText) return;
  if (value.is_string()) (out += value.text) += '\n';
  for (const json::Value& item : value.items) gather(item, out);
  for (const json::Member& member : value.members) gather(member.value, out);
}

// What a message says of a failure.
std::string failure_in(const wire::Message& message) {
  std::string out;
  if (message.kind == wire::MessageKind::kErrorResponse) {
    if (const json::Value* error = message.value.find("error")) gather(*error, out);
  } else if (message.kind == wire::MessageKind::kResponse) {
    const json::Value* failed = json::at(message.value, "/result/isError");
    if (failed != nullptr && failed->is_boolean() && failed->boolean)
      gather(*message.value.find("result"), out);
  } else if (message.kind == wire::MessageKind::kNotification) {
    const json::Value* method = message.method();
    const json::Value* params = message.value.find("params");
    if (method != nullptr && method->is_string() && method->text == "notifications/message" &&
        params != nullptr)
      gather(*params, out);
  }
  return out;
}

bool we_said(const Evidence& evidence, std::string_view line) {
  // In JSON quotes have other spellings; what stands between them is as it was.
  std::string_view longest;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of("\"\\/"), line.size());
    if (end > longest.size()) longest = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return std::any_of(evidence.transcript.frames.begin(), evidence.transcript.frames.end(),
                     [&](const wire::Frame& frame) {
                       return frame.direction == wire::Direction::kSent &&
                              has(frame.bytes, longest);
                     });
}

}  // namespace

StackTrace stack_trace_in(std::string_view text) {
  for (const Language& language : kLanguages) {
    const std::size_t head = text.find(language.head);
    if (head == std::string_view::npos) continue;
    std::string_view found;
    int lines = 0;
    for (std::string_view rest = text.substr(head); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = harness::trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!language.line(line)) continue;
      if (found.empty()) found = line;
      ++lines;
    }
    if (lines >= language.least) return {language.name, found};
  }
  return {};
}

void judge_stack_traces(const Evidence& evidence, std::vector<Finding>& out) {
  if (evidence.profile.tutorial) return;  // tutorial.error.stack-trace-optional allows them
  for (std::size_t i = 0; i < evidence.transcript.frames.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction == wire::Direction::kSent || frame.channel == wire::Channel::kStderr)
      continue;
    const wire::Message& message = evidence.messages[i];
    std::string text = failure_in(message);
    const bool refusal = frame.head && frame.head->status >= 400;
    if (refusal && text.empty()) text = frame.bytes.substr(0, kMostText);
    if (text.empty()) continue;
    const StackTrace trace = stack_trace_in(text);
    if (trace.language.empty() || we_said(evidence, trace.line)) continue;
    harness::oracle::report(evidence, out, "robust.no-stack-trace",
                            "a failure reported without its stack trace",
                            "a stack trace of " + std::string(trace.language) + ": `" +
                                harness::printable(trace.line, 160) + "`",
                            {frame.seq});
    if (out.empty() || !out.back().oracle.empty()) continue;
    out.back().oracle = "stack-trace";
    out.back().flaw = trace.language;
  }
}

}  // namespace fuzz
