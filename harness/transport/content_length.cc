// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/content_length.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/wire/header_fault.h"

namespace harness::transport {

namespace {

constexpr std::string_view kName = "content-length:";
constexpr std::size_t kMaxBlock = 8u << 10;  // a header block is three short lines
constexpr std::uint64_t kMaxRatio = 4;  // a message of so many times max_message is passed over

// Where kName stands in `text`, whatever its letter case; npos when it does not.
std::size_t find_name(std::string_view text) {
  const auto at = std::search(text.begin(), text.end(), kName.begin(), kName.end(),
                              [](char a, char b) { return ascii::lower(a) == b; });
  return at == text.end() ? std::string_view::npos : static_cast<std::size_t>(at - text.begin());
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "Name: value", the name without spaces.
bool is_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return c > ' ' && c < '\x7f' &&
                  std::string_view("{}[]\"(),/").find(c) == std::string_view::npos;
         });
}

}  // namespace

ContentLengthSplitter::ContentLengthSplitter(std::size_t max_message)
    : max_message_(max_message), max_announced_(kMaxRatio * max_message) {}

std::optional<Piece> ContentLengthSplitter::next() {
  for (;;) {
    if (!again_.empty()) {
      const std::string line = std::exchange(again_, {});
      if (auto piece = take_line(line)) return piece;
    }
    // An empty message needs no further bytes.
    const bool complete = part_ == Part::kBody && body_.size == *announced_;
    if (chunk_.empty() && !complete) return std::nullopt;
    std::optional<Piece> piece;
    switch (part_) {
      case Part::kHeader: piece = read_header(); break;
      case Part::kBody: piece = read_body(); break;
      case Part::kSkipped: skip_line(); break;
    }
    if (piece) return piece;
  }
}

std::optional<Piece> ContentLengthSplitter::rest() {
  if (part_ == Part::kBody) {
    Piece piece = std::exchange(body_, {});
    piece.whole = false;
    piece.fault = "the stream ended after " + std::to_string(piece.size) + " of " +
                  std::to_string(*announced_) + " bytes";
    part_ = Part::kHeader;
    announced_.reset();
    return piece;
  }
  if (part_ == Part::kSkipped || block_.empty()) return std::nullopt;
  return broken("the stream ended inside a header");
}

std::optional<Piece> ContentLengthSplitter::read_header() {
  const std::size_t end = chunk_.find('\n');
  const std::size_t length = end == std::string_view::npos ? chunk_.size() : end + 1;
  const std::size_t room = kMaxBlock - block_.size();
  if (length > room) {
    block_.append(chunk_.substr(0, room));
    chunk_.remove_prefix(room);
    // What is too long may be the body of a message whose length was not understood.
    part_ = Part::kSkipped;
    const std::string_view line = std::string_view(block_).substr(line_begin_);
    const std::size_t name = line.empty() ? line.npos : find_name(line.substr(1));
    const std::string kept(name == line.npos ? std::string_view() : line.substr(1 + name));
    skipped_ = line.substr(line.size() - std::min(line.size(), kName.size() - 1));
    block_.resize(block_.size() - kept.size());  // that part is yet to be told
    auto piece = broken("no end of a header within " + std::to_string(kMaxBlock) + " bytes");
    if (!kept.empty()) {
      part_ = Part::kHeader;
      block_ = std::move(kept);
    }
    return piece;
  }
  block_.append(chunk_.substr(0, length));
  chunk_.remove_prefix(length);
  if (end == std::string_view::npos) return std::nullopt;
  return take_line(block_.substr(line_begin_));
}

std::optional<Piece> ContentLengthSplitter::take_line(std::string_view written) {
  const std::string line(without_line_end(written));
  look_at(written, line);
  if (line.empty()) return end_block();
  if (!is_header(line)) {
    const std::size_t name = find_name(line);
    if (name == std::string_view::npos) return broken("a line that is not a header");
    // The rest of a message, most often: what stands before the header is no part of it.
    again_ = written.substr(name);
    block_.resize(line_begin_ + name);
    auto piece = broken("bytes before a header");
    block_ = again_;
    return piece;
  }
  line_begin_ = block_.size();
  if (find_name(line) != 0) return std::nullopt;
  const std::string_view digits = trimmed(std::string_view(line).substr(kName.size()));
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || stop != digits.data() + digits.size() ||
      (error != std::errc{} && error != std::errc::result_out_of_range)) {
    return broken("a Content-Length that is not a number: '" + printable(digits, 40) + "'");
  }
  if (error != std::errc{} || value > max_announced_) {
    return broken("a Content-Length beyond " + std::to_string(max_announced_) +
                  " bytes: " + printable(digits, 40));
  }
  if (announced_ && *announced_ != value) return broken("two different Content-Lengths");
  announced_ = value;
  return std::nullopt;
}

void ContentLengthSplitter::look_at(std::string_view written, std::string_view line) {
  if (!odd_.empty()) return;
  constexpr std::string_view kType = "content-type:";
  constexpr std::string_view kCharset = "charset=";
  if (!written.ends_with("\r\n")) odd_ = wire::kLineFeedAlone;
  if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return c > 0x7e; }))
    odd_ = wire::kBeyondAscii;
  const std::string lower = ascii::lower(line);
  const std::size_t at = lower.find(kCharset);
  if (!lower.starts_with(kType) || at == std::string::npos) return;
  std::string_view charset = trimmed(std::string_view(lower).substr(at + kCharset.size()));
  while (charset.starts_with('"')) charset.remove_prefix(1);
  if (!charset.starts_with("utf-8") && !charset.starts_with("utf8")) odd_ = wire::kOtherCharset;
}

std::optional<Piece> ContentLengthSplitter::end_block() {
  if (!announced_) {
    // The end of a block that was told to be broken already.
    if (torn_ && line_begin_ == 0) {
      block_.clear();
      return std::nullopt;
    }
    return broken(line_begin_ == 0 ? "an empty line before a header" : "no Content-Length");
  }
  block_.clear();
  line_begin_ = 0;
  part_ = Part::kBody;
  body_ = {};
  body_.fault = std::exchange(odd_, {});
  return std::nullopt;
}

std::optional<Piece> ContentLengthSplitter::read_body() {
  const auto missing = static_cast<std::size_t>(*announced_ - body_.size);
  const std::string_view taken = chunk_.substr(0, missing);
  chunk_.remove_prefix(taken.size());
  body_.bytes.append(taken.substr(0, max_message_ - std::min(max_message_, body_.bytes.size())));
  body_.size += taken.size();
  if (body_.size < *announced_) return std::nullopt;
  part_ = Part::kHeader;
  announced_.reset();
  torn_ = false;
  return std::exchange(body_, {});
}

// Until the line ends or a header begins in it.
void ContentLengthSplitter::skip_line() {
  const std::size_t before = skipped_.size();
  const std::size_t length = std::min(chunk_.find('\n'), chunk_.size());
  const std::string_view line = chunk_.substr(0, length);
  skipped_.append(line.substr(0, kName.size() - 1));
  std::size_t name = find_name(skipped_);  // across the border of two chunks
  if (name == std::string_view::npos) {
    name = find_name(line);
    if (name != std::string_view::npos) name += before;
  }
  if (name != std::string_view::npos) {
    part_ = Part::kHeader;
    block_ = name < before ? skipped_.substr(name, before - name) : std::string();
    chunk_.remove_prefix(name < before ? 0 : name - before);
    skipped_.clear();
    return;
  }
  if (length < chunk_.size()) {
    part_ = Part::kHeader;
    skipped_.clear();
    chunk_.remove_prefix(length + 1);
    return;
  }
  skipped_.resize(before);
  skipped_.append(line.substr(line.size() - std::min(line.size(), kName.size() - 1)));
  if (skipped_.size() >= kName.size()) skipped_.erase(0, skipped_.size() - kName.size() + 1);
  chunk_ = {};
}

std::optional<Piece> ContentLengthSplitter::broken(std::string fault) {
  Piece piece;
  piece.bytes = std::exchange(block_, {});
  piece.size = piece.bytes.size();
  piece.whole = false;
  piece.fault = std::move(fault);
  line_begin_ = 0;
  odd_.clear();
  announced_.reset();
  torn_ = true;
  return piece;
}

std::string ContentLengthFraming::frame(std::string_view text) const {
  std::string bytes = "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n";
  bytes += text;
  return bytes;
}

std::unique_ptr<Splitter> ContentLengthFraming::splitter(std::size_t max_message) const {
  return std::make_unique<ContentLengthSplitter>(max_message);
}

}  // namespace harness::transport
