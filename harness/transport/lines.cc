// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/lines.h"

#include <algorithm>
#include <utility>

namespace harness::transport {

std::optional<Piece> LineSplitter::next() {
  if (chunk_.empty()) return std::nullopt;
  const std::size_t end = chunk_.find('\n');
  if (end == std::string_view::npos) {
    keep(chunk_);
    chunk_ = {};
    return std::nullopt;
  }
  Piece line;
  if (partial_size_ == 0) {  // the usual case: the whole line is in this chunk
    line.size = end;
    line.bytes.assign(chunk_.substr(0, std::min(end, max_line_)));
  } else {
    keep(chunk_.substr(0, end));
    line.size = std::exchange(partial_size_, 0);
    line.bytes = std::exchange(partial_, {});
  }
  chunk_.remove_prefix(end + 1);
  return line;
}

std::optional<Piece> LineSplitter::rest() {
  if (partial_size_ == 0) return std::nullopt;
  Piece line;
  line.size = std::exchange(partial_size_, 0);
  line.bytes = std::exchange(partial_, {});
  line.whole = false;
  return line;
}

void LineSplitter::keep(std::string_view piece) {
  partial_.append(piece.substr(0, max_line_ - std::min(max_line_, partial_.size())));
  partial_size_ += piece.size();
}

std::string LineFraming::frame(std::string_view text) const {
  std::string bytes;
  bytes.reserve(text.size() + 1);
  bytes += text;
  bytes += '\n';
  return bytes;
}

std::unique_ptr<Splitter> LineFraming::splitter(std::size_t max_message) const {
  return std::make_unique<LineSplitter>(max_message);
}

}  // namespace harness::transport
