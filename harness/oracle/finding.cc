// SPDX-License-Identifier: Apache-2.0
// The identity of a Finding across runs. Long numbers are ids, ports and times that differ each
// time; short ones and the error codes of JSON-RPC are part of what went wrong.
#include "harness/oracle/finding.h"

#include <cstddef>
#include <string_view>

#include "harness/base/ascii.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kVaryingDigits = 5;

bool is_error_code(std::string_view before, std::string_view digits) {
  return !before.empty() && before.back() == '-' && digits.size() == 5 &&
         digits.substr(0, 2) == "32";
}

std::string without_varying_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (!ascii::is_digit(text[i])) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && ascii::is_digit(text[end])) ++end;
    const std::string_view digits = text.substr(i, end - i);
    const bool varies =
        digits.size() >= kVaryingDigits && !is_error_code(text.substr(0, i), digits);
    out += varies ? std::string_view("#") : digits;
    i = end;
  }
  return out;
}

}  // namespace

std::string Finding::message() const {
  return requirement + ": expected " + without_varying_numbers(expected) + "; seen " +
         without_varying_numbers(seen);
}

}  // namespace harness::oracle
