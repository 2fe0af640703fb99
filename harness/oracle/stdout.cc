// SPDX-License-Identifier: Apache-2.0
// What the server writes on stdout or a socket, as a stream: one message a line, or behind a header
// with its length, and nothing else. Broken lines are
// sorted by what they look like (a message over several lines, two on one, a header, a log line)
// and each sort is reported once, with how often it was seen.
#include <algorithm>
#include <map>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/traffic.h"
#include "harness/wire/header_fault.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kMaxJoined = 4000;  // lines of one spread message
constexpr std::size_t kMaxFramesNamed = 6;

enum class Sort {
  kSpread,        // a message over several lines
  kTwo,           // two messages on a line
  kHeader,        // Content-Length framing
  kEscape,        // terminal control sequences
  kBeforeInput,   // text before we said anything
  kText,          // any other text
  kUnterminated,  // the last line, without its newline
  kBlank,
  kCarriageReturn,
  kLength,   // a header without a usable length
  kFraming,  // a header that cannot be understood, or bytes where one is due
  kLineEnd,  // headers of messages that can be read all the same
  kHeaderText,
  kCharset,
};

struct Seen {
  std::string example;
  std::vector<std::uint64_t> frames;
  std::size_t times = 0;
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_header(std::string_view text) {
  return ascii::starts_with_ignoring_case(text, "content-length:") ||
         ascii::starts_with_ignoring_case(text, "content-type:");
}

class Lines {
 public:
  explicit Lines(const Evidence& evidence) : evidence_(evidence) {
    const auto& frames = evidence.transcript.frames;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const bool received = frames[i].direction == wire::Direction::kReceived;
      if (received && (frames[i].channel == wire::Channel::kStdout ||
                       frames[i].channel == wire::Channel::kSocket))
        lines_.push_back(i);
    }
  }

  void sort() {
    for (std::size_t i = 0; i < lines_.size();) i += sort_at(i);
  }

  const std::map<Sort, Seen>& seen() const { return seen_; }

 private:
  const wire::Frame& line(std::size_t i) const { return evidence_.transcript.frames[lines_[i]]; }
  bool is_json(std::size_t i) const { return evidence_.messages[lines_[i]].is_json; }

  void note(Sort sort, std::size_t i, std::string example) {
    Seen& seen = seen_[sort];
    const bool again = seen.times > 0 && seen.example == example;
    if (seen.times++ == 0) seen.example = std::move(example);
    if (seen.frames.size() < kMaxFramesNamed && !again) seen.frames.push_back(line(i).seq);
  }
  void note(Sort sort, std::size_t i) { note(sort, i, shown(line(i).bytes)); }

  // How many lines from `i` on are one JSON text together; 0 when none are.
  std::size_t spread(std::size_t i) const {
    if (!attempts_json(line(i).bytes) || end_of_first_value(line(i).bytes) != std::string::npos)
      return 0;
    std::string joined = line(i).bytes;
    for (std::size_t n = 1; i + n < lines_.size() && n < kMaxJoined; ++n) {
      const std::string& next = line(i + n).bytes;
      joined += '\n';
      joined += next;
      // Reading is worth while only where the outermost bracket may close.
      if (next.find_first_of("}]") == std::string::npos) continue;
      const std::size_t end = end_of_first_value(joined);
      if (end == std::string::npos) continue;
      return std::holds_alternative<json::Reading>(json::read(joined)) ? n + 1 : 0;
    }
    return 0;
  }

  bool before_input(std::size_t i) const {
    const auto& frames = evidence_.transcript.frames;
    return evidence_.from_start() &&
           std::none_of(
               frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(lines_[i]),
               [](const wire::Frame& f) {
                 return f.direction == wire::Direction::kSent &&
                        (f.channel == wire::Channel::kStdin || f.channel == wire::Channel::kSocket);
               });
  }

  // Sorts the line and returns how many lines that settled.
  std::size_t sort_at(std::size_t i) {
    const wire::Frame& frame = line(i);
    if (frame.size > frame.bytes.size()) return 1;  // we cut it ourselves
    const std::string_view text = frame.bytes;
    if (!evidence_.lines()) {
      sort_framed(i);
      return 1;
    }
    if (frame.unframed) {
      const Sort other = before_input(i) ? Sort::kBeforeInput : Sort::kText;
      if (!is_blank(text)) note(attempts_json(text) ? Sort::kUnterminated : other, i);
      return 1;
    }
    if (const auto breaks = std::count(text.begin(), text.end(), '\n'); breaks > 0) {
      note(Sort::kSpread, i,
           "a message over " + std::to_string(breaks + 1) + " lines: " + shown(text));
      return 1;
    }
    if (is_blank(text)) {
      note(Sort::kBlank, i, "a blank line");
      return 1;
    }
    if (is_json(i)) {
      if (text.back() == '\r') note(Sort::kCarriageReturn, i);
      return 1;
    }
    if (evidence_.messages[lines_[i]].error.fault == json::ReadFault::kTooDeep) return 1;
    if (const std::size_t n = spread(i); n > 0) {
      note(Sort::kSpread, i, "a message over " + std::to_string(n) + " lines, from " + shown(text));
      return n;
    }
    if (two_texts(text)) {
      note(Sort::kTwo, i);
    } else if (is_header(text)) {
      note(Sort::kHeader, i);
    } else if (is_whole(text)) {
      // Broken JSON: the JSON oracle says what is wrong with it.
    } else if (text.substr(0, 3) == kByteOrderMark) {
      // Likewise.
    } else if (text.find('\x1b') != std::string_view::npos) {
      note(Sort::kEscape, i);
    } else {
      note(before_input(i) ? Sort::kBeforeInput : Sort::kText, i);
    }
    return 1;
  }

  // A message between headers; what attempts to be JSON is the business of the JSON oracle.
  void sort_framed(std::size_t i) {
    const wire::Frame& frame = line(i);
    const std::string* fault = frame.head ? frame.head->header("reason") : nullptr;
    if (!frame.unframed && fault != nullptr)
      note(*fault == wire::kLineFeedAlone  ? Sort::kLineEnd
           : *fault == wire::kOtherCharset ? Sort::kCharset
                                           : Sort::kHeaderText,
           i, printable(*fault));
    if (frame.unframed) {
      // What the end cut off may be our doing.
      const bool cut_off = fault != nullptr && fault->starts_with("the stream ended");
      const bool length = fault != nullptr &&
                          (*fault == "no Content-Length" || fault->starts_with("a Content-Length"));
      if (fault != nullptr && !cut_off)
        note(length ? Sort::kLength : Sort::kFraming, i,
             printable(*fault) + ": " + shown(frame.bytes));
    } else if (is_blank(frame.bytes)) {
      note(Sort::kBlank, i, "an empty message");
    } else if (!is_json(i) && !attempts_json(frame.bytes)) {
      note(Sort::kText, i);
    }
  }

  const Evidence& evidence_;
  std::vector<std::size_t> lines_;
  std::map<Sort, Seen> seen_;
};

// A server told to end may be cut off in the middle of a line.
Severity severity_at_end(const Evidence& evidence, bool& skip) {
  for (const wire::Frame& frame : evidence.transcript.frames) {
    if (frame.direction != wire::Direction::kSent || frame.channel != wire::Channel::kClose)
      continue;
    if (frame.bytes.compare(0, 6, "signal") == 0) skip = true;
    return Severity::kWarn;
  }
  return Severity::kFail;
}

void report_sort(const Evidence& evidence, Sink& sink, Sort sort, const Seen& seen) {
  Breach breach{evidence.lines() ? "only messages, one per line"
                                 : "only messages, each after a header with its length",
                seen.example, seen.frames};
  breach.came = Observation{NotAMessage{}};
  breach.came->texts = {seen.example};
  if (seen.times > 1) breach.seen += " and " + std::to_string(seen.times - 1) + " more such";
  switch (sort) {
    case Sort::kSpread:
      breach.expected = "each message on one line";
      breach.flaw = "spread";
      return report_best(evidence, sink,
                         {"mcp.stdio.no-embedded-newlines", "acp.stdio.one-line",
                          "tutorial.stdio.line-delimited", "json.output.grammar"},
                         std::move(breach));
    case Sort::kTwo:
      breach.expected = "each message on its own line";
      breach.flaw = "two";
      return report_best(evidence, sink,
                         {"mcp.stdio.newline-delimited", "acp.stdio.one-line",
                          "tutorial.stdio.line-delimited", "json.output.grammar"},
                         std::move(breach));
    case Sort::kBeforeInput:
      breach.expected = "nothing but messages before the first input";
      breach.flaw = "before input";
      return report_best(evidence, sink,
                         {"mcp.stdio.no-startup-output", "acp.stdio.messages-only",
                          "tutorial.stdio.line-delimited", "json.output.grammar"},
                         std::move(breach));
    case Sort::kUnterminated: {
      bool skip = false;
      breach.expected = "a newline after each message";
      breach.flaw = "no end";
      breach.at_most = severity_at_end(evidence, skip);
      if (skip) return;
      return report_best(
          evidence, sink,
          {"mcp.stdio.newline-delimited", "acp.stdio.one-line", "tutorial.stdio.line-delimited"},
          std::move(breach));
    }
    case Sort::kBlank:
      breach.flaw = "blank";
      breach.at_most = Severity::kWarn;
      return report_best(evidence, sink,
                         {"mcp.stdio.stdout-only-messages", "acp.stdio.messages-only",
                          "tutorial.stdio.line-delimited", "json.output.grammar"},
                         std::move(breach));
    case Sort::kCarriageReturn:
      breach.expected = "only a line feed at the end of a line";
      breach.flaw = "carriage return";
      breach.headline = "Lines end with a carriage return before the newline";
      breach.at_most = Severity::kWarn;
      return report_best(evidence, sink, {"mcp.stdio.newline-delimited", "acp.stdio.one-line"},
                         std::move(breach));
    case Sort::kLineEnd:
      return report_best(evidence, sink, {"lsp.framing.crlf-out"}, std::move(breach));
    case Sort::kHeaderText:
      return report_best(evidence, sink, {"lsp.framing.header-ascii-out"}, std::move(breach));
    case Sort::kCharset:
      return report_best(evidence, sink, {"lsp.framing.content-type-out"}, std::move(breach));
    case Sort::kLength:
      return report_best(evidence, sink,
                         {"mcp.stdio.stdout-only-messages", "acp.stdio.messages-only",
                          "tutorial.stdio.line-delimited", "json.output.grammar",
                          "lsp.framing.length-present-out"},
                         std::move(breach));
    case Sort::kFraming:
    case Sort::kHeader:
    case Sort::kEscape:
    case Sort::kText:
      return report_best(evidence, sink,
                         {"mcp.stdio.stdout-only-messages", "acp.stdio.messages-only",
                          "tutorial.stdio.line-delimited", "json.output.grammar",
                          "lsp.framing.nothing-else-on-channel"},
                         std::move(breach));
  }
}

}  // namespace

void judge_stdout(const Evidence& evidence, Sink& sink) {
  if (!evidence.stream()) return;
  Lines lines(evidence);
  lines.sort();
  for (const auto& [sort, seen] : lines.seen()) report_sort(evidence, sink, sort, seen);
}

}  // namespace harness::oracle
