// SPDX-License-Identifier: Apache-2.0
// The exponent may itself have any number of digits, so it is kept as text too; only its last 18
// digits are ever computed with.
#include "harness/json/number.h"

#include <algorithm>
#include <cstdint>

#include "harness/base/ascii.h"
#include "harness/base/result.h"

namespace harness::json {
namespace {

std::size_t digits_from(std::string_view text, std::size_t at) {
  while (at < text.size() && ascii::is_digit(text[at])) ++at;
  return at;
}

std::string without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? "" : std::string(digits.substr(first));
}

constexpr std::size_t kLowDigits = 18;
constexpr std::int64_t kLowRange = 1'000'000'000'000'000'000;

// Adds one to (or takes one from) a decimal number that is large enough for it.
void step(std::string& digits, bool up) {
  const char over = up ? '9' : '0';
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] != over) {
      digits[i] = static_cast<char>(digits[i] + (up ? 1 : -1));
      return;
    }
    digits[i] = up ? '0' : '9';
  }
  if (up) digits.insert(digits.begin(), '1');
}

// Sets the exponent of `out` to ±magnitude + delta.
void set_exponent(Decimal& out, bool negative, std::string_view magnitude, std::int64_t delta) {
  std::string digits = without_leading_zeros(magnitude);
  const std::size_t split = digits.size() > kLowDigits ? digits.size() - kLowDigits : 0;
  std::string high = digits.substr(0, split);
  std::int64_t low = 0;
  for (std::size_t i = split; i < digits.size(); ++i) low = low * 10 + (digits[i] - '0');
  low += negative ? -delta : delta;
  if (high.empty()) {
    if (low < 0) {
      negative = !negative;
      low = -low;
    }
    out.exponent = std::to_string(low);
  } else {
    if (low >= kLowRange) {
      low -= kLowRange;
      step(high, true);
    } else if (low < 0) {
      low += kLowRange;
      step(high, false);
    }
    const std::string tail = std::to_string(low);
    out.exponent = without_leading_zeros(high + std::string(kLowDigits - tail.size(), '0') + tail);
  }
  out.negative_exponent = negative && out.exponent != "0";
}

}  // namespace

NumberPrefix number_prefix(std::string_view text) {
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') ++at;
  if (at == text.size() || !ascii::is_digit(text[at])) return {at, false};
  at = text[at] == '0' ? at + 1 : digits_from(text, at);
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = digits_from(text, at + 1);
    if (end == at + 1) return {end, false};
    at = end;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t end = digits_from(text, at);
    if (end == at) return {end, false};
    at = end;
  }
  return {at, true};
}

bool is_number_text(std::string_view text) {
  const NumberPrefix prefix = number_prefix(text);
  return prefix.complete && prefix.length == text.size();
}

std::string Decimal::text() const {
  if (is_zero()) return "0";
  std::string out = negative ? "-" : "";
  out += digits;
  if (exponent != "0") out += (negative_exponent ? "e-" : "e") + exponent;
  return out;
}

Decimal decimal(std::string_view spelling) {
  check(is_number_text(spelling), "a number value is not spelled as a JSON number");
  Decimal out;
  out.negative = spelling.front() == '-';
  if (out.negative) spelling.remove_prefix(1);
  std::string_view exponent;
  bool negative_exponent = false;
  if (const std::size_t e = spelling.find_first_of("eE"); e != std::string_view::npos) {
    exponent = spelling.substr(e + 1);
    spelling = spelling.substr(0, e);
    negative_exponent = exponent.front() == '-';
    if (!ascii::is_digit(exponent.front())) exponent.remove_prefix(1);
  }
  std::string digits(spelling);
  std::int64_t shift = 0;  // what moving the point and dropping zeros adds to the exponent
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    shift = -static_cast<std::int64_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const std::size_t last = digits.find_last_not_of('0');
  if (last == std::string::npos) return Decimal{};  // zero has neither sign nor exponent
  shift += static_cast<std::int64_t>(digits.size() - last - 1);
  digits.resize(last + 1);
  out.digits = without_leading_zeros(digits);
  set_exponent(out, negative_exponent, exponent, shift);
  return out;
}

bool is_plain_integer(std::string_view spelling) {
  if (spelling.starts_with('-')) spelling.remove_prefix(1);
  return !spelling.empty() && std::all_of(spelling.begin(), spelling.end(), ascii::is_digit);
}

std::string canonical(std::string_view spelling) {
  if (!is_plain_integer(spelling) || spelling == "0" || spelling == "-0")
    return decimal(spelling).text();
  const std::size_t length = spelling.find_last_not_of('0') + 1;
  std::string out(spelling.substr(0, length));
  if (length < spelling.size()) out += 'e' + std::to_string(spelling.size() - length);
  return out;
}

}  // namespace harness::json
