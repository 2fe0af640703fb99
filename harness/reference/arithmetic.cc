// SPDX-License-Identifier: Apache-2.0
// Integers first, because a double would round 2^53+1.
#include "harness/reference/arithmetic.h"

#include <charconv>
#include <cmath>
#include <string>

namespace harness::reference {

json::Value number_from(double value) {
  if (value == 0) return json::number(0);
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string spelled(text, end);
  // 1e+20 is JSON as it is; what has no point and no exponent is an integer already.
  return json::number_spelled(spelled);
}

std::optional<json::Value> computed(const json::Value& a, char sign, const json::Value& b) {
  const auto x = json::as_integer(a);
  const auto y = json::as_integer(b);
  std::int64_t whole = 0;
  if (x && y) {
    if (sign == '+' && !__builtin_add_overflow(*x, *y, &whole)) return json::number(whole);
    if (sign == '-' && !__builtin_sub_overflow(*x, *y, &whole)) return json::number(whole);
    if (sign == '*' && !__builtin_mul_overflow(*x, *y, &whole)) return json::number(whole);
  }
  const double l = json::as_double(a);
  const double r = json::as_double(b);
  const double result = sign == '+' ? l + r : sign == '-' ? l - r : sign == '*' ? l * r : l / r;
  if (!std::isfinite(result)) return std::nullopt;
  return number_from(result);
}

}  // namespace harness::reference
