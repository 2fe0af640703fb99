// SPDX-License-Identifier: Apache-2.0
// Script: what is sent to a Target, and how: frames, raw bytes, pauses, closes, answers to the
// server. It has a text form that a person reads and edits (README.md beside this):
//
//   # a comment
//   {"jsonrpc":"2.0","id":1,"method":"ping"}        ← a line is a frame
//   !chunks 3 1                                     ← how the next frame is delivered
//   !frame "{\"id\":2\n}"                           ← a frame whose bytes need escapes
//   !sync
//
// Every byte string is some script: reading never fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/transport_kind.h"

namespace fuzz {

// What ends the frame on a stream of lines.
enum class Eol : std::uint8_t { kLf, kCrlf, kCr, kNone };
const char* end_of(Eol eol);  // its bytes

// The Content-Length that is claimed for a frame.
struct ClaimedLength {
  bool relative = false;   // to the true length
  std::int64_t value = 0;  // not negative unless relative; at most 18 digits

  bool operator==(const ClaimedLength&) const = default;
};

// The claimed Content-Length for this many bytes.
std::string claimed_length(const ClaimedLength& claim, std::size_t size);

// An HTTP request header set to `value` instead of the usual one; nothing: not sent.
struct HeaderChange {
  std::string name;  // not empty
  std::optional<std::string> value;

  bool operator==(const HeaderChange&) const = default;
};

// How a frame departs from the usual delivery. A transport leaves out what it does not have.
struct Delivery {
  std::vector<std::uint32_t> chunks;  // lengths of its first writes, none of them 0; at most 64
  std::vector<std::uint32_t>
      fragments;  // WebSocket: lengths of its first fragments; 0 is an empty one; at most 64
  std::vector<HeaderChange> headers;    // HTTP: a name once
  std::string http_method;              // "" is the usual one; else an HTTP token
  std::optional<ClaimedLength> length;  // content-length framing and HTTP
  Eol eol = Eol::kLf;
  std::uint8_t opcode = 1;  // WebSocket, 0 to 15; 1 is text

  bool usual() const;
  bool operator==(const Delivery&) const = default;
};

// One message; the transport frames it. `${N/pointer}` in it stands for the value at that JSON
// Pointer in the reply to the N-th frame of the script, see references().
struct Frame {
  std::string bytes;
  Delivery delivery;

  bool operator==(const Frame&) const = default;
};

// Bytes written unchanged, without framing.
struct Raw {
  std::string bytes;
  bool operator==(const Raw&) const = default;
};

struct Pause {
  int milliseconds = 0;  // 0 to kLongestPause
  bool operator==(const Pause&) const = default;
};
inline constexpr int kLongestPause = 1000;

// Waits until all requests have been answered. Frames between two waits go out together.
struct Sync {
  bool operator==(const Sync&) const = default;
};

// Ends the connection; the next step that sends opens a new one.
struct Close {
  bool operator==(const Close&) const = default;
};

enum class AnswerKind : std::uint8_t {
  kUsual,    // what a sound client sends
  kNone,     // nothing
  kTwice,    // the usual response, twice
  kWrongId,  // the usual response with an id that nobody used
  kLate,     // the usual response, after the next response from the server
  kError,    // a JSON-RPC error
  kGarbage,  // a line that is invalid JSON
  kHeld,     // the usual response, when a step says so (TimingKind::kRelease)
  kResult,   // `result`
};

// How requests of the server are answered from here on.
struct ClientAnswer {
  std::string method = "*";  // of the server's request; * matches any
  AnswerKind kind = AnswerKind::kUsual;
  std::string result;  // of kResult: JSON text on one line, no blanks around it; else empty

  bool operator==(const ClientAnswer&) const = default;
};

// What only a schedule has: the order of messages of several sessions and strands.
enum class TimingKind : std::uint8_t {
  kSession,       // what follows is sent in the session with that number, from 1
  kAwait,         // waits for the reply to the frame with that number, from 1
  kArrival,       // waits until something more has come in the session
  kRelease,       // sends the oldest held response; waits until there is one
  kReleaseLast,   // likewise the latest
  kCut,           // breaks the connection of the session at once; the next step that sends opens a
                  // new one
};
struct Timing {
  TimingKind kind = TimingKind::kSession;
  std::size_t number = 0;  // of kSession (at most kMostSessions) and kAwait; of others 0

  bool operator==(const Timing&) const = default;
};
inline constexpr std::size_t kMostSessions = 8;

using Step = std::variant<Frame, Raw, Pause, Sync, Close, ClientAnswer, Timing>;

struct Script {
  std::string profile;  // "" when the text has none; else letters, digits and . _ + -
  harness::wire::TransportKind transport = harness::wire::TransportKind::kUnknown;  // likewise
  std::vector<Step> steps;

  bool operator==(const Script&) const = default;
};

// Reads any bytes, in time proportional to their number. A line that is not a valid directive is a
// frame; a modifier without a frame after it has no effect.
Script read_script(std::string_view text);

// The canonical text: read_script(write_script(s)) == s for every script that obeys the limits
// beside the fields.
std::string write_script(const Script& script);
void append_script(std::string& out, const Script& script);  // write_script, appended to `out`

// A `${N/pointer}` in the bytes of a frame.
struct Reference {
  std::size_t begin = 0;     // of "${"
  std::size_t end = 0;       // behind "}"
  std::size_t frame = 0;     // N, from 1
  std::string_view pointer;  // into the bytes given: "" or "/…" of at most 256 bytes, without "}"
};
std::vector<Reference> references(std::string_view bytes);

// The references filled in, as far as possible. `reply` gives the JSON text of the reply to a
// frame, null where there is none. A reference whose value would exceed kMostFilledIn bytes in
// total is left in place.
std::string fill_in(std::string_view bytes,
                    const std::function<const std::string*(std::size_t frame)>& reply);
inline constexpr std::size_t kMostFilledIn = 1 << 20;

// The word for it in a script, such as "wrong-id"; of kResult there is none: "".
const char* answer_word(AnswerKind kind);

}  // namespace fuzz
