// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/readable_ids.h"

#include <algorithm>
#include <iterator>

#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/trace/id_change.h"
#include "harness/wire/message.h"

namespace harness::trace {
namespace {

constexpr std::size_t kLongestKept = 16;  // digits of an integer up to 2^53
constexpr std::size_t kMostAltered = 64;
constexpr std::size_t kMostTokens = 64;
constexpr std::size_t kLongestToken = 100;  // of those spelled out
constexpr std::size_t kMostDigits = 18;     // of a number that 64 bits hold

// Of UTF-16 and UTF-32 half of the bytes are zero, and more.
bool may_be_wide(std::string_view text) {
  return std::count(text.begin(), text.end(), '\0') > static_cast<std::ptrdiff_t>(text.size() / 3);
}

}  // namespace

bool is_called_id(std::string_view name) {
  return name.size() == 2 && (name[0] | 0x20) == 'i' && (name[1] | 0x20) == 'd';
}

ReadableIds::ReadableIds(std::string_view text)
    : text_(text), any_(text.find("\\u") != std::string_view::npos || may_be_wide(text)) {
  if (any_) return;
  const auto skip = [&](std::size_t at, std::string_view what) {
    while (at < text.size() && what.find(text[at]) != std::string_view::npos) ++at;
    return at;
  };
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!is_called_id(text.substr(at, 2))) continue;
    std::size_t from = skip(at + 2, "\"' \t\r");
    if (from >= text.size() || (text[from] != ':' && text[from] != '=')) continue;
    from = skip(from + 1, " \t");
    take(text.substr(from, text.find_first_of(",}] \t\r", from) - from));
  }
}

void ReadableIds::take(std::string_view token) {
  some_ = true;
  if (tokens_.size() < kMostTokens && token.size() <= kLongestToken) tokens_.push_back(token);
  if (json::is_number_text(token)) {
    numbers_.insert(json::canonical(token));
    const bool kept =
        token.size() < kLongestKept && token.find_first_of(".eE") == std::string_view::npos;
    if (kept) return;  // as a string it has the same digits
    altered_.push_back(token);
    any_number_ |= altered_.size() > kMostAltered;
  } else {
    any_number_ = true;
  }
  any_string_ |= token.empty() || token.front() != '"' ||
                 token.find('\\') != std::string_view::npos || !is_utf8(token);
}

bool ReadableIds::may_be(const json::Value& id) const {
  if (any_ || (!id.is_string() && !id.is_number())) return true;
  if (id.is_number()) {
    if (any_number_ || numbers_.contains(json::canonical(id.text))) return true;
    const double came = json::as_double(id);
    return std::any_of(altered_.begin(), altered_.end(),
                       [&](std::string_view one) { return may_be_rounded_to(came, one); });
  }
  // It may have a separator inside, which ends what stands after the colon.
  return any_string_ || (some_ && text_.find(id.text) != std::string_view::npos);
}

std::vector<std::string> ReadableIds::keys() const {
  std::vector<std::string> out;
  for (std::string_view token : tokens_) {
    constexpr std::string_view kQuotes = "\"'";
    while (!token.empty() && kQuotes.find(token.front()) != std::string_view::npos)
      token.remove_prefix(1);
    while (!token.empty() && kQuotes.find(token.back()) != std::string_view::npos)
      token.remove_suffix(1);
    if (token.empty()) continue;
    if (is_utf8(token)) out.push_back(wire::id_key(json::string(std::string(token))));
    if (json::is_number_text(token)) {
      out.push_back(wire::id_key(json::number_spelled(token)));
      continue;
    }
    std::string digits;
    std::copy_if(token.begin(), token.end(), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    if (!digits.empty() && digits.size() <= kMostDigits)
      out.push_back(wire::id_key(json::number(std::stoll(digits))));
  }
  return out;
}

}  // namespace harness::trace
