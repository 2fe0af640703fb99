// SPDX-License-Identifier: Apache-2.0
// JSON numbers as text. A number is never turned into a double to be compared: it is brought into
// one canonical spelling, whose cost is the length of its text, whatever its exponent says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace harness::json {

// How far the number grammar reaches from the start of `text`.
struct NumberPrefix {
  std::size_t length = 0;  // characters that belong to the number
  bool complete = false;   // false: a digit is missing at `length`
};
NumberPrefix number_prefix(std::string_view text);

bool is_number_text(std::string_view text);

// The number as ±digits × 10^exponent, digits without zeros at either end; zero has no digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  bool negative_exponent = false;
  std::string exponent = "0";  // magnitude, no leading zeros

  bool is_zero() const { return digits.empty(); }
  bool is_whole() const { return is_zero() || !negative_exponent; }
  // "0", "-15e-1", "1e3": equal for equal numbers and for no others.
  std::string text() const;
};

// `spelling` must be a JSON number.
Decimal decimal(std::string_view spelling);
// decimal(spelling).text(), at once for integers as they are usually written.
std::string canonical(std::string_view spelling);
// Whether it is spelled with digits alone, and perhaps a minus sign.
bool is_plain_integer(std::string_view spelling);

}  // namespace harness::json
