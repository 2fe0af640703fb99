// SPDX-License-Identifier: Apache-2.0
#include "harness/base/uri_template.h"

#include <algorithm>

#include "harness/base/ascii.h"

namespace harness {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_any_of(char c, std::string_view set) { return set.find(c) != kNone; }

// An escape at `i` that is none.
bool is_bad_escape(std::string_view text, std::size_t i) {
  return text[i] == '%' &&
         (i + 2 >= text.size() || !ascii::is_hex(text[i + 1]) || !ascii::is_hex(text[i + 2]));
}

bool is_never_in_uris(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || is_any_of(c, "\"<>\\^`{|}");
}

bool is_variable(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!ascii::is_alphanumeric(name[i]) && !is_any_of(name[i], "_.%")) return false;
    if (is_bad_escape(name, i)) return false;
  }
  return !name.empty();
}

// The name of a variable without its modifiers; "" when it is none.
std::string_view name_of(std::string_view variable) {
  if (variable.ends_with('*')) variable.remove_suffix(1);
  if (const std::size_t colon = variable.find(':'); colon != kNone) {
    const std::string_view length = variable.substr(colon + 1);
    if (length.empty() || length.size() > 4 ||
        !std::all_of(length.begin(), length.end(), ascii::is_digit))
      return {};
    variable = variable.substr(0, colon);
  }
  return is_variable(variable) ? variable : std::string_view();
}

// How an operator begins an expansion, what it puts between values, and whether it names them.
struct Operator {
  char how;
  std::string_view first;
  std::string_view between;
  bool names;
};
constexpr Operator kOperators[] = {{'#', "#", ",", false}, {'.', ".", ".", false},
                                   {'/', "/", "/", false}, {';', ";", ";", true},
                                   {'?', "?", "&", true},  {'&', "&", "&", true}};

}  // namespace

std::optional<UriTemplate> UriTemplate::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  UriTemplate out;
  out.literals_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      if (is_never_in_uris(text[i]) || is_bad_escape(text, i)) return std::nullopt;
      out.literals_.back() += text[i];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == kNone) return std::nullopt;
    std::string_view list = text.substr(i + 1, end - i - 1);
    Expression expression;
    if (!list.empty() && is_any_of(list.front(), "+#./;?&=,!@|")) {
      expression.how = list.front();
      list.remove_prefix(1);
    }
    for (bool more = true; more;) {
      const std::size_t comma = list.find(',');
      more = comma != kNone;
      const std::string_view name = name_of(list.substr(0, comma));
      if (name.empty()) return std::nullopt;
      expression.names.emplace_back(name);
      if (more) list.remove_prefix(comma + 1);
    }
    out.expressions_.push_back(std::move(expression));
    out.literals_.emplace_back();
    i = end;
  }
  return out;
}

std::vector<std::string> UriTemplate::variables() const {
  std::vector<std::string> out;
  for (const Expression& expression : expressions_)
    for (const std::string& name : expression.names)
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  return out;
}

std::string UriTemplate::expand(
    const std::function<std::string(const std::string& variable)>& value_of) const {
  std::string out = literals_.front();
  for (std::size_t i = 0; i < expressions_.size(); ++i) {
    const Expression& expression = expressions_[i];
    Operator how{0, "", ",", false};
    for (const Operator& one : kOperators)
      if (one.how == expression.how) how = one;
    for (std::size_t n = 0; n < expression.names.size(); ++n) {
      out += n == 0 ? how.first : how.between;
      if (how.names) out += expression.names[n] + "=";
      out += value_of(expression.names[n]);
    }
    out += literals_[i + 1];
  }
  return out;
}

bool UriTemplate::may_give(std::string_view uri) const {
  if (expressions_.empty()) return uri == head();
  if (!uri.starts_with(head())) return false;
  uri.remove_prefix(head().size());
  for (std::size_t i = 1; i + 1 < literals_.size(); ++i) {
    const std::size_t at = uri.find(literals_[i]);
    if (at == kNone) return false;
    uri.remove_prefix(at + literals_[i].size());
  }
  return uri.ends_with(tail());
}

}  // namespace harness
