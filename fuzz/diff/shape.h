// SPDX-License-Identifier: Apache-2.0
// The shape of a result: which members it has and of what kinds they are. Texts, numbers, how many
// there are of something and in which order is no part of it. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/json/value.h"

namespace fuzz {

// Path → kinds that were seen there, a bit each. Elements of an array are one place: "tools[].name"
// is there when one of them has it. What is deeper than three steps is not in it, nor is `_meta`,
// and isError: false is as good as none.
using Shape = std::map<std::string, std::uint8_t>;
Shape shape_of(const harness::json::Value& value);

// What to say of each of two shapes: {"with nextCursor", "without nextCursor"}, {"with a number as
// id", "with a string as id"}; both empty when they are the same. The outermost differences only.
struct ShapePair {
  std::string a, b;
};
ShapePair told_apart(const Shape& a, const Shape& b);

}  // namespace fuzz
