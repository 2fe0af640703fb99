// SPDX-License-Identifier: Apache-2.0
#include "reports/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/base/text.h"

namespace reports {
namespace {

bool between(char32_t value, char32_t low, char32_t high) { return value >= low && value <= high; }

std::size_t width_of(char32_t c) {
  if (between(c, 0x300, 0x36f) || between(c, 0x20d0, 0x20ff) || between(c, 0xfe00, 0xfe0f))
    return 0;
  const bool wide =
      between(c, 0x1100, 0x115f) || between(c, 0x2e80, 0xa4cf) || between(c, 0xac00, 0xd7a3) ||
      between(c, 0xf900, 0xfaff) || between(c, 0xfe30, 0xfe6f) || between(c, 0xff00, 0xff60) ||
      between(c, 0xffe0, 0xffe6) || between(c, 0x1f300, 0x1faff) || between(c, 0x20000, 0x3fffd);
  return wide ? 2 : 1;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(offset);
  std::size_t length = 1;
  if (first >= 0xf0)
    length = 4;
  else if (first >= 0xe0)
    length = 3;
  else if (first >= 0xc0)
    length = 2;
  if (length == 1) return {first, offset + 1, first < 0x80};
  if (!harness::is_utf8(text.substr(offset, length))) return {first, offset + 1, false};
  char32_t value = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = value << 6 | (byte(offset + i) & 0x3fu);
  return {value, offset + length, true};
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = code_point_at(text, i);
    width += width_of(point.value);
    i = point.next;
  }
  return width;
}

namespace {

// As much of the bytes, printable, as has room.
std::string beginning_of(std::string_view bytes, std::size_t room) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t next = code_point_at(bytes, i).next;
    const std::string shown = harness::printable(bytes.substr(i, next - i));
    const std::size_t width = reports::width_of(shown);
    if (used + width > room) break;
    out += shown;
    used += width;
    i = next;
  }
  return out;
}

// All of it, printable; nothing where that is wider.
std::optional<std::string> whole_of(std::string_view bytes, std::size_t columns) {
  // One input byte can become six columns (\u{9b}), so this is looked for, not computed.
  if (bytes.size() > columns * 4) return std::nullopt;
  std::string whole = harness::printable(bytes, bytes.size());
  if (reports::width_of(whole) > columns) return std::nullopt;
  return whole;
}

}  // namespace

std::string fit(std::string_view bytes, std::size_t columns, std::uint64_t size) {
  const std::uint64_t length = std::max<std::uint64_t>(size, bytes.size());
  if (length == bytes.size())
    if (auto whole = whole_of(bytes, columns)) return *whole;
  const std::string tail = fmt::format("… ({} bytes)", length);
  return beginning_of(bytes, columns - std::min(columns, width_of(tail))) + tail;
}

std::string fit_words(std::string_view text, std::size_t columns) {
  if (auto whole = whole_of(text, columns)) return *whole;
  std::string out = beginning_of(text, columns - std::min<std::size_t>(columns, 2));
  if (const std::size_t space = out.rfind(' '); space != std::string::npos && space > columns / 2)
    out.resize(space);
  return out + " …";
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 8);
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back(line);
    line.clear();
    used = 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\n') {
      ++i;
      continue;
    }
    std::size_t end = text.find_first_of(" \n", i);
    if (end == std::string_view::npos) end = text.size();
    std::string_view word = text.substr(i, end - i);
    i = end;
    const std::size_t width = width_of(word);
    if (used > 0 && used + 1 + width > columns) flush();
    if (used > 0) {
      line += ' ';
      ++used;
    }
    for (std::size_t k = 0; k < word.size();) {
      const CodePoint point = code_point_at(word, k);
      const std::size_t one = width_of(word.substr(k, point.next - k));
      if (used + one > columns) flush();
      line += word.substr(k, point.next - k);
      used += one;
      k = point.next;
    }
  }
  flush();
  return lines;
}

std::vector<std::string> chunks(std::string_view text, std::size_t columns) {
  std::vector<std::string> out(1);
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t next = code_point_at(text, i).next;
    const std::string_view character = text.substr(i, next - i);
    const std::size_t width = width_of(character);
    if (used + width > columns && used > 0) {
      out.emplace_back();
      used = 0;
    }
    out.back() += character;
    used += width;
    i = next;
  }
  return out;
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t width = width_of(text);
  if (width < columns) text.append(columns - width, ' ');
  return text;
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string duration_text(std::int64_t milliseconds) {
  if (milliseconds < 1000) return fmt::format("{} ms", milliseconds);
  if (milliseconds < 60'000)
    return fmt::format("{:.1f} s", static_cast<double>(milliseconds) / 1e3);
  return fmt::format("{} min {} s", milliseconds / 60'000, milliseconds % 60'000 / 1000);
}

}  // namespace reports
