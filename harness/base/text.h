// SPDX-License-Identifier: Apache-2.0
// Text from the target is hostile: these functions make it safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF), or npos when all of it is.
std::size_t first_invalid_utf8(std::string_view bytes);
inline bool is_utf8(std::string_view bytes) {
  return first_invalid_utf8(bytes) == std::string_view::npos;
}

// `bytes` with everything that a terminal could act on written as \n, \t, \x1b or \u{202e}: C0, C1,
// DEL, bidirectional and zero-width controls, bytes that are not UTF-8. At most `limit` bytes of
// input are shown; the rest becomes " … (N bytes)".
std::string printable(std::string_view bytes, std::size_t limit = 400);

// `name` among `known` with the smallest edit distance; else with its letters in another order;
// else the only one that it abbreviates; or "" if none is close.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

// Shell quoting for a command a user can paste.
std::string shell_quoted(std::string_view word);

// True when `text` matches `pattern`, where * stands for any run of characters.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace harness
