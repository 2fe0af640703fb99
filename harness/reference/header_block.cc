// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/header_block.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/base/ascii.h"
#include "harness/reference/text_facts.h"

namespace harness::reference {
namespace {

constexpr std::size_t kLongest = 64u << 20;  // bytes of a message

std::optional<std::size_t> length_in(std::string_view digits) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || stop != digits.data() + digits.size() || value > kLongest)
    return std::nullopt;
  return value;
}

void take_type(std::string_view value, const Faults& faults, HeaderBlock& out) {
  constexpr std::string_view kCharset = "charset=";
  const std::string lower = ascii::lower(value);
  const std::size_t at = lower.find(kCharset);
  const std::string charset =
      at == std::string::npos ? "utf-8" : lower.substr(at + kCharset.size());
  out.other_charset = charset != "utf-8" && charset != "utf8";
  out.kills |= faults.has("content-type-refused") ||
               (charset == "utf8" && faults.has("charset-utf8-refused")) ||
               (out.other_charset && faults.has("charset-other-kills"));
}

}  // namespace

HeaderBlock read_header_block(std::string_view block, const Faults& faults) {
  HeaderBlock out;
  bool usable = true;
  for (std::size_t line_number = 0; !block.empty(); ++line_number) {
    const std::size_t end = std::min(block.find("\r\n"), block.size());
    const std::string_view line = block.substr(0, end);
    block.remove_prefix(std::min(end + 2, block.size()));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
    if (ascii::equal_ignoring_case(name, "Content-Length")) {
      if (name != "Content-Length" && faults.has("content-length-exact-name")) continue;
      if (line_number > 0 && faults.has("content-length-comes-first")) out.kills = true;
      out.length = length_in(value);
      usable = usable && out.length.has_value();
    } else if (ascii::equal_ignoring_case(name, "Content-Type")) {
      take_type(value, faults, out);
    } else if (faults.has("content-length-alone")) {
      out.kills = true;
    }
  }
  if (!usable) out.length.reset();
  return out;
}

}  // namespace harness::reference
