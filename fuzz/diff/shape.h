// SPDX-License-Identifier: Apache-2.0
// The shape of a result: which members it has and of what kinds they are. It ignores texts,
// numbers, counts and order. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/json/value.h"

namespace fuzz {

// Path → kinds of value seen there, one bit each. Elements of an array share one place:
// "tools[].name" is present when one of them has it. Places deeper than three steps and `_meta` are
// left out; isError: false equals none.
using Shape = std::map<std::string, std::uint8_t>;
Shape shape_of(const harness::json::Value& value);

// One phrase for each of two shapes: {"with nextCursor", "without nextCursor"}, {"with a number as
// id", "with a string as id"}; both empty when the shapes are equal. The outermost differences
// only.
struct ShapePair {
  std::string a, b;
};
ShapePair told_apart(const Shape& a, const Shape& b);

}  // namespace fuzz
