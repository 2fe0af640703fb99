// SPDX-License-Identifier: Apache-2.0
// Frames of RFC 6455: the bytes of one we send, and the messages in what is received. Written by
// hand, because a tester has to send frames that no library makes, and to show those that no
// library accepts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::transport {

namespace opcode {
inline constexpr int kContinuation = 0;
inline constexpr int kText = 1;
inline constexpr int kBinary = 2;
inline constexpr int kClose = 8;
inline constexpr int kPing = 9;
inline constexpr int kPong = 10;
}  // namespace opcode

// One frame to be sent. The defaults are what a client has to send; a case may change them.
struct WebsocketFrame {
  int opcode = opcode::kText;
  std::string_view payload;
  bool last = true;
  int reserved = 0;  // the three bits
  bool masked = true;
  std::optional<std::uint64_t> claimed;  // a length other than the payload's
};
std::string to_bytes(const WebsocketFrame& frame, std::uint32_t mask);

// The required response of a server to this Sec-WebSocket-Key.
std::string websocket_accept(const std::string& key);

// A message or a control frame, or why no more can come.
struct WebsocketEvent {
  enum class Kind { kMessage, kPing, kPong, kClose, kBroken };
  Kind kind = Kind::kMessage;
  std::string bytes;       // of a message at most max_message; of kBroken: what is wrong
  std::uint64_t size = 0;  // length before cutting
  bool binary = false;
  bool masked = false;  // which a server must not do; it is read anyway
  int code = 0;         // of kClose (0: none), and the code we close with after kBroken
};

// Cuts what the server sends into events, in bounded memory whatever lengths the frames claim.
// After a kBroken there is nothing more.
class WebsocketReader {
 public:
  explicit WebsocketReader(std::size_t max_message) : max_message_(max_message) {}

  // Offers the next bytes; they must stay valid until next() has returned nullopt.
  void give(std::string_view chunk) { chunk_ = chunk; }
  std::optional<WebsocketEvent> next();
  // True inside a frame or between the fragments of a message.
  bool in_the_middle() const { return !head_.empty() || in_payload_ || in_message_; }

 private:
  // False if more bytes are needed.
  bool read_head();
  std::optional<WebsocketEvent> begin_frame();
  void read_payload();
  std::optional<WebsocketEvent> end_frame();
  WebsocketEvent broken(std::string what, int code);

  std::size_t max_message_;
  std::string_view chunk_;
  std::string head_;
  bool in_payload_ = false;
  int opcode_ = 0;
  bool last_ = true;
  bool masked_ = false;
  unsigned char mask_[4] = {};
  std::uint64_t left_ = 0;  // of the payload
  std::uint64_t taken_ = 0;
  std::string control_;
  bool in_message_ = false;
  WebsocketEvent message_;
  std::size_t fragments_ = 0;  // of it
  bool over_ = false;
};

}  // namespace harness::transport
