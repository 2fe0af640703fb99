// SPDX-License-Identifier: Apache-2.0
// What becomes of an id on its way through a server that does not keep it.
#pragma once

#include <string_view>

#include "harness/json/value.h"

namespace harness::trace {

enum class Change {
  kNone,
  kType,      // 1 came back as "1", or "1" as 1
  kText,      // in another letter case
  kRecoded,   // text whose characters beyond ASCII came back as others, or not at all
  kCut,       // a long string, its beginning
  kFraction,  // a number with a fraction, as a number near it
  kRounded,   // an integer beyond 2^53, as another one
  kBits,      // another integer, as what 32 bits hold of it, or its digits before an exponent
  kLost,      // as null, or not at all
  kConstant,  // whatever was asked, the same came
  kPrevious,  // as the id of the request before
};

// How `came` may have been made of `asked`, by the two alone: up to kBits.
Change change_from(const json::Value& asked, const json::Value& came);

// Whether the number `came` may be what is left of this number with a reader that cannot hold it:
// it has a fraction, or is an integer beyond 2^53. `spelling`: JSON text of a number.
bool may_be_rounded_to(double came, std::string_view spelling);

// Whether the number `is` is what 32 bits hold of the number `was`, or 64 of one beyond those.
bool is_cut_to(const json::Value& was, const json::Value& is);

// Of two numbers, whether the first is more likely to have been rounded to `came`; of anything else
// it is not.
bool is_nearer(const json::Value& one, const json::Value& other, const json::Value& came);

}  // namespace harness::trace
