// SPDX-License-Identifier: Apache-2.0
// base/text and base/base64: what makes a stranger's bytes safe to look at.
//
//   1. printable() gives UTF-8 on which no terminal acts, whatever comes in, and keeps plain text.
//   2. Base64 of anything reads back; what reads is what would have been written.
//   3. A glob matches itself with its stars filled in; matching costs bounded time.
#include <algorithm>

#include "fuzz/targets/property.h"
#include "harness/base/base64.h"
#include "harness/base/text.h"

using namespace harness;
using fuzz::hold;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  for (const std::size_t limit : {std::size_t{400}, std::size_t{3}, size}) {
    const std::string shown = printable(text, limit);
    hold(is_utf8(shown), "what is shown is UTF-8", shown);
    hold(std::none_of(shown.begin(), shown.end(),
                      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }),
         "nothing a terminal acts on is shown", shown);
    for (const char* acts : {"\u0085", "\u009b", "\u200b", "\u202e", "\u2066", "\ufeff"}) {
      hold(shown.find(acts) == std::string::npos, "no hidden character is shown", shown);
    }
    hold(shown.size() <= 8 * std::min(limit, size) + 64, "what is shown is bounded", shown);
  }
  const std::size_t invalid = first_invalid_utf8(text);
  hold(invalid == std::string_view::npos || invalid < size, "a place in the text");
  hold(is_utf8(text.substr(0, invalid)), "what stands before it is UTF-8", text);

  const std::string written = to_base64(text);
  hold(from_base64(written) == std::string(text), "base64 reads back", written);
  if (const auto decoded = from_base64(text)) {
    hold(to_base64(*decoded) == text, "only what is written is read", text);
  }
  hold(!shell_quoted(text).empty(), "a word is never nothing");

  const std::string pattern(fuzz::take_line(text));
  if (pattern.size() > 200) return 0;
  matches_glob(pattern, text);
  nearest(pattern, {"case", "requirement", std::string(text.substr(0, 64))});
  std::string filled;
  for (const char c : pattern) filled += c == '*' ? "ab" : std::string(1, c);
  hold(matches_glob(pattern, filled), "a glob matches what it says", pattern);
  return 0;
}
