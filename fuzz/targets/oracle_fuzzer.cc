// SPDX-License-Identifier: Apache-2.0
// oracle::judge over Transcripts nobody would record. An input is a Transcript as rpcspec writes
// it, or a story that is easier to mutate: the first line names a profile and a transport, each
// following line is a frame:
//
//   mcp-2025-06-18 stdio
//   > {"jsonrpc":"2.0","id":1,"method":"ping"}       sent       >! raw bytes; \n is a newline in
//   them < {"jsonrpc":"2.0","id":1,"result":{}}           received   <! without its end ! a line of
//   stderr      = exit 1      . stdin (we closed)      , stdout (they closed) > 2 POST /mcp … with
//   http: the exchange, and what its head says; < 2 200 text/html … ~ 2 …                   an
//   event of exchange 2
//
//   1. The verdict is the same each time.
//   2. A finding cites a requirement of its oracle, has words for what was expected and seen that
//   are
//      fit for a terminal, and frames that are there.
#include <algorithm>
#include <charconv>

#include "fuzz/targets/catalogue.h"
#include "fuzz/targets/property.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/oracle/finding_words.h"
#include "harness/oracle/oracle.h"

using namespace harness;
using fuzz::hold;
using wire::Channel;
using wire::Direction;

namespace {

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return word;
}

int number(std::string_view word) {
  int out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out);
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\\n") {
      out += '\n';
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

void add_http(wire::Frame& frame, std::string_view line) {
  frame.channel = Channel::kHttp;
  frame.exchange = number(take_word(line));
  frame.head.emplace();
  if (frame.direction == Direction::kSent) {
    frame.head->method = take_word(line);
    frame.head->target = take_word(line);
  } else {
    frame.head->status = number(take_word(line));
    frame.head->headers.push_back({"Content-Type", std::string(take_word(line))});
  }
  frame.bytes = line;
}

wire::Transcript story(std::string_view text) {
  wire::Transcript out;
  std::string_view first = fuzz::take_line(text);
  out.profile = take_word(first);
  out.transport = wire::transport_named(take_word(first)).value_or(wire::TransportKind::kUnknown);
  out.framing = take_word(first);
  const bool http = wire::traits_of(out.transport).http;
  while (!text.empty()) {
    std::string_view line = fuzz::take_line(text);
    const char mark = line.empty() ? ' ' : line.front();
    line.remove_prefix(line.empty() ? 0 : 1);
    if (mark == '+' && !out.frames.empty()) {
      auto& head = out.frames.back().head;
      if (!head) head.emplace();
      const std::size_t colon = std::min(line.find(": "), line.size());
      head->headers.push_back({std::string(harness::trimmed(line.substr(0, colon))),
                               std::string(line.substr(std::min(line.size(), colon + 2)))});
      continue;
    }
    wire::Frame frame;
    frame.seq = out.frames.size() + 1;
    frame.direction = mark == '>' || mark == '.' ? Direction::kSent : Direction::kReceived;
    if (line.starts_with('!')) {
      frame.unframed = true;
      line.remove_prefix(1);
    }
    if (line.starts_with(' ')) line.remove_prefix(1);
    frame.bytes = unescaped(line);
    const bool socket = !http && out.transport != wire::TransportKind::kStdio;
    if (mark == '>' || mark == '<') {
      if (http) {
        add_http(frame, line);
      } else if (socket) {
        frame.channel = Channel::kSocket;
      } else {
        frame.channel = mark == '>' ? Channel::kStdin : Channel::kStdout;
      }
    } else if (mark == '~') {
      frame.channel = Channel::kSse;
      frame.exchange = number(take_word(line));
      frame.bytes = line;
      frame.head.emplace();
    } else if (mark == '!') {
      frame.channel = Channel::kStderr;
    } else if (mark == '=') {
      frame.channel = Channel::kExit;
    } else if (mark == '.' || mark == ',') {
      frame.channel = Channel::kClose;
      if (http) frame.exchange = number(line);
    } else {
      continue;
    }
    frame.size = frame.bytes.size();
    out.frames.push_back(std::move(frame));
  }
  return out;
}

void check(const oracle::Finding& finding, const wire::Transcript& transcript) {
  const auto& table = oracle::oracles();
  const auto found = std::find_if(table.begin(), table.end(), [&](const oracle::Oracle& one) {
    return finding.oracle == one.name;
  });
  hold(found != table.end(), "a finding is of an oracle", finding.oracle);
  hold(std::find(found->covers.begin(), found->covers.end(), finding.requirement) !=
           found->covers.end(),
       "it cites a requirement of that oracle", finding.requirement);
  hold(fuzz::catalogue().find(finding.requirement) != nullptr, "of the catalogue",
       finding.requirement);
  hold(!finding.expected.empty() && !finding.seen.empty(), "it has words", finding.requirement);
  for (const std::string& words : {finding.expected, finding.seen, oracle::one_line(finding)}) {
    hold(is_utf8(words), "its words are UTF-8", words);
    hold(printable(words, words.size()) == words, "its words are fit for a terminal", words);
  }
  hold(!finding.frames.empty(), "it has frames", finding.requirement);
  for (const std::uint64_t seq : finding.frames) {
    hold(std::any_of(transcript.frames.begin(), transcript.frames.end(),
                     [&](const wire::Frame& frame) { return frame.seq == seq; }),
         "which are there", finding.requirement);
  }
}

std::vector<oracle::Finding> judged(const wire::Transcript& transcript,
                                    const spec::Profile& profile) {
  const oracle::Evidence evidence(transcript, profile, fuzz::catalogue());
  return oracle::judge(evidence);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto recorded = wire::from_json_lines(text, "x");
  const wire::Transcript transcript = recorded ? *recorded : story(text);
  const spec::Profile* profile = spec::find_profile(transcript.profile);
  if (profile == nullptr) profile = &spec::profiles()[size % spec::profiles().size()];
  const auto findings = judged(transcript, *profile);
  for (const auto& finding : findings) check(finding, transcript);
  const auto again = judged(transcript, *profile);
  hold(findings.size() == again.size(), "the verdict is the same each time");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    hold(oracle::one_line(findings[i]) == oracle::one_line(again[i]) && findings[i].frames == again[i].frames,
         "each finding is", oracle::one_line(findings[i]));
  }
  return 0;
}
