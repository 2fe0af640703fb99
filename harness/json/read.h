// SPDX-License-Identifier: Apache-2.0
// Strict reading of JSON text (RFC 8259). Nothing is repaired: a departure from the grammar is a
// ReadError; what the grammar allows but a tester has to know is a remark in the Reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "harness/json/value.h"

namespace harness::json {

struct ReadLimits {
  std::size_t max_depth = 512;  // nesting depth of arrays and objects, including an empty one
  // A Value costs about 100 bytes, fifty times its text in `1,1,1`: the cost of the tree is
  // limited, not only the length of the text.
  std::size_t max_values = 250'000;
};

struct Reading {
  Value value;
  std::string duplicate_name;   // first repeated member name, "" when none
  std::size_t values = 0;       // number of values in the tree, including itself
  bool lone_surrogate = false;  // an unpaired \uD800..\uDFFF escape; it reads as U+FFFD
};

enum class ReadFault {
  kSyntax,    // not JSON
  kEncoding,  // not UTF-8
  kTooDeep,   // valid JSON so far, but beyond a limit: nested too deep, or too many values
};

struct ReadError {
  ReadFault fault = ReadFault::kSyntax;
  std::size_t offset = 0;  // byte offset into the text
  std::string reason;      // "a comma or a closing bracket was expected"
};

// Reads one JSON text. Never recurses over the input: a million brackets need a bounded stack.
std::variant<Reading, ReadError> read(std::string_view text, const ReadLimits& limits = {});

// Whether so many arrays and objects in each other are open anywhere in the text, which need not be
// JSON.
bool opens(std::string_view text, std::size_t depth);

// The value of a text that is known to be JSON (our own). Throws Bug if it is not.
Value parse(std::string_view text);

}  // namespace harness::json
