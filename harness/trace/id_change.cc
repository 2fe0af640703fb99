// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/id_change.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "harness/base/ascii.h"
#include "harness/json/number.h"

namespace harness::trace {
namespace {

constexpr double kSafe = 9007199254740992.0;  // 2^53
constexpr double kSixDigits = 5e-6;           // the most that they leave out, of the number
constexpr std::size_t kLong = 255;            // a string that some readers cut

// What readers make of a number that is too large for them: nothing, or the most of some type.
bool is_beyond_limit(double came) { return came == 0 || std::abs(came) >= 2147483647.0; }

// 1e+2 is 1 to a reader of integers, which stops at what is no digit.
bool is_read_up_to_exponent(std::string_view asked, std::string_view came) {
  return asked.size() > came.size() && asked.starts_with(came) &&
         std::string_view("eE.").find(asked[came.size()]) != std::string_view::npos;
}

Change change_of_number(const json::Value& asked, const json::Value& came) {
  const double was = json::as_double(asked);
  if (!json::is_integer(asked)) {
    const double is = json::as_double(came);
    return is == was || std::abs(is - was) < 1 ? Change::kFraction : Change::kNone;
  }
  if (was >= kSafe || was <= -kSafe) {
    const bool made = is_beyond_limit(json::as_double(came)) ||
                      may_be_rounded_to(json::as_double(came), asked.text) ||
                      is_read_up_to_exponent(asked.text, came.text) || is_cut_to(asked, came);
    return made ? Change::kRounded : Change::kNone;
  }
  // Some print numbers with six digits: 2147483647 as 2.14748e+09.
  const bool exponent = came.text.find_first_of("eE") != std::string::npos;
  if (exponent && std::abs(json::as_double(came) - was) <= std::abs(was) * kSixDigits)
    return Change::kRounded;
  if (is_read_up_to_exponent(asked.text, came.text)) return Change::kBits;
  return is_cut_to(asked, came) ? Change::kBits : Change::kNone;
}

bool is_wide(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// What an encoding keeps: some write a question mark for what it lacks.
std::string narrow(std::string text) {
  std::erase_if(text, [](char c) { return is_wide(c) || c == '?'; });
  return text;
}

Change change_of_text(const std::string& asked, const std::string& came) {
  if (std::any_of(asked.begin(), asked.end(), is_wide) && asked != came &&
      narrow(asked) == narrow(came))
    return Change::kRecoded;
  if (ascii::equal_ignoring_case(asked, came)) return Change::kText;
  const bool is_start = !came.empty() && asked.size() > kLong && asked.starts_with(came);
  return is_start ? Change::kCut : Change::kNone;
}

// Many languages read more in a text than a number of JSON: "01", " 1", "+1" and "0x1" as 1.
bool is_read_as(const json::Value& asked, const json::Value& came) {
  if (!asked.is_string() || !came.is_number()) return false;
  char* end = nullptr;
  const double read = std::strtod(asked.text.c_str(), &end);
  const bool whole = end != asked.text.c_str() && *end == '\0';
  return whole && read == json::as_double(came);
}

}  // namespace

Change change_from(const json::Value& asked, const json::Value& came) {
  if (asked.is_number() && came.is_number()) return change_of_number(asked, came);
  if (asked.is_string() && came.is_string()) return change_of_text(asked.text, came.text);
  const bool empty = asked.items.empty() && asked.members.empty() && came.items.empty() &&
                     came.members.empty();
  if ((asked.is_array() && came.is_object()) || (asked.is_object() && came.is_array()))
    return empty ? Change::kType : Change::kNone;  // in PHP and Lua they are one
  const bool texts =
      (asked.is_string() && came.is_number()) || (asked.is_number() && came.is_string());
  if (!texts) return Change::kNone;
  if (asked.text == came.text) return Change::kType;
  if (is_read_as(asked, came)) return Change::kType;
  const std::string& string = asked.is_string() ? asked.text : came.text;
  return json::is_number_text(string) && json::equal_numbers(asked.text, came.text) ? Change::kType
                                                                                    : Change::kNone;
}

bool is_cut_to(const json::Value& was, const json::Value& is) {
  const auto cut = json::as_integer(is);
  if (!cut) return false;
  const auto whole = json::as_integer(was);
  if (whole && *whole == *cut) return false;
  if (whole) {
    using Most = std::numeric_limits<std::int32_t>;
    const auto nearest = std::clamp<std::int64_t>(*whole, Most::min(), Most::max());
    return *cut == nearest || *cut == static_cast<std::int32_t>(*whole) ||
           *cut == static_cast<std::uint32_t>(*whole);
  }
  // Beyond the signed: digits alone tell the bits.
  const bool negative = was.text.starts_with('-');
  std::uint64_t bits = 0;
  for (const char c : std::string_view(was.text).substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') return false;
    bits = bits * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (negative) bits = 0 - bits;
  return *cut == static_cast<std::int64_t>(bits) || *cut == static_cast<std::int32_t>(bits) ||
         *cut == static_cast<std::uint32_t>(bits);
}

bool may_be_rounded_to(double came, std::string_view spelling) {
  const json::Value number = json::number_spelled(spelling);
  const double was = json::as_double(number);
  if (std::isinf(was)) return is_beyond_limit(came);
  const bool kept = json::is_integer(number) && std::abs(was) < kSafe;
  return !kept && std::abs(was - came) <= std::max(1.0, std::abs(was) * 1e-6);
}

bool is_nearer(const json::Value& one, const json::Value& other, const json::Value& came) {
  if (!one.is_number() || !other.is_number() || !came.is_number()) return false;
  const double from = json::as_double(came);
  return std::abs(json::as_double(one) - from) < std::abs(json::as_double(other) - from);
}

}  // namespace harness::trace
