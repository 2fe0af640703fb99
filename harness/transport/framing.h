// SPDX-License-Identifier: Apache-2.0
// Framing: how messages are told apart on a stream of bytes. It makes the bytes of a message, and
// cuts received bytes into Pieces, in bounded memory whatever lengths the peer claims.
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
  bool whole = true;       // false for the rest at the end of the stream, or if it is not a message
  std::string fault;       // what is wrong with its framing; "" if only the end is missing
};

class Splitter {
 public:
  virtual ~Splitter() = default;

  // Offers the next bytes of the stream; they must stay valid until next() has returned nullopt.
  virtual void give(std::string_view chunk) = 0;
  // The next complete Piece, or nullopt if the chunk is used up.
  virtual std::optional<Piece> next() = 0;
  // The end of the stream, if it is not the end of a complete message.
  virtual std::optional<Piece> rest() = 0;
  // The received part of an incomplete Piece.
  virtual std::string_view begun() const { return {}; }
};

class Framing {
 public:
  virtual ~Framing() = default;

  virtual std::string frame(std::string_view text) const = 0;
  virtual std::unique_ptr<Splitter> splitter(std::size_t max_message) const = 0;
  // The name in a Transcript: "" for lines.
  virtual const char* name() const = 0;
};

// There is one of each kind.
const Framing& framing_of(target::Framing kind);

}  // namespace harness::transport
