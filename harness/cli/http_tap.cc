// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/http_tap.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/words.h"

namespace harness::cli {
namespace {

constexpr std::size_t kLongestHead = 64u << 10;

std::optional<std::uint64_t> number_of(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// The head, whose lines end with `\n` or `\r\n`; nothing where it is none.
std::optional<wire::HttpHead> read_head(std::string_view text, bool requests) {
  wire::HttpHead head;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (std::exchange(first, false)) {
      const std::size_t space = line.find(' ');
      if (space == std::string_view::npos) return std::nullopt;
      const std::string_view rest = trimmed(line.substr(space));
      if (requests) {
        head.method = line.substr(0, space);
        head.target = rest.substr(0, rest.find(' '));
      } else {
        const auto status = number_of(rest.substr(0, 3), 10);
        if (!line.starts_with("HTTP/") || !status) return std::nullopt;
        head.status = static_cast<int>(*status);
      }
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    head.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))});
  }
  if (first) return std::nullopt;
  return head;
}

// The same head with another Host, and without extensions of WebSocket: what is compressed could
// not be read.
std::string with_host(std::string_view text, const std::string& host) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon == std::string_view::npos ? 0 : colon);
    if (ascii::equal_ignoring_case(name, "sec-websocket-extensions")) continue;
    const bool replaced = ascii::equal_ignoring_case(name, "host");
    out += replaced ? "Host: " + host + "\r\n" : std::string(line);
  }
  return out;
}

}  // namespace

HttpTap::HttpTap(bool requests, std::string host, Ears ears, std::function<bool()> bodiless)
    : requests_(requests), host_(std::move(host)), ears_(std::move(ears)),
      bodiless_(std::move(bodiless)) {}

std::optional<std::string> HttpTap::pass(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    switch (state_) {
      case State::kHead:
      case State::kChunkSize:
      case State::kChunkEnd:
      case State::kTrailer: {
        const std::optional<std::string> line = take_line(bytes);
        if (!line) break;
        if (!take(*line, out)) return std::nullopt;
        break;
      }
      case State::kLength:
      case State::kChunk: {
        const std::string_view piece =
            bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
        bytes.remove_prefix(piece.size());
        left_ -= piece.size();
        out += piece;
        ears_.body(piece);
        if (left_ > 0) break;
        if (state_ == State::kChunk)
          state_ = State::kChunkEnd;
        else
          end_message();
        break;
      }
      case State::kUntilClosed:
        ears_.body(bytes);
        out += bytes;
        bytes = {};
        break;
      case State::kTunnel:
        if (ears_.tunnel) ears_.tunnel(bytes);
        out += bytes;
        bytes = {};
        break;
    }
    if (line_.size() > kLongestHead) return std::nullopt;
  }
  return out;
}

// A line; of a head all lines up to the blank one. Nothing while more has to come.
std::optional<std::string> HttpTap::take_line(std::string_view& bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1);
    line_ += bytes.substr(0, end + 1);
    bytes.remove_prefix(end + 1);
    if (!line_.ends_with('\n')) return std::nullopt;
    if (state_ != State::kHead) return std::exchange(line_, {});
    if (line_ == "\r\n" || line_ == "\n") line_.clear();  // before a head: passed over
    if (line_.ends_with("\n\n") || line_.ends_with("\n\r\n")) return std::exchange(line_, {});
  }
  return std::nullopt;
}

// Goes on with a line, or head, and puts what is passed on behind `out`. False where it is none.
bool HttpTap::take(const std::string& line, std::string& out) {
  if (state_ == State::kHead) {
    const std::optional<wire::HttpHead> head = read_head(line, requests_);
    if (!head) return false;
    out += requests_ ? with_host(line, host_) : line;
    ears_.head(*head);
    begin_body(*head);
    return true;
  }
  out += line;
  if (state_ == State::kChunkEnd) {
    state_ = State::kChunkSize;
  } else if (state_ == State::kTrailer) {
    if (trimmed(std::string_view(line).substr(0, line.size() - 1)).empty()) end_message();
  } else {
    const std::optional<std::uint64_t> size = number_of(trimmed(line), 16);
    if (!size) return false;
    left_ = *size;
    state_ = left_ == 0 ? State::kTrailer : State::kChunk;
  }
  return true;
}

void HttpTap::begin_body(const wire::HttpHead& head) {
  const bool informs = !requests_ && head.status >= 100 && head.status < 200;
  if (head.status == 101) {
    state_ = State::kTunnel;
    return;
  }
  if (informs) return;  // the answer itself is to come
  const bool none =
      !requests_ && (head.status == 204 || head.status == 304 || (bodiless_ && bodiless_()));
  const std::string* coding = head.header("transfer-encoding");
  const std::string* length = head.header("content-length");
  if (none) {
    end_message();
  } else if (coding != nullptr && ascii::lower(*coding).find("chunked") != std::string::npos) {
    state_ = State::kChunkSize;
  } else if (length != nullptr) {
    left_ = number_of(*length, 10).value_or(0);
    state_ = State::kLength;
    if (left_ == 0) end_message();
  } else if (requests_) {
    end_message();
  } else {
    state_ = State::kUntilClosed;
  }
}

void HttpTap::end_message() {
  state_ = State::kHead;
  ears_.end();
}

void HttpTap::closed() {
  if (state_ == State::kUntilClosed) end_message();
}

}  // namespace harness::cli
