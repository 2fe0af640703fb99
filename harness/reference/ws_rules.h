// SPDX-License-Identifier: Apache-2.0
// What RFC 6455 asks of a server, as pure functions: the answer to a handshake, what is wrong with
// a frame, and the bytes of our own frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/reference/auth_guard.h"
#include "harness/reference/faults.h"

namespace harness::reference::ws {

inline constexpr int kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;
inline constexpr int kProtocolError = 1002, kUnacceptable = 1003, kNotUtf8 = 1007, kTooBig = 1009;

// The whole HTTP response to this request head (without its empty line).
struct UpgradeAnswer {
  std::string text;
  bool open = false;
};
UpgradeAnswer answer_handshake(std::string_view head, const Faults& faults);
HttpRequest request_of(std::string_view head);

struct Head {
  int opcode = 0;
  bool last = false;
  bool reserved = false;
  bool masked = false;
  std::uint64_t size = 0;
  char mask[4] = {};
};

// Takes the head off the front of `bytes`; nullopt while it is incomplete.
std::optional<Head> take_head(std::string& bytes);

// The code to close with, or 0. `in_message`: between the fragments of one.
int refusal(const Head& head, bool in_message, const Faults& faults);

// Likewise for a complete message and for the payload of a close frame.
int refusal_of_message(bool text, std::string_view payload, const Faults& faults);
int refusal_of_close(std::string_view payload, const Faults& faults);

// An unmasked frame, as servers send them.
std::string frame(int opcode, std::string_view payload, const Faults& faults);

}  // namespace harness::reference::ws
