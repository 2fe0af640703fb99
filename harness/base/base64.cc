// SPDX-License-Identifier: Apache-2.0
// Four characters carry three bytes; the last group may carry one or two.
#include "harness/base/base64.h"

#include <algorithm>
#include <cstdint>

namespace harness {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = (group << 8) | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= count ? kAlphabet[(group >> (18 - 6 * i)) & 63] : '=';
  }
  return out;
}

std::string to_base64url(std::string_view bytes) {
  std::string out = to_base64(bytes);
  std::erase(out, '=');
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    const bool last = at + 4 == text.size();
    const std::size_t digits = last ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const int digit = i < digits ? digit_of(text[at + i]) : 0;
      if (digit < 0) return std::nullopt;
      group = (group << 6) | static_cast<std::uint32_t>(digit);
    }
    const std::size_t unused_bits = 8 * (4 - digits);
    if ((group & ((1U << unused_bits) - 1)) != 0) return std::nullopt;
    for (std::size_t i = 0; i + 1 < digits; ++i)
      out += static_cast<char>((group >> (16 - 8 * i)) & 0xFF);
  }
  return out;
}

}  // namespace harness
