// SPDX-License-Identifier: Apache-2.0
// Line: what is wrong with a line of stdout that begins as a message but is not JSON. Pure.
#pragma once

#include <string>

namespace harness::run {

inline constexpr std::size_t kLongLine = 4096;  // bytes: no buffer of one write is smaller

enum class Line {
  kOther,        // sound, messages one behind the other, or no beginning of a message
  kCut,          // the beginning of one message
  kMixed,        // another message begins before the first has ended
  kLongRunInto,  // so it does where the first is longer than what is written at once
};

Line line_of(const std::string& bytes);

}  // namespace harness::run
