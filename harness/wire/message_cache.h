// SPDX-License-Identifier: Apache-2.0
// MessageCache: texts that come again and again are read once. In a campaign most messages have
// been seen before, byte for byte, and reading is a fifth of the instructions that a frame costs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/message.h"

namespace harness::wire {

class MessageCache {
 public:
  // What read_message() makes of the text.
  MessagePtr read(std::string_view text);

 private:
  struct Slot {
    std::string text;
    MessagePtr message;
  };

  std::vector<Slot> slots_;  // by hash: of two texts with one place the later stays
};

}  // namespace harness::wire
