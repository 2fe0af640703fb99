// SPDX-License-Identifier: Apache-2.0
// The header of a message as language servers have it: Content-Length, perhaps Content-Type, and
// whatever else, in any order and letter case.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/reference/faults.h"

namespace harness::reference {

struct HeaderBlock {
  std::optional<std::size_t> length;  // nothing: there is no usable one
  bool other_charset = false;         // the declared charset is not UTF-8
  bool kills = false;                 // a Fault ends the server
};

// `block`: the lines without the empty line after them.
HeaderBlock read_header_block(std::string_view block, const Faults& faults);

}  // namespace harness::reference
