// SPDX-License-Identifier: Apache-2.0
// One decoder, `code_point`, is behind both the UTF-8 check and the escaping, so that what one
// calls malformed the other never lets through.
#include "harness/base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "harness/base/ascii.h"

namespace harness {
namespace {

struct Decoded {
  char32_t value = 0;
  std::size_t length = 0;  // 0: the byte does not start a well-formed sequence
};

Decoded code_point(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  char32_t value = 0;
  char32_t smallest = 0;  // anything below is an overlong form
  if (first >= 0xC2 && first <= 0xDF)
    length = 2, value = first & 0x1FU, smallest = 0x80;
  else if (first >= 0xE0 && first <= 0xEF)
    length = 3, value = first & 0x0FU, smallest = 0x800;
  else if (first >= 0xF0 && first <= 0xF4)
    length = 4, value = first & 0x07U, smallest = 0x10000;
  else
    return {};
  if (bytes.size() - at < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3FU);
  }
  if (value < smallest || value > 0x10FFFF) return {};
  if (value >= 0xD800 && value <= 0xDFFF) return {};
  return {value, length};
}

struct Range {
  char32_t first;
  char32_t last;
};

// Code points that move, reorder or hide text without being visible themselves.
constexpr Range kInvisible[] = {
    {0x80, 0x9F},     {0xAD, 0xAD},     {0x034F, 0x034F}, {0x061C, 0x061C},   {0x115F, 0x1160},
    {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

bool is_invisible(char32_t c) {
  return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                     [c](Range r) { return c >= r.first && c <= r.last; });
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out += "0123456789abcdef"[(value >> shift) & 0xF];
}

void append_byte_escape(std::string& out, unsigned char byte) {
  switch (byte) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: out += "\\x"; append_hex(out, byte, 2);
  }
}

// `limit` stands for itself and all beyond it: most words are far away, which shows early.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= limit) return limit;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t swap =
          ascii::lower(a[i - 1]) == ascii::lower(b[j - 1]) ? diagonal : diagonal + 1;
      row[j] = std::min({above + 1, row[j - 1] + 1, swap});
      diagonal = above;
    }
    if (*std::min_element(row.begin(), row.end()) >= limit) return limit;
  }
  return std::min(row[b.size()], limit);
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view bytes) {
  constexpr std::uint64_t kNotAscii = 0x8080808080808080u;
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint64_t eight = kNotAscii;
    if (bytes.size() - at >= sizeof eight) std::memcpy(&eight, bytes.data() + at, sizeof eight);
    if ((eight & kNotAscii) == 0) {
      at += sizeof eight;
      continue;
    }
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = code_point(bytes, at).length;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string printable(std::string_view bytes, std::size_t limit) {
  std::string out;
  out.reserve(std::min(bytes.size(), limit) + 16);
  for (std::size_t at = 0; at < bytes.size();) {
    const Decoded decoded = code_point(bytes, at);
    const std::size_t step = std::max<std::size_t>(decoded.length, 1);
    if (at + step > limit) return out + " … (" + std::to_string(bytes.size()) + " bytes)";
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (decoded.length == 0 || byte < 0x20 || byte == 0x7F) {
      append_byte_escape(out, byte);
    } else if (is_invisible(decoded.value)) {
      int digits = 1;
      while ((decoded.value >> (4 * digits)) != 0) ++digits;
      out += "\\u{";
      append_hex(out, decoded.value, digits);
      out += "}";
    } else {
      out.append(bytes.substr(at, decoded.length));
    }
    at += step;
  }
  return out;
}

namespace {

// Letters of it were left out, none of them at the beginning or the end, and no part of a name of
// several parts.
bool abbreviates(std::string_view name, std::string_view candidate) {
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kLonger = 3;  // times, at most
  const std::size_t first = std::min(name.find_first_not_of('-'), name.size());
  if (name.size() < first + kShortest || name.size() >= candidate.size() ||
      candidate.size() > kLonger * name.size() ||
      !candidate.starts_with(name.substr(0, first + 1)) || candidate.back() != name.back() ||
      std::count(candidate.begin(), candidate.end(), '.') !=
          std::count(name.begin(), name.end(), '.'))
    return false;
  std::size_t at = 0;
  for (const char c : candidate)
    if (at < name.size() && name[at] == c) ++at;
  return at == name.size();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  // A suggestion further away than a third of the word is a guess, not a correction.
  constexpr std::size_t kLongestName = 200;
  if (name.size() > kLongestName) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = edit_distance(name, candidate, best_distance);
    // Replacing every letter is no resemblance, however short the word.
    if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  // Letters in another order are near, however short the word; so is the only name that it
  // abbreviates: "args" of "arguments".
  const auto matches = [&](const std::string& candidate) {
    return std::is_permutation(name.begin(), name.end(), candidate.begin(), candidate.end());
  };
  const auto swapped = std::find_if(known.begin(), known.end(), matches);
  if (swapped != known.end() && name.size() > 1) return *swapped;
  const auto longer = [&](const std::string& candidate) { return abbreviates(name, candidate); };
  if (std::count_if(known.begin(), known.end(), longer) != 1) return "";
  return *std::find_if(known.begin(), known.end(), longer);
}

std::string shell_quoted(std::string_view word) {
  const auto is_plain = [](char c) {
    return ascii::is_alphanumeric(c) ||
           std::string_view("_-./:=,@%+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last * met, the only one worth going back to
  std::size_t star_text = 0;                  // where its run of characters ends so far
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace harness
