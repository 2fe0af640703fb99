// SPDX-License-Identifier: Apache-2.0
// MessageCache: texts that come again and again are read once. In a campaign most messages have
// been seen before, byte for byte, and reading takes a fifth of the instructions for a frame.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/wire/message.h"

namespace harness::wire {

class MessageCache {
 public:
  // The result of read_message() for the text.
  MessagePtr read(std::string_view text);

 private:
  struct Slot {
    std::string text;
    MessagePtr message;
  };

  std::vector<Slot> slots_;  // by hash: of two texts with the same slot the later one stays
};

}  // namespace harness::wire
