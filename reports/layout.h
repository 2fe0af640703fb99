// SPDX-License-Identifier: Apache-2.0
// Text in columns: how wide a string is on a terminal, cutting and wrapping. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reports {

// The code point at `offset` of `text` and the offset after it. A byte that starts no code point
// is returned as itself with `valid` false.
struct CodePoint {
  char32_t value = 0;
  std::size_t next = 0;
  bool valid = true;
};
CodePoint code_point_at(std::string_view text, std::size_t offset);

// Columns that printable text occupies: wide East Asian characters count two, combining marks none.
std::size_t width_of(std::string_view text);

// Bytes of the target made printable and cut to at most `columns`; a cut is shown as "… (N bytes)".
// `size` is the true length if `bytes` was already cut.
std::string fit(std::string_view bytes, std::size_t columns, std::uint64_t size = 0);

// For sentences: the cut is behind a word, and shown as "…".
std::string fit_words(std::string_view text, std::size_t columns);

// Lines of at most `columns`, broken at blanks; a longer word is broken where it must be.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

// The text split after every `columns`, nothing added or lost: for bytes that are evidence.
std::vector<std::string> chunks(std::string_view text, std::size_t columns);

std::string padded(std::string text, std::size_t columns);
std::string counted(std::size_t count, std::string_view singular, std::string_view plural);
// "850 ms", "4.2 s", "2 min 5 s".
std::string duration_text(std::int64_t milliseconds);

}  // namespace reports
