// SPDX-License-Identifier: Apache-2.0
// SseSplitter: cuts a text/event-stream into events as the bytes arrive, in bounded memory. Reads
// it like browsers: lines end with LF, CR or CRLF, a blank line ends an event, a block without data
// is not an event, comments are skipped. An id with a NUL, which browsers drop, is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::transport {

struct SseEvent {
  std::string data;        // the data lines joined by newlines, cut at max_event
  std::uint64_t size = 0;  // length of data before cutting
  bool terminated = true;  // false if the stream ended before the blank line
  std::optional<std::string> event, id, retry;  // of this event only; nothing is inherited
};

class SseSplitter {
 public:
  explicit SseSplitter(std::size_t max_event) : max_event_(max_event) {}

  // Offers the next bytes of the stream; they must stay valid until next() has returned nullopt.
  void give(std::string_view chunk) { chunk_ = chunk; }
  std::optional<SseEvent> next();
  // The incomplete last event of the stream, if it had data; or one without data if the stream
  // ended with a reconnection time or id of its own.
  std::optional<SseEvent> rest();

 private:
  void keep(std::string_view piece);
  std::optional<SseEvent> end_line();
  void field(std::string_view name, std::string_view value, std::uint64_t value_size);
  std::optional<SseEvent> dispatch(bool terminated);

  std::size_t max_event_;
  std::string_view chunk_;
  std::string line_;
  std::uint64_t line_size_ = 0;
  bool after_cr_ = false;   // an LF now belongs to the CR before it
  bool first_line_ = true;  // a byte order mark may come first
  bool has_data_ = false;
  SseEvent event_;
};

}  // namespace harness::transport
