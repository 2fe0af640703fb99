// SPDX-License-Identifier: Apache-2.0
// Which methods of a contract may be called, and by what right. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/openrpc.h"

namespace harness::contract {

enum class Effect : std::uint8_t {
  kReads,    // asking changes nothing, by its name
  kUnknown,  // its name does not say
  kChanges,  // it changes something, by its name
};
Effect effect_of(std::string_view method);

struct Permission {
  bool given = false;
  std::string why;  // "it has an example", "its name says that it changes state"
};

// `allowed`: what the operator permits besides: names, patterns such as "get*", or "any". A name
// permits whatever it names; patterns and "any" nothing whose name says that it changes state, and
// patterns only what reads.
Permission permission_of(const Method& method, const std::vector<std::string>& allowed);

}  // namespace harness::contract
