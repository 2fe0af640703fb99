// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/lines.h"

#include <algorithm>
#include <utility>

#include "harness/wire/message.h"

namespace harness::transport {
namespace {

constexpr std::size_t kMostLines = 10000;  // of one message

char last_of(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? '\0' : text[last];
}

// The first line of a message or batch that goes on on the next. "[info] items: [" is none.
bool opens(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  if (std::string_view("{[,:").find(last_of(text)) == std::string_view::npos) return false;
  const std::size_t next = text.find_first_not_of(" \t\r", first + 1);
  return text[first] == '{' || next == std::string_view::npos || text[next] == '{';
}

// The brackets that a line opens, less those it closes.
std::int64_t depth_of(std::string_view line) {
  std::int64_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
  }
  return depth;
}

bool is_json(std::string_view text) { return wire::read_message(text).is_json; }

}  // namespace

std::optional<Piece> LineSplitter::next() {
  while (ready_.empty()) {
    std::optional<Piece> one = line();
    if (!one) return std::nullopt;
    if (held_.empty() && !opens(one->bytes)) return one;
    join(std::move(*one));
  }
  Piece first = std::move(ready_.front());
  ready_.pop_front();
  return first;
}

// What is a message by itself is no part of another. What has grown too long, or is no JSON once
// its brackets are closed, is told line by line.
void LineSplitter::join(Piece line) {
  const bool apart = !held_.empty() && held_.front().bytes.starts_with('{') &&
                     line.bytes.starts_with('{') && is_json(line.bytes);
  if (apart) {
    let_go();
    ready_.push_back(std::move(line));
    return;
  }
  if (!held_.empty()) joined_ += '\n';
  joined_ += line.bytes;
  depth_ += depth_of(line.bytes);
  held_.push_back(std::move(line));
  const bool closed = depth_ <= 0;
  if (closed && is_json(joined_)) {
    ready_.push_back({joined_, joined_.size(), true, ""});
    held_.clear();
  }
  if (closed || joined_.size() >= max_line_ || held_.size() >= kMostLines) let_go();
}

void LineSplitter::let_go() {
  for (Piece& one : held_) ready_.push_back(std::move(one));
  held_.clear();
  joined_.clear();
  depth_ = 0;
}

std::string_view LineSplitter::begun() const {
  if (held_.empty()) return partial_;
  begun_ = joined_ + (partial_.empty() ? "" : "\n" + partial_);
  return begun_;
}

std::optional<Piece> LineSplitter::line() {
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
  if (!held_.empty()) {
    Piece lines{joined_, joined_.size() + partial_size_, false, ""};
    if (partial_size_ > 0) lines.bytes += '\n' + partial_;
    return lines;
  }
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
