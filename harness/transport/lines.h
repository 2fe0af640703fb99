// SPDX-License-Identifier: Apache-2.0
// One message a line. Only 0x0A ends a line; a CR before it stays part of the line, because its
// presence is evidence.
#pragma once

#include <cstddef>
#include <cstdint>
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
  std::string_view begun() const override { return partial_; }

 private:
  void keep(std::string_view piece);

  std::size_t max_line_;
  std::string_view chunk_;
  std::string partial_;
  std::uint64_t partial_size_ = 0;
};

class LineFraming final : public Framing {
 public:
  std::string frame(std::string_view text) const override;
  std::unique_ptr<Splitter> splitter(std::size_t max_message) const override;
  const char* name() const override { return ""; }
};

}  // namespace harness::transport
