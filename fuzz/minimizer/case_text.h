// SPDX-License-Identifier: Apache-2.0
// Text: what a step of a case sends, as a case writes it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fuzz {

// Bytes, or the name of an earlier capture.
struct Part {
  std::string text;
  bool captured = false;
};
using Text = std::vector<Part>;

// A YAML string; a list of pieces if some bytes must be written as hexadecimal digits.
std::string yaml_of(const Text& text);

bool has_line_break(const Text& text);

// The value of a reference is not known here: it counts as empty.
std::size_t size_of(const Text& text);

// Cuts the first part off the text. It ends before the next capture.
Text taken(Text& text, std::size_t length);

}  // namespace fuzz
