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
  std::optional<std::size_t> length;  // nothing: there is none that can be used
  bool other_charset = false;         // the content is said not to be UTF-8
  bool kills = false;                 // a Fault ends the server
};

// `block`: the lines without the empty one behind them.
HeaderBlock read_header_block(std::string_view block, const Faults& faults);

}  // namespace harness::reference
