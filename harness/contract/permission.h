// SPDX-License-Identifier: Apache-2.0
// May a described method be called? A document says what a method takes, and seldom whether it
// changes anything: so a method is called for its example, unless its name says that it changes
// something, and beyond that by the word of the operator alone. Nothing is asked of other methods,
// not even wrongly: lenient servers run what they are asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::contract {

// What the first word behind the namespace of a name says: "eth_getBlockByNumber" reads.
enum class Effect : std::uint8_t { kReads, kChanges, kUnsaid };
Effect effect_of(std::string_view method);

// What the operator says: "any", names, and patterns such as "get*", which are held against names
// with and without their namespaces.
using Words = std::vector<std::string>;

struct Standing {
  bool called = false;
  std::string why;  // by what right it is called, or why it is not
  Effect effect = Effect::kUnsaid;
};
Standing standing_of(std::string_view method, bool has_example, const Words& words);

}  // namespace harness::contract
