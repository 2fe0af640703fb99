// SPDX-License-Identifier: Apache-2.0
// Outside of strings a document has no such characters, so the whole text can be treated.
#include "harness/json/escaped.h"

#include <cstddef>
#include <cstdint>

#include "harness/base/text.h"

namespace harness::json {
namespace {

std::size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::uint32_t code_point(std::string_view bytes) {
  if (bytes.size() == 1) return static_cast<unsigned char>(bytes[0]);
  std::uint32_t value = static_cast<unsigned char>(bytes[0]) & (0x7FU >> bytes.size());
  for (const char byte : bytes.substr(1))
    value = (value << 6) | (static_cast<unsigned char>(byte) & 0x3FU);
  return value;
}

void append_escape(std::string& out, std::uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789abcdef"[(unit >> shift) & 0xF];
}

}  // namespace

std::string escaped_for_eyes(std::string_view document) {
  std::string out;
  out.reserve(document.size());
  for (std::size_t at = 0; at < document.size();) {
    const auto first = static_cast<unsigned char>(document[at]);
    const std::string_view bytes = document.substr(at, length_of(first));
    at += bytes.size();
    if (first < 0x7F || (first >= 0x80 && printable(bytes) == bytes)) {
      out += bytes;
      continue;
    }
    const std::uint32_t value = code_point(bytes);
    if (value < 0x10000) {
      append_escape(out, value);
    } else {
      append_escape(out, 0xD800 + ((value - 0x10000) >> 10));
      append_escape(out, 0xDC00 + ((value - 0x10000) & 0x3FF));
    }
  }
  return out;
}

}  // namespace harness::json
