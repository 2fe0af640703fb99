// SPDX-License-Identifier: Apache-2.0
// MessageCache: texts that come again and again are read once. In a campaign most messages have been
// seen before, byte for byte, and reading is a fifth of the instructions that a frame costs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "harness/wire/message.h"

namespace harness::wire {

class MessageCache {
 public:
  // What read_message() makes of the text.
  MessagePtr read(std::string_view text);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Generation = std::unordered_map<std::string, MessagePtr, Hash, std::equal_to<>>;

  // What was not asked for while one generation grew up is forgotten with the one before.
  Generation young_;
  Generation old_;
};

}  // namespace harness::wire
