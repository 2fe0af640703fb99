// SPDX-License-Identifier: Apache-2.0
// What becomes of an id on its way through a server that does not keep it.
#pragma once

#include <string_view>

#include "harness/json/value.h"

namespace harness::trace {

enum class Change {
  kNone,
  kType,      // 1 came back as "1", or "1" as 1, or {} as []
  kText,      // in another letter case
  kRecoded,   // text whose non-ASCII characters came back altered, or not at all
  kCut,       // of a long string only the first part
  kFraction,  // of a number with a fraction, a number near it
  kRounded,   // of an integer, one near it: beyond 2^53, or with an exponent
  kBits,      // of an integer, what 32 bits hold of it, or its digits before an exponent
  kLost,      // as null, or not at all
  kConstant,  // always the same, whatever was asked
  kPrevious,  // the id of the previous request
};

// How `asked` may have become `came`, judged by these two alone: up to kBits.
Change change_from(const json::Value& asked, const json::Value& came);

// Whether `came` may be this number after a reader that cannot hold it: it has a fraction, or is an
// integer beyond 2^53. `spelling`: JSON text of a number.
bool may_be_rounded_to(double came, std::string_view spelling);

// Whether `is` is the number `was` cut to 32 bits, or to 64 if it is larger.
bool is_cut_to(const json::Value& was, const json::Value& is);

// Of two numbers, whether the first is more likely to have been rounded to `came`; false for
// anything else.
bool is_nearer(const json::Value& one, const json::Value& other, const json::Value& came);

}  // namespace harness::trace
