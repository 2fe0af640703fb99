// SPDX-License-Identifier: Apache-2.0
// Page: text laid out for a terminal: indented, wrapped, coloured when asked. All text is made
// printable first, so no caller can forget it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace reports {

enum class Ink { kPlain, kBold, kDim, kRed, kGreen, kYellow, kMagenta, kCyan };

class Page {
 public:
  Page(std::size_t width, bool colour);

  void blank();  // an empty line, never two in a row
  // "FAIL  sentence …", wrapped under itself.
  void heading(const std::string& label, Ink ink, std::string_view sentence);
  // A wrapped sentence, at most `max_lines` lines of it.
  void paragraph(std::size_t indent, std::string_view text, Ink ink = Ink::kPlain,
                 std::size_t max_lines = 12);
  // "label    text …", the text wrapped in its own column.
  void field(std::size_t indent, std::string_view label, std::string_view text,
             Ink ink = Ink::kPlain);
  // One line unchanged, however long: a command to copy.
  void verbatim(std::size_t indent, std::string_view label, std::string_view text);
  // Label and text on one line; the text is already cut.
  void pair(std::size_t indent, std::string_view left, Ink left_ink, std::string_view right,
            Ink right_ink);

  std::size_t width() const { return width_; }
  std::string take() { return std::move(out_); }

 private:
  void line(std::size_t indent, std::string_view painted);
  std::string painted(std::string_view text, Ink ink) const;

  std::size_t width_;
  bool colour_;
  std::string out_;
};

}  // namespace reports
