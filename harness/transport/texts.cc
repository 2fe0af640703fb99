// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/texts.h"

#include <utility>

namespace harness::transport {

std::optional<Piece> TextSplitter::next() {
  for (std::size_t i = 0; i < chunk_.size(); ++i) {
    const char byte = chunk_[i];
    const bool blank = byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
    if (text_.size == 0 && blank) continue;
    if (byte == '{' && text_.size > 0 && text_.size <= kLongestPrompt && !is_json_) {
      chunk_.remove_prefix(i);
      return take();
    }
    if (text_.size == 0) is_json_ = byte == '{' || byte == '[';
    if (!is_json_ && byte == '\n') {
      chunk_.remove_prefix(i + 1);
      return take();
    }
    if (text_.bytes.size() < max_text_) text_.bytes += byte;
    ++text_.size;
    if (!is_json_ || !ends_with(byte)) continue;
    chunk_.remove_prefix(i + 1);
    return take();
  }
  chunk_ = {};
  return std::nullopt;
}

std::optional<Piece> TextSplitter::rest() {
  if (text_.size == 0) return std::nullopt;
  Piece last = take();
  last.whole = false;
  return last;
}

bool TextSplitter::ends_with(char byte) {
  if (in_string_) {
    in_string_ = escaped_ || byte != '"';
    escaped_ = !escaped_ && byte == '\\';
    return false;
  }
  if (byte == '"') in_string_ = true;
  if (byte == '{' || byte == '[') ++depth_;
  if (byte != '}' && byte != ']') return false;
  return --depth_ == 0;
}

Piece TextSplitter::take() {
  is_json_ = in_string_ = escaped_ = false;
  depth_ = 0;
  return std::exchange(text_, {});
}

std::unique_ptr<Splitter> TextFraming::splitter(std::size_t max_message) const {
  return std::make_unique<TextSplitter>(max_message);
}

}  // namespace harness::transport
