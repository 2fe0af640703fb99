// SPDX-License-Identifier: Apache-2.0
#include "reports/page.h"

#include <algorithm>

#include "harness/base/text.h"
#include "reports/layout.h"

namespace reports {
namespace {

constexpr std::size_t kLabelColumns = 10;  // "expected  "

std::string safe(std::string_view text) { return harness::printable(text, 4096); }

const char* code_of(Ink ink) {
  switch (ink) {
    case Ink::kPlain: return "";
    case Ink::kBold: return "\x1b[1m";
    case Ink::kDim: return "\x1b[2m";
    case Ink::kRed: return "\x1b[1;31m";
    case Ink::kGreen: return "\x1b[1;32m";
    case Ink::kYellow: return "\x1b[1;33m";
    case Ink::kMagenta: return "\x1b[1;35m";
    case Ink::kCyan: return "\x1b[36m";
  }
  return "";
}

}  // namespace

Page::Page(std::size_t width, bool colour)
    : width_(std::clamp<std::size_t>(width, 40, 100)), colour_(colour) {}

std::string Page::painted(std::string_view text, Ink ink) const {
  if (!colour_ || ink == Ink::kPlain || text.empty()) return std::string(text);
  return code_of(ink) + std::string(text) + "\x1b[0m";
}

void Page::line(std::size_t indent, std::string_view painted_text) {
  out_.append(indent, ' ');
  out_ += painted_text;
  out_ += '\n';
}

void Page::blank() {
  if (out_.empty() || (out_.size() >= 2 && out_.compare(out_.size() - 2, 2, "\n\n") == 0)) return;
  out_ += '\n';
}

void Page::heading(const std::string& label, Ink ink, std::string_view sentence) {
  constexpr std::size_t kIndent = 6;
  const std::string text = safe(sentence);
  const std::string start = padded(label, kIndent - 1) + " ";
  const std::size_t used = width_of(start);
  bool first = true;
  for (const std::string& part : wrap(text, width_ - used)) {
    if (first) {
      line(0, painted(start, ink) + painted(part, Ink::kBold));
    } else {
      line(used, painted(part, Ink::kBold));
    }
    first = false;
  }
  if (first) line(0, painted(label, ink));
}

void Page::paragraph(std::size_t indent, std::string_view text, Ink ink, std::size_t max_lines) {
  std::size_t lines = 0;
  for (const std::string& part : wrap(safe(text), width_ - indent)) {
    if (lines++ == max_lines) {
      line(indent, painted("…", ink));
      break;
    }
    line(indent, painted(part, ink));
  }
}

void Page::field(std::size_t indent, std::string_view label, std::string_view text, Ink ink) {
  constexpr std::size_t kMaxLines = 6;
  const std::size_t text_column = indent + std::max(kLabelColumns, width_of(label) + 2);
  std::size_t lines = 0;
  const std::vector<std::string> parts = wrap(safe(text), width_ - text_column);
  for (const std::string& part : parts) {
    if (lines == kMaxLines) {
      line(text_column, painted("…", Ink::kDim));
      break;
    }
    if (lines == 0) {
      line(indent, painted(padded(std::string(label), text_column - indent), Ink::kDim) +
                       painted(part, ink));
    } else {
      line(text_column, painted(part, ink));
    }
    ++lines;
  }
}

void Page::verbatim(std::size_t indent, std::string_view label, std::string_view text) {
  line(indent, painted(padded(std::string(label), kLabelColumns), Ink::kDim) +
                   harness::printable(text, text.size()));
}

void Page::pair(std::size_t indent, std::string_view left, Ink left_ink, std::string_view right,
                Ink right_ink) {
  std::string text = painted(harness::printable(left, left.size()), left_ink);
  if (!right.empty()) text += "  " + painted(harness::printable(right, right.size()), right_ink);
  line(indent, text);
}

}  // namespace reports
