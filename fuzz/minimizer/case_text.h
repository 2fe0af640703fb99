// SPDX-License-Identifier: Apache-2.0
// Text: what a step of a case sends, as a case writes it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fuzz {

// Bytes, or the name of what was captured before.
struct Part {
  std::string text;
  bool captured = false;
};
using Text = std::vector<Part>;

// A YAML string; a list of pieces where some of the bytes have to be written in hexadecimal digits.
std::string yaml_of(const Text& text);

bool has_line_break(const Text& text);

// No value of a reference is known here: what it stands for counts as nothing.
std::size_t size_of(const Text& text);

// The beginning of the text, which is shorter by that afterwards. It ends before what is captured.
Text taken(Text& text, std::size_t length);

}  // namespace fuzz
