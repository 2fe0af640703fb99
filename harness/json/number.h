// SPDX-License-Identifier: Apache-2.0
// JSON numbers as text. Numbers are never compared as doubles: each is brought into one canonical
// spelling, in time proportional to the length of its text, whatever its exponent.
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

// The number as ±digits × 10^exponent, without zeros at either end of the digits; zero has no
// digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  bool negative_exponent = false;
  std::string exponent = "0";  // magnitude, no leading zeros

  bool is_zero() const { return digits.empty(); }
  bool is_whole() const { return is_zero() || !negative_exponent; }
  // "0", "-15e-1", "1e3": equal for equal numbers and only for them.
  std::string text() const;
};

// `spelling` must be a JSON number.
Decimal decimal(std::string_view spelling);
// decimal(spelling).text(), with a fast path for integers in their usual spelling.
std::string canonical(std::string_view spelling);
// Whether it is spelled with digits only, and perhaps a minus sign.
bool is_plain_integer(std::string_view spelling);

}  // namespace harness::json
