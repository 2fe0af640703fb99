// SPDX-License-Identifier: Apache-2.0
// The framing of a peer that writes no end of line behind its messages, or a prompt before them: an
// object or array of JSON is a message as soon as it is complete. All other texts end with their
// line, or, where they are short, before an object. A sent text has its line feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/transport/lines.h"

namespace harness::transport {

inline constexpr std::size_t kLongestPrompt = 16;  // in bytes

class TextSplitter final : public Splitter {
 public:
  explicit TextSplitter(std::size_t max_text) : max_text_(max_text) {}

  void give(std::string_view chunk) override { chunk_ = chunk; }
  std::optional<Piece> next() override;
  std::optional<Piece> rest() override;
  std::string_view begun() const override { return text_.bytes; }

 private:
  // Whether the text ends with this byte.
  bool ends_with(char byte);
  Piece take();

  std::size_t max_text_;
  std::string_view chunk_;
  Piece text_;               // so far
  bool is_json_ = false;     // it begins as an object or array
  std::uint64_t depth_ = 0;  // of that
  bool in_string_ = false;
  bool escaped_ = false;
};

class TextFraming final : public Framing {
 public:
  std::string frame(std::string_view text) const override { return lines_.frame(text); }
  std::unique_ptr<Splitter> splitter(std::size_t max_message) const override;
  const char* name() const override { return ""; }

 private:
  LineFraming lines_;
};

}  // namespace harness::transport
