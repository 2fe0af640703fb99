// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/formats.h"

#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/uri.h"
#include "harness/base/uri_template.h"

namespace harness::spec {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_any_of(char c, std::string_view set) { return set.find(c) != kNone; }

// Takes `count` digits off the front; -1 when they are not there.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (!ascii::is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view set) {
  if (text.empty() || !is_any_of(text.front(), set)) return false;
  text.remove_prefix(1);
  return true;
}

bool within(int value, int low, int high) { return value >= low && value <= high; }

bool is_time(std::string_view text) {
  if (!within(take_digits(text, 2), 0, 24)) return false;
  take(text, ":");
  if (!within(take_digits(text, 2), 0, 59)) return false;
  if (take(text, ":") || (!text.empty() && ascii::is_digit(text.front()))) {
    if (!within(take_digits(text, 2), 0, 60)) return false;  // 60: a leap second
    if (take(text, ".,")) {
      const std::size_t digits = text.find_first_not_of("0123456789");
      if (digits == 0 || text.empty()) return false;
      text.remove_prefix(digits == kNone ? text.size() : digits);
    }
  }
  if (text.empty() || text == "Z" || text == "z") return true;
  if (!take(text, "+-") || !within(take_digits(text, 2), 0, 23)) return false;
  if (text.empty()) return true;
  take(text, ":");
  return within(take_digits(text, 2), 0, 59) && text.empty();
}

}  // namespace

std::string scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == kNone || colon == 0 || !ascii::is_letter(text.front())) return {};
  const std::string_view scheme = text.substr(0, colon);
  for (const char c : scheme)
    if (!ascii::is_alphanumeric(c) && !is_any_of(c, "+-.")) return {};
  return ascii::lower(scheme);
}

bool is_https_uri(std::string_view text) {
  if (!is_uri(text)) return false;
  const std::string scheme = scheme_of(text);
  if (scheme != "http") return scheme == "https";
  std::string_view host = text.substr(scheme.size() + 1);
  if (!host.starts_with("//")) return false;
  host.remove_prefix(2);
  host = host.substr(0, host.find_first_of("/?#"));
  return host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("[::1]");
}

bool is_uri_template(std::string_view text) { return UriTemplate::parse(text).has_value(); }

bool is_base64(std::string_view text) { return from_base64(text).has_value(); }

bool is_some_base64(std::string_view text) {
  std::size_t digits = 0, padding = 0;
  for (const char c : text)
    if (c == '=')
      ++padding;
    else if (padding == 0 && (ascii::is_alphanumeric(c) || is_any_of(c, "+/-_")))
      ++digits;
    else
      return false;
  return padding <= 2 && digits % 4 != 1;
}

bool has_base64_data(std::string_view uri) {
  if (scheme_of(uri) != "data") return true;
  const std::size_t comma = uri.find(',');
  if (comma == kNone || !uri.substr(0, comma).ends_with(";base64")) return false;
  const std::string_view data = uri.substr(comma + 1);
  return std::all_of(data.begin(), data.end(), [](char c) {
    // %: escaped padding and plus signs
    return ascii::is_alphanumeric(c) || is_any_of(c, "+/=-_%");
  });
}

bool is_date_time(std::string_view text) {
  if (take_digits(text, 4) < 0) return false;
  const bool extended = take(text, "-");
  if (take(text, "W")) {  // a week and its day
    if (!within(take_digits(text, 2), 1, 53)) return false;
    take(text, "-");
    if (!within(take_digits(text, 1), 1, 7)) return false;
  } else {
    const int month = take_digits(text, 2);
    if (!within(month, 1, 12)) return false;
    if (extended && text.empty()) return true;  // a month
    take(text, "-");
    if (!within(take_digits(text, 2), 1, 31)) return false;
  }
  return text.empty() || (take(text, "Tt ") && is_time(text));
}

bool is_media_type(std::string_view text, std::string_view kind) {
  const std::size_t slash = text.find('/');
  if (slash == kNone) return false;
  const std::string_view type = text.substr(0, slash);
  std::string_view subtype = text.substr(slash + 1);
  subtype = subtype.substr(0, subtype.find(';'));
  while (subtype.ends_with(' ')) subtype.remove_suffix(1);
  if (!ascii::is_token(type) || !ascii::is_token(subtype)) return false;
  return kind.empty() || ascii::equal_ignoring_case(type, kind);
}

bool is_prefixed_name(std::string_view text) {
  const auto within = [](std::string_view part, std::string_view more) {
    return !part.empty() && ascii::is_alphanumeric(part.back()) &&
           std::all_of(part.begin(), part.end(),
                       [&](char c) { return ascii::is_alphanumeric(c) || is_any_of(c, more); });
  };
  const std::size_t slash = text.find('/');
  if (slash == kNone) return false;
  const std::string_view name = text.substr(slash + 1);
  if (!within(name, "-_.") || !ascii::is_alphanumeric(name.front())) return false;
  std::string_view prefix = text.substr(0, slash);
  for (bool more = true; more;) {
    const std::size_t dot = prefix.find('.');
    more = dot != kNone;
    const std::string_view label = prefix.substr(0, dot);
    if (!within(label, "-") || !ascii::is_letter(label.front())) return false;
    if (more) prefix.remove_prefix(dot + 1);
  }
  return true;
}

}  // namespace harness::spec
