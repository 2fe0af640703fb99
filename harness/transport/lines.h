// SPDX-License-Identifier: Apache-2.0
// LineSplitter: cuts a byte stream at newlines, in bounded memory. Only 0x0A ends a line; a CR
// before it stays part of the line, because whether it was there is evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::transport {

struct Line {
  std::string bytes;       // at most max_line of them
  std::uint64_t size = 0;  // length before cutting
  bool terminated = true;  // false for what was left at the end of the stream
};

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line) : max_line_(max_line) {}

  // Offers the next bytes of the stream; they must stay valid until next() has said nullopt.
  void give(std::string_view chunk) { chunk_ = chunk; }
  // The next complete line, or nullopt when the chunk is used up.
  std::optional<Line> next();
  // What the stream ended with, if it did not end with a newline.
  std::optional<Line> rest();

 private:
  void keep(std::string_view piece);

  std::size_t max_line_;
  std::string_view chunk_;
  std::string partial_;
  std::uint64_t partial_size_ = 0;
};

}  // namespace harness::transport
