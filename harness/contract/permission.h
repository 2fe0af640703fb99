// SPDX-License-Identifier: Apache-2.0
// May a described method be called? A document says what a method takes, but seldom whether it
// changes anything. So a method is called for its example, unless its name says that it changes
// something; otherwise only if the operator allows it. Other methods are not called at all, not
// even with wrong params: lenient servers execute them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace harness::contract {

// What the first word after the namespace of a name says: "eth_getBlockByNumber" reads.
enum class Effect : std::uint8_t { kReads, kChanges, kUnsaid };
Effect effect_of(std::string_view method);

// What the operator allows: "any", names, and patterns such as "get*", which are matched with names
// with and without their namespaces.
using Words = std::vector<std::string>;

struct Standing {
  bool called = false;
  std::string why;  // why it may be called, or why not
  Effect effect = Effect::kUnsaid;
};
Standing standing_of(std::string_view method, bool has_example, const Words& words);

}  // namespace harness::contract
