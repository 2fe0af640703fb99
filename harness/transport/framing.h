// SPDX-License-Identifier: Apache-2.0
// Framing: how messages are told apart on a stream of bytes. It makes the bytes of a message, and
// cuts what is received into Pieces, in bounded memory and whatever the peer claims about lengths.
//
//   text ─► frame() ─► stream ─► splitter() ─► Piece, Piece, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/target/target.h"

namespace harness::transport {

struct Piece {
  std::string bytes;       // at most max_message of them
  std::uint64_t size = 0;  // length before cutting
  bool whole = true;       // false for what was left at the end of the stream, or is no message
  std::string fault;       // what is wrong with its framing; "" when nothing is but the end
};

class Splitter {
 public:
  virtual ~Splitter() = default;

  // Offers the next bytes of the stream; they must stay valid until next() has said nullopt.
  virtual void give(std::string_view chunk) = 0;
  // The next complete Piece, or nullopt when the chunk is used up.
  virtual std::optional<Piece> next() = 0;
  // What the stream ended with, if it did not end with a complete message.
  virtual std::optional<Piece> rest() = 0;
  // What has come of a Piece that has no end yet.
  virtual std::string_view begun() const { return {}; }
};

class Framing {
 public:
  virtual ~Framing() = default;

  virtual std::string frame(std::string_view text) const = 0;
  virtual std::unique_ptr<Splitter> splitter(std::size_t max_message) const = 0;
  // As a Transcript says it: "" for lines.
  virtual const char* name() const = 0;
};

// There is one of each kind.
const Framing& framing_of(target::Framing kind);

}  // namespace harness::transport
