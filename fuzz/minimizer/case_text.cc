// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/case_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

// What YAML cannot hold, or a case would read as a reference, is not plain.
bool is_plain(const std::string& bytes) {
  return harness::is_utf8(bytes) && bytes.find("${") == std::string::npos &&
         std::none_of(bytes.begin(), bytes.end(), [](unsigned char c) {
           return c == 0x7f || (c < 0x20 && c != '\n' && c != '\r' && c != '\t');
         });
}

std::string in_hex(const std::string& bytes) {
  std::string hex;
  for (const unsigned char byte : bytes)
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", byte);
  return hex;
}

}  // namespace

// A double-quoted YAML string is one of JSON.
std::string yaml_of(const Text& text) {
  std::string whole, pieces;
  bool plain = true;
  for (const Part& part : text) {
    const std::string shown = part.captured ? "${" + part.text + "}" : part.text;
    const bool readable = part.captured || is_plain(part.text);
    plain &= readable;
    whole += shown;
    pieces += pieces.empty() ? "" : ", ";
    pieces +=
        readable ? "{text: " + json::quoted(shown) + "}" : "{hex: \"" + in_hex(part.text) + "\"}";
  }
  return plain ? json::quoted(whole) : "[" + pieces + "]";
}

bool has_line_break(const Text& text) {
  return std::any_of(text.begin(), text.end(),
                     [](const Part& part) { return part.text.find('\n') != std::string::npos; });
}

std::size_t size_of(const Text& text) {
  std::size_t size = 0;
  for (const Part& part : text) size += part.captured ? 0 : part.text.size();
  return size;
}

Text taken(Text& text, std::size_t length) {
  Text out;
  while (length > 0 && !text.empty() && !text.front().captured) {
    Part& first = text.front();
    out.push_back({first.text.substr(0, length)});
    length -= out.back().text.size();
    first.text.erase(0, out.back().text.size());
    if (first.text.empty()) text.erase(text.begin());
  }
  return out.empty() ? Text{{""}} : out;
}

}  // namespace fuzz
