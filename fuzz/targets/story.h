// SPDX-License-Identifier: Apache-2.0
// Transcripts as inputs: as rpcspec writes them, or a story that is easier to mutate. Its first
// line names a profile and a transport, each following line is a frame:
//
//   mcp-2025-06-18 stdio
//   > {"jsonrpc":"2.0","id":1,"method":"ping"}       sent       >! raw bytes; \n is a newline in
//   them < {"jsonrpc":"2.0","id":1,"result":{}}           received   <! without its end ! a line of
//   stderr      = exit 1      . stdin (we closed)      , stdout (they closed) > 2 POST /mcp … with
//   http: the exchange, and what its head says; + Name: value below it < 2 200 text/html …     ~ 2
//   … an event of exchange 2
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/targets/property.h"
#include "harness/base/text.h"
#include "harness/base/words.h"
#include "harness/wire/frame.h"

namespace fuzz {

inline std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return word;
}

inline int number(std::string_view word) {
  int out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out);
  return out;
}

inline std::string unescaped(std::string_view text) {
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

inline void add_http(harness::wire::Frame& frame, std::string_view line) {
  frame.channel = harness::wire::Channel::kHttp;
  frame.exchange = number(take_word(line));
  frame.head.emplace();
  if (frame.direction == harness::wire::Direction::kSent) {
    frame.head->method = take_word(line);
    frame.head->target = take_word(line);
  } else {
    frame.head->status = number(take_word(line));
    frame.head->headers.push_back({"Content-Type", std::string(take_word(line))});
  }
  frame.bytes = line;
}

inline harness::wire::Transcript story(std::string_view text) {
  harness::wire::Transcript out;
  std::string_view first = take_line(text);
  out.profile = take_word(first);
  out.transport = harness::wire::transport_named(take_word(first))
                      .value_or(harness::wire::TransportKind::kUnknown);
  out.framing = take_word(first);
  const bool http = harness::wire::traits_of(out.transport).http;
  while (!text.empty()) {
    std::string_view line = take_line(text);
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
    harness::wire::Frame frame;
    frame.seq = out.frames.size() + 1;
    frame.direction = mark == '>' || mark == '.' ? harness::wire::Direction::kSent
                                                 : harness::wire::Direction::kReceived;
    if (line.starts_with('!')) {
      frame.unframed = true;
      line.remove_prefix(1);
    }
    if (line.starts_with(' ')) line.remove_prefix(1);
    frame.bytes = unescaped(line);
    const bool socket = !http && out.transport != harness::wire::TransportKind::kStdio;
    if (mark == '>' || mark == '<') {
      if (http) {
        add_http(frame, line);
      } else if (socket) {
        frame.channel = harness::wire::Channel::kSocket;
      } else {
        frame.channel =
            mark == '>' ? harness::wire::Channel::kStdin : harness::wire::Channel::kStdout;
      }
    } else if (mark == '~') {
      frame.channel = harness::wire::Channel::kSse;
      frame.exchange = number(take_word(line));
      frame.bytes = line;
      frame.head.emplace();
    } else if (mark == '!') {
      frame.channel = harness::wire::Channel::kStderr;
    } else if (mark == '=') {
      frame.channel = harness::wire::Channel::kExit;
    } else if (mark == '.' || mark == ',') {
      frame.channel = harness::wire::Channel::kClose;
      if (http) frame.exchange = number(line);
    } else {
      continue;
    }
    frame.size = frame.bytes.size();
    out.frames.push_back(std::move(frame));
  }
  return out;
}

inline harness::wire::Transcript recorded_or_story(std::string_view text) {
  auto recorded = harness::wire::from_json_lines(text, "x");
  return recorded ? std::move(*recorded) : story(text);
}

}  // namespace fuzz
