// SPDX-License-Identifier: Apache-2.0
// Line: what is wrong with a line of stdout that begins as a message but is not JSON. Pure.
#pragma once

#include <string>

namespace harness::trace {

inline constexpr std::size_t kLongLine = 4096;  // bytes: no buffer of one write is smaller

enum class Line {
  kOther,        // sound, several messages in a row, or not the start of a message
  kCut,          // the start of one message
  kMixed,        // another message begins before the first has ended
  kLongRunInto,  // expected if the first is longer than one write
};

Line line_of(const std::string& bytes);

}  // namespace harness::trace
