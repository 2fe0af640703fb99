// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/option_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "harness/base/text.h"

namespace harness::cli {
namespace {

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr Unit kUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 3.6e6}, {"d", 8.64e7}};

std::optional<double> milliseconds_of(const std::string& text) {
  const char* const end = text.data() + text.size();
  double number = 0;
  const auto [behind, failed] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (failed != std::errc() || !std::isfinite(number)) return std::nullopt;
  const std::string_view unit(behind, static_cast<std::size_t>(end - behind));
  for (const Unit& one : kUnits)
    if (unit == one.name || (unit.empty() && one.name == "s")) return number * one.milliseconds;
  return std::nullopt;
}

}  // namespace

Result<std::uint64_t> Counts::read(const std::string& option, const std::string& text) const {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || behind != end || number < least || number > most)
    return Error{
        option,
        fmt::format("`{}` is not a whole number from {} to {}", printable(text, 60), least, most),
        ""};
  return number;
}

Result<std::chrono::milliseconds> Durations::read(const std::string& option,
                                                  const std::string& text) const {
  const std::optional<double> time = milliseconds_of(text);
  if (!time)
    return Error{
        option,
        fmt::format("`{}` is not a duration such as 500ms, 10s, 2m, 1h or 1d", printable(text, 60)),
        ""};
  // Compared before it is made an integer, which what is larger would not fit.
  if (*time < static_cast<double>(least.count()) || *time > static_cast<double>(most.count()))
    return Error{option,
                 fmt::format("`{}` is not a duration from {} to {}", printable(text, 60),
                             duration_words(least), duration_words(most)),
                 ""};
  return std::chrono::milliseconds(std::llround(*time));
}

std::string duration_words(std::chrono::milliseconds time) {
  std::string out;
  for (const Unit& one : kUnits) {
    const auto whole = static_cast<std::int64_t>(one.milliseconds);
    if (time.count() % whole == 0) out = fmt::format("{}{}", time.count() / whole, one.name);
  }
  return out;
}

Option timeout_option(std::chrono::milliseconds& timeout) {
  return {"--timeout",
          within(kTimeouts, timeout),
          "TIME",
          "Longest wait for a reply",
          {.usual = duration_words(timeout)}};
}

std::string again(std::chrono::milliseconds timeout, std::chrono::milliseconds usual) {
  return timeout == usual ? "" : " --timeout " + duration_words(timeout);
}

}  // namespace harness::cli
