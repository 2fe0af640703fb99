// SPDX-License-Identifier: Apache-2.0
// What fuzz targets share: to say what has to hold, and to take an input apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

// Ends the process, which every engine counts as a finding.
inline void hold(bool property, const char* what, std::string_view seen = "") {
  if (property) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::fwrite(seen.data(), 1, seen.size(), stderr);
  std::fputc('\n', stderr);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Up to the first newline, which is dropped from the rest: settings of a target come first, so that
// a seed stays readable.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Pieces of `bytes` in order, with lengths that `seed` decides: many of 1, some large.
inline std::vector<std::string_view> cut(std::string_view bytes, std::string_view seed) {
  std::uint64_t state = 0x9e3779b97f4a7c15u + bytes.size();
  for (const char c : seed) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::vector<std::string_view> out;
  while (!bytes.empty()) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const std::size_t most = std::size_t{1} << (state >> 32) % 10;
    const std::size_t size = 1 + static_cast<std::size_t>(state % most);
    out.push_back(bytes.substr(0, size));
    bytes.remove_prefix(out.back().size());
  }
  return out;
}

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
