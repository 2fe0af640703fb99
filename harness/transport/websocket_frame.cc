// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/websocket_frame.h"

#include <openssl/evp.h>

#include <algorithm>
#include <utility>

#include "harness/base/base64.h"

namespace harness::transport {

namespace {

constexpr int kProtocolError = 1002;
constexpr int kTooBig = 1009;
constexpr std::size_t kMaxControl = 125;
constexpr std::size_t kMostFragments = 100'000;  // of a message
constexpr int kGiveUpFactor = 4;  // times max_message: then a message is not read to its end

std::size_t head_size(unsigned char second) {
  const int length = second & 0x7f;
  return 2u + (length == 126 ? 2u : length == 127 ? 8u : 0u) + ((second & 0x80) != 0 ? 4u : 0u);
}

}  // namespace

std::string to_bytes(const WebsocketFrame& frame, std::uint32_t mask) {
  std::string out;
  out.reserve(frame.payload.size() + 14);
  out +=
      static_cast<char>((frame.last ? 0x80 : 0) | (frame.reserved & 7) << 4 | (frame.opcode & 15));
  const std::uint64_t size = frame.claimed.value_or(frame.payload.size());
  const int bit = frame.masked ? 0x80 : 0;
  int bytes = 0;
  if (size < 126) {
    out += static_cast<char>(bit | static_cast<int>(size));
  } else {
    bytes = size < 65536 ? 2 : 8;
    out += static_cast<char>(bit | (bytes == 2 ? 126 : 127));
  }
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((size >> (8 * i)) & 0xff);
  if (!frame.masked) return out.append(frame.payload);
  char key[4];
  for (int i = 0; i < 4; ++i) key[i] = static_cast<char>((mask >> (8 * i)) & 0xff);
  out.append(key, 4);
  for (std::size_t i = 0; i < frame.payload.size(); ++i)
    out += static_cast<char>(frame.payload[i] ^ key[i % 4]);
  return out;
}

std::string websocket_accept(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha1(), nullptr);
  return to_base64({reinterpret_cast<const char*>(digest), size});
}

std::optional<WebsocketEvent> WebsocketReader::next() {
  while (!over_) {
    if (!in_payload_) {
      if (!read_head()) return std::nullopt;
      if (auto event = begin_frame()) return event;
    }
    read_payload();
    if (left_ > 0) return std::nullopt;
    in_payload_ = false;
    if (auto event = end_frame()) return event;
  }
  return std::nullopt;
}

bool WebsocketReader::read_head() {
  while (head_.size() < 2 || head_.size() < head_size(static_cast<unsigned char>(head_[1]))) {
    if (chunk_.empty()) return false;
    head_ += chunk_.front();
    chunk_.remove_prefix(1);
  }
  return true;
}

std::optional<WebsocketEvent> WebsocketReader::begin_frame() {
  const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(head_[i]); };
  last_ = (byte(0) & 0x80) != 0;
  opcode_ = byte(0) & 0x0f;
  masked_ = (byte(1) & 0x80) != 0;
  const std::size_t end = head_.size() - (masked_ ? 4 : 0);
  left_ = byte(1) & 0x7f;
  if (end > 2) left_ = 0;
  for (std::size_t i = 2; i < end; ++i) left_ = left_ << 8 | byte(i);
  for (std::size_t i = 0; masked_ && i < 4; ++i) mask_[i] = byte(end + i);
  const bool reserved = (byte(0) & 0x70) != 0;
  head_.clear();
  in_payload_ = true;
  taken_ = 0;
  control_.clear();

  if (reserved) return broken("a frame with reserved bits", kProtocolError);
  if (opcode_ >= opcode::kClose) {
    if (opcode_ > opcode::kPong)
      return broken("a frame with the unknown opcode " + std::to_string(opcode_), kProtocolError);
    if (!last_ || left_ > kMaxControl)
      return broken("a control frame that is fragmented or too long", kProtocolError);
    return std::nullopt;
  }
  if (opcode_ > opcode::kBinary)
    return broken("a frame with the unknown opcode " + std::to_string(opcode_), kProtocolError);
  if ((opcode_ == opcode::kContinuation) != in_message_) {
    return broken(in_message_ ? "a new message before the last fragment of another"
                              : "a continuation of nothing",
                  kProtocolError);
  }
  if (left_ >> 63 != 0) return broken("a frame of 2^63 bytes or more", kProtocolError);
  if (!in_message_) {
    message_ = WebsocketEvent{};
    message_.binary = opcode_ == opcode::kBinary;
    in_message_ = true;
    fragments_ = 0;
  }
  if (++fragments_ > kMostFragments)
    return broken("a message in more than " + std::to_string(kMostFragments) + " fragments",
                  kTooBig);
  message_.masked |= masked_;
  const std::uint64_t most = kGiveUpFactor * static_cast<std::uint64_t>(max_message_);
  if (left_ > most || message_.size + left_ > most) {
    return broken("a message of at least " + std::to_string(message_.size + left_) + " bytes",
                  kTooBig);
  }
  return std::nullopt;
}

void WebsocketReader::read_payload() {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, chunk_.size()));
  const bool control = opcode_ >= opcode::kClose;
  std::string& out = control ? control_ : message_.bytes;
  const std::size_t limit = control ? kMaxControl : max_message_;
  const std::string_view kept =
      chunk_.substr(0, std::min(size, limit - std::min(limit, out.size())));
  const std::size_t begin = out.size();
  out.append(kept);
  for (std::size_t i = 0; masked_ && i < kept.size(); ++i)
    out[begin + i] = static_cast<char>(out[begin + i] ^ mask_[(taken_ + i) % 4]);
  if (!control) message_.size += size;
  taken_ += size;
  left_ -= size;
  chunk_.remove_prefix(size);
}

std::optional<WebsocketEvent> WebsocketReader::end_frame() {
  if (opcode_ < opcode::kClose) {
    if (!last_) return std::nullopt;
    in_message_ = false;
    return std::exchange(message_, {});
  }
  WebsocketEvent event;
  event.masked = masked_;
  event.bytes = control_;
  event.size = control_.size();
  if (opcode_ == opcode::kPing) event.kind = WebsocketEvent::Kind::kPing;
  if (opcode_ == opcode::kPong) event.kind = WebsocketEvent::Kind::kPong;
  if (opcode_ == opcode::kClose) {
    event.kind = WebsocketEvent::Kind::kClose;
    if (control_.size() >= 2) {
      event.code =
          static_cast<unsigned char>(control_[0]) << 8 | static_cast<unsigned char>(control_[1]);
      event.bytes.erase(0, 2);
    }
    over_ = true;
  }
  return event;
}

WebsocketEvent WebsocketReader::broken(std::string what, int code) {
  over_ = true;
  in_payload_ = false;
  in_message_ = false;
  WebsocketEvent event;
  event.kind = WebsocketEvent::Kind::kBroken;
  event.size = what.size();
  event.bytes = std::move(what);
  event.code = code;
  return event;
}

}  // namespace harness::transport
