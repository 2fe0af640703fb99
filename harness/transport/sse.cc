// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/sse.h"

#include <algorithm>
#include <utility>

namespace harness::transport {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kFieldNames = 64;  // room beside the data for the field's name and colon

void append_cut(std::string& to, std::string_view piece, std::size_t limit) {
  to.append(piece.substr(0, limit - std::min(limit, to.size())));
}

}  // namespace

std::optional<SseEvent> SseSplitter::next() {
  while (!chunk_.empty()) {
    if (std::exchange(after_cr_, false) && chunk_.front() == '\n') {
      chunk_.remove_prefix(1);
      continue;
    }
    const std::size_t end = chunk_.find_first_of("\r\n");
    keep(chunk_.substr(0, end));
    if (end == std::string_view::npos) {
      chunk_ = {};
      break;
    }
    after_cr_ = chunk_[end] == '\r';
    chunk_.remove_prefix(end + 1);
    if (auto event = end_line()) return event;
  }
  return std::nullopt;
}

std::optional<SseEvent> SseSplitter::rest() {
  if (line_size_ > 0) end_line();
  if (!has_data_ && (event_.retry || event_.id)) return std::exchange(event_, {});
  return dispatch(false);
}

void SseSplitter::keep(std::string_view piece) {
  append_cut(line_, piece, max_event_ + kFieldNames);
  line_size_ += piece.size();
}

std::optional<SseEvent> SseSplitter::end_line() {
  std::string_view line = line_;
  const std::uint64_t cut = line_size_ - line.size();
  if (std::exchange(first_line_, false) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  std::optional<SseEvent> event;
  if (line.empty()) {
    event = dispatch(true);
  } else if (line.front() != ':') {
    const std::size_t colon = line.find(':');
    std::string_view value;
    if (colon != std::string_view::npos) {
      value = line.substr(colon + 1);
      if (value.starts_with(' ')) value.remove_prefix(1);
    }
    field(line.substr(0, colon), value, value.size() + cut);
  }
  line_.clear();
  line_size_ = 0;
  return event;
}

void SseSplitter::field(std::string_view name, std::string_view value, std::uint64_t value_size) {
  if (name == "data") {
    if (has_data_) {
      append_cut(event_.data, "\n", max_event_);
      ++event_.size;
    }
    append_cut(event_.data, value, max_event_);
    event_.size += value_size;
    has_data_ = true;
  } else if (name == "event") {
    event_.event = std::string(value);
  } else if (name == "id") {
    event_.id = std::string(value);
  } else if (name == "retry") {
    event_.retry = std::string(value);
  }
}

std::optional<SseEvent> SseSplitter::dispatch(bool terminated) {
  SseEvent event = std::exchange(event_, {});
  if (!std::exchange(has_data_, false)) {
    // A block of its own may carry the reconnection time; it is shown with the next event.
    event_.retry = std::move(event.retry);
    return std::nullopt;
  }
  event.terminated = terminated;
  return event;
}

}  // namespace harness::transport
