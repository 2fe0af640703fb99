// SPDX-License-Identifier: Apache-2.0
// One message a line. Only 0x0A ends a line; a CR before it stays part of the line, because its
// presence is evidence. A message that is printed over several lines comes as one piece with its
// line feeds, so that the rest of it can be judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/transport/framing.h"

namespace harness::transport {

class LineSplitter final : public Splitter {
 public:
  explicit LineSplitter(std::size_t max_line) : max_line_(max_line) {}

  void give(std::string_view chunk) override { chunk_ = chunk; }
  std::optional<Piece> next() override;
  std::optional<Piece> rest() override;
  std::string_view begun() const override;

 private:
  std::optional<Piece> line();
  void keep(std::string_view piece);
  void join(Piece line);
  void let_go();

  std::size_t max_line_;
  std::string_view chunk_;
  std::string partial_;
  std::uint64_t partial_size_ = 0;
  std::deque<Piece> held_;  // lines of a message that is not whole yet
  std::string joined_;      // the same as one text
  std::int64_t depth_ = 0;  // brackets that are open in it
  mutable std::string begun_;  // what begun() returned last
  std::deque<Piece> ready_;  // to be given out before anything else
};

class LineFraming final : public Framing {
 public:
  std::string frame(std::string_view text) const override;
  std::unique_ptr<Splitter> splitter(std::size_t max_message) const override;
  const char* name() const override { return ""; }
};

}  // namespace harness::transport
