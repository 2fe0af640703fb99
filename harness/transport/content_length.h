// SPDX-License-Identifier: Apache-2.0
// "Content-Length: N", perhaps more headers, an empty line, then N bytes of message: the framing of
// language servers.
//
// A message that is whole all the same says in `fault` what is odd about its header: an end of line
// that is not CR LF, a byte beyond ASCII, another charset than UTF-8.
//
// The peer's claims are not trusted. A length that is not a number, is too large or is given twice
// with different values, a header block without a length or without an end, text where a header is
// due: each gives a Piece that is not whole, with the reason in `fault`. After such a Piece, the
// next line that contains "Content-Length:" begins a message again, so that one stray line does not
// hide all the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/transport/framing.h"

namespace harness::transport {

class ContentLengthSplitter final : public Splitter {
 public:
  explicit ContentLengthSplitter(std::size_t max_message);

  void give(std::string_view chunk) override { chunk_ = chunk; }
  std::optional<Piece> next() override;
  std::optional<Piece> rest() override;

 private:
  // Each consumes its own part of the chunk.
  std::optional<Piece> read_header();
  std::optional<Piece> read_body();
  void skip_line();

  // A whole header line, with its line end; it is the last one in block_.
  std::optional<Piece> take_line(std::string_view line);
  std::optional<Piece> end_block();
  void look_at(std::string_view written, std::string_view line);
  std::optional<Piece> broken(std::string fault);

  enum class Part { kHeader, kBody, kSkipped };

  std::size_t max_message_;
  std::uint64_t max_announced_;
  std::string_view chunk_;
  Part part_ = Part::kHeader;
  std::string block_;                       // header lines so far, the last one perhaps incomplete
  std::size_t line_begin_ = 0;              // where in block_ the last one begins
  std::string again_;                       // a line to be handled before the chunk
  std::optional<std::uint64_t> announced_;  // by the header block
  std::string odd_;                         // about the header block
  bool torn_ = false;                       // something was broken and no message came since
  Piece body_;
  std::string skipped_;  // the last bytes of a line that is skipped
};

class ContentLengthFraming final : public Framing {
 public:
  std::string frame(std::string_view text) const override;
  std::unique_ptr<Splitter> splitter(std::size_t max_message) const override;
  const char* name() const override { return "content-length"; }
};

}  // namespace harness::transport
